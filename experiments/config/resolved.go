package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"lbsim/models"
	"lbsim/options"
	"lbsim/policies"
)

// Resolved returns the experiment as a file in which nothing is left to defaults: what was run,
// with the changes of the command line. Run again, it gives the same results.
func (e *Experiment) Resolved() string {
	p := e.base
	r := &resolved{policies: e.source.kinds.Policies}
	for line := range strings.Lines(e.Question) {
		r.WriteString(strings.TrimSpace("# "+line) + "\n")
	}
	top := p.Document
	if _, said := e.source.tree["bin"]; !said && slices.Contains(e.SweepKeys, "duration") {
		top.Bin = autoBin // which depends on the duration
	}
	r.fields(reflect.ValueOf(top))
	for _, name := range e.source.order(e.source.tree, "clients") {
		r.table(reflect.ValueOf(p.Document.Clients[name]), "", "clients", name)
	}
	for _, name := range e.source.order(e.source.tree, "backends") {
		r.table(reflect.ValueOf(p.Document.Backends[name]), "", "backends", name)
	}
	for _, name := range e.source.order(e.source.tree, "l4") {
		r.table(reflect.ValueOf(p.Document.L4[name]), "", "l4", name)
	}
	r.table(reflect.ValueOf(p.Document.Network), "", "network")
	r.table(reflect.ValueOf(p.Document.Backoff), "", "backoff")
	if e.kindSwept("resolver") {
		r.given(p.Document.Resolver, "", "resolver")
	} else {
		r.resolver(p.Resolver, &p.Config)
	}
	for _, f := range p.Failures {
		if e.kindSwept("failures", f.Name) {
			r.given(p.Document.Failures[f.Name], f.Kind, "failures", f.Name)
			continue
		}
		r.table(reflect.ValueOf(f.Value), f.Kind, "failures", f.Name)
	}
	for _, pol := range p.Policies {
		for _, name := range e.Policies {
			if name != pol.Name {
				continue
			}
			if e.kindSwept("policies", name) {
				r.given(p.Document.Policies[name], pol.Kind, "policies", name)
				continue
			}
			options := reflect.ValueOf(pol.Value)
			if pol.Kind == ServiceConfigKind { // its options are there
				options = reflect.ValueOf(struct{}{})
			}
			r.table(options, pol.Kind, "policies", name)
		}
	}
	if len(e.SweepKeys) > 0 {
		r.header("sweep")
		for _, key := range e.SweepKeys {
			fmt.Fprintf(r, "%s = %s\n", toml.Key{key},
				r.inline(reflect.ValueOf(p.Document.Sweep[key])))
		}
	}
	return r.String()
}

// OptionsOf returns the options of a kind, from its catalog or configured, as lines of TOML.
// Policies inside it are of a catalog.
func OptionsOf(kind any, policies options.Catalog[policies.Policy]) []string {
	r := &resolved{policies: policies}
	v := reflect.ValueOf(kind)
	r.fields(v)
	return append(slices.Collect(strings.Lines(r.String())), r.unset(v)...)
}

// resolved writes TOML from structs, in the order of their fields, which the TOML package's own
// encoder cannot do for a distribution in its text form or a kind behind an interface.
type resolved struct {
	strings.Builder
	policies options.Catalog[policies.Policy] // that may stand inside others
}

func (r *resolved) header(path ...string) { fmt.Fprintf(r, "\n[%s]\n", toml.Key(path)) }

// table writes a struct as a table, its kind first if it has one.
func (r *resolved) table(v reflect.Value, kind string, path ...string) {
	r.header(path...)
	if kind != "" {
		fmt.Fprintf(r, "kind = %q\n", kind)
	}
	r.options(v.Interface(), path...)
}

// given writes a table as it is in the file: where the sweep changes its kind, other options than
// those that the file gives may be unknown to another kind.
func (r *resolved) given(table any, kind string, path ...string) {
	options, _ := table.(map[string]any)
	if options == nil { // then the file has none
		return
	}
	r.header(path...)
	options = maps.Clone(options)
	if _, has := options["kind"]; !has && kind != "" {
		options["kind"] = kind
	}
	for _, name := range sortedKeys(options) {
		fmt.Fprintf(r, "%s = %s\n", toml.Key{name}, r.inline(reflect.ValueOf(options[name])))
	}
}

// options writes the fields of a struct, below them those that are tables.
func (r *resolved) options(of any, path ...string) {
	v := reflect.ValueOf(of)
	r.fields(v)
	for i, name := range OptionNames(v.Type()) {
		if v.Field(i).Kind() == reflect.Map && v.Field(i).Len() > 0 {
			r.header(append(path, name)...)
			m := v.Field(i)
			keys := make(map[string]reflect.Value)
			for _, k := range m.MapKeys() {
				keys[k.String()] = m.MapIndex(k)
			}
			for _, k := range sortedKeys(keys) {
				fmt.Fprintf(r, "%s = %s\n", toml.Key{k}, r.inline(keys[k]))
			}
		}
	}
}

// fields writes the fields of a struct that are no tables.
func (r *resolved) fields(v reflect.Value) {
	for i, name := range OptionNames(v.Type()) {
		f := v.Field(i)
		isTable := f.Kind() == reflect.Map || f.Kind() == reflect.Struct &&
			f.Type() != reflect.TypeFor[models.Pushback]()
		if name == "" || isTable || !written(f) {
			continue
		}
		fmt.Fprintf(r, "%s = %s\n", name, r.inline(f))
	}
}

// written says whether a value can be told: what is off by being absent cannot.
func written(f reflect.Value) bool {
	switch f.Type() {
	case distribution:
		return !f.IsNil()
	case reflect.TypeFor[options.Rate]():
		return !f.IsZero()
	case reflect.TypeFor[models.Duration]():
		return f.Int() != int64(autoBin)
	}
	return f.Type() != policyType && f.Kind() != reflect.Pointer || !f.IsNil()
}

// inline returns a value as TOML.
func (r *resolved) inline(v reflect.Value) string {
	if v.Type() == distribution {
		return quote(v.Interface().(fmt.Stringer).String())
	}
	if v.Type() == duration {
		v = v.Convert(reflect.TypeFor[models.Duration]())
	}
	if v.Type() == policyType {
		return r.inlinePolicy(v.Interface().(policies.Policy))
	}
	if t, ok := v.Interface().(interface{ MarshalText() ([]byte, error) }); ok {
		text, err := t.MarshalText()
		if err != nil {
			panic(err)
		}
		return quote(string(text))
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return r.inline(v.Elem())
	case reflect.Struct:
		return "{ " + strings.Join(r.members(v), ", ") + " }"
	case reflect.String:
		return quote(v.String())
	case reflect.Float64:
		text := strconv.FormatFloat(v.Float(), 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	case reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = r.inline(v.Index(i))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case reflect.Map:
		parts := make([]string, 0, v.Len())
		for _, k := range v.MapKeys() {
			parts = append(parts, toml.Key{k.String()}.String()+" = "+r.inline(v.MapIndex(k)))
		}
		slices.Sort(parts)
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return fmt.Sprint(v.Interface())
}
