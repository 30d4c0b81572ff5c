package config

import (
	"errors"
	"reflect"
	"strings"

	"lbsim/models"
	"lbsim/policies"
)

var policyType = reflect.TypeFor[policies.Policy]()

// policy decodes a policy inside another: a table that names its kind, or the kind alone.
func (d *decoder) policy(key []string, from any, to reflect.Value) error {
	if name, ok := from.(string); ok {
		from = map[string]any{"kind": name}
	}
	table, ok := from.(map[string]any)
	if !ok {
		return wrong(key, "a policy, such as \"round_robin\" or { kind = \"round_robin\" }", from)
	}
	if _, has := table["kind"]; !has {
		return bad("must say which, such as \"round_robin\"")(sub(key, "kind")...)
	}
	p, err := makeKind(d, key, table, d.kinds.Policies, nil)
	if err != nil {
		return err
	}
	to.Set(reflect.ValueOf(p.Value))
	return nil
}

// inlinePolicy returns a policy inside another as TOML.
func (r *resolved) inlinePolicy(p policies.Policy) string {
	v, name := reflect.ValueOf(p), r.policies.KindOf(p)
	if name == "" {
		panic("experiments: no kind has the type " + v.Type().String())
	}
	kind := []string{"kind = " + quote(name)}
	return "{ " + strings.Join(append(kind, r.members(v)...), ", ") + " }"
}

// members returns the fields of a struct as TOML.
func (r *resolved) members(v reflect.Value) []string {
	var all []string
	for i, name := range OptionNames(v.Type()) {
		if f := v.Field(i); name != "" && written(f) {
			all = append(all, name+" = "+r.inline(f))
		}
	}
	return all
}

// unset returns options that have no value by default, and what they may be, as lines of TOML.
func (r *resolved) unset(v reflect.Value) []string {
	var lines []string
	for i, name := range OptionNames(v.Type()) {
		f := v.Field(i)
		switch {
		case f.Type() == policyType && f.IsNil():
			lines = append(lines, name+" = { kind = ... }  # a policy\n")
		case f.Kind() == reflect.Pointer && f.IsNil():
			p := reflect.New(f.Type().Elem())
			policies.SetDefaults(p.Interface())
			lines = append(lines, name+" = "+r.inline(p)+"  # if given\n")
		case f.Kind() == reflect.Map:
			lines = append(lines, name+" = {}\n")
		}
	}
	return lines
}

// makeKind decodes a kind and asks it whether its options make sense.
func makeKind[T any](
	d *decoder, key []string, from any, catalog map[string]T, c *models.Config,
) (Named[T], error) {
	v, name, err := kind(d, key, from, catalog)
	if err != nil {
		return Named[T]{}, err
	}
	switch checked := any(v).(type) {
	case policies.Checker:
		err = checked.Check()
	case interface{ Check(*models.Config) error }:
		err = checked.Check(c)
	}
	if err != nil {
		return Named[T]{}, optionError(key, err)
	}
	return Named[T]{key[len(key)-1], name, v}, nil
}

// optionError places an error that a kind has of its options: "option: what is wrong".
func optionError(key []string, err error) error {
	option, what, found := strings.Cut(err.Error(), ": ")
	if !found {
		return &keyError{key, err}
	}
	for part := range strings.SplitSeq(option, ".") {
		key = sub(key, part)
	}
	return &keyError{key, errors.New(what)}
}
