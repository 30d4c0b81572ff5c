package experiments

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"lbsim/models"
	"lbsim/policies"
)

// Resolved returns the experiment as a file in which nothing is left to defaults: what was run,
// with the changes of the command line. Run again, it gives the same results.
func (e *Experiment) Resolved() string {
	p := e.base
	r := &resolved{}
	for line := range strings.Lines(e.Question) {
		r.WriteString(strings.TrimSpace("# "+line) + "\n")
	}
	r.fields(reflect.ValueOf(p.top))
	for _, name := range e.source.order("clients") {
		r.table(reflect.ValueOf(p.top.Clients[name]), "", "clients", name)
	}
	for _, name := range e.source.order("backends") {
		r.table(reflect.ValueOf(p.top.Backends[name]), "", "backends", name)
	}
	for _, name := range e.source.order("l4") {
		r.table(reflect.ValueOf(p.top.L4[name]), "", "l4", name)
	}
	r.table(reflect.ValueOf(p.top.Network), "", "network")
	r.table(reflect.ValueOf(p.top.Backoff), "", "backoff")
	r.resolver(p.resolver, &p.config)
	for _, f := range p.failures {
		r.table(reflect.ValueOf(f.Value), f.Kind, "failures", f.Name)
	}
	for _, pol := range p.policies {
		for _, name := range e.Policies {
			if name != pol.Name {
				continue
			}
			options := reflect.ValueOf(pol.Value)
			if pol.Kind == ofServiceConfig { // its options are there
				options = reflect.ValueOf(struct{}{})
			}
			r.table(options, pol.Kind, "policies", name)
		}
	}
	if len(e.SweepKeys) > 0 {
		r.header("sweep")
		for _, key := range e.SweepKeys {
			fmt.Fprintf(r, "%s = %s\n", toml.Key{key}, inline(reflect.ValueOf(p.top.Sweep[key])))
		}
	}
	return r.String()
}

// OptionsOf returns the options of a kind, from its catalog or configured, as lines of TOML.
func OptionsOf(kind any) []string {
	r := &resolved{}
	v := reflect.ValueOf(kind)
	r.fields(v)
	return append(slices.Collect(strings.Lines(r.String())), unset(v)...)
}

// resolved writes TOML from structs, in the order of their fields, which the TOML package's own
// encoder cannot do for a distribution in its text form or a kind behind an interface.
type resolved struct{ strings.Builder }

func (r *resolved) header(path ...string) { fmt.Fprintf(r, "\n[%s]\n", toml.Key(path)) }

// table writes a struct as a table, its kind first if it has one.
func (r *resolved) table(v reflect.Value, kind string, path ...string) {
	r.header(path...)
	if kind != "" {
		fmt.Fprintf(r, "kind = %q\n", kind)
	}
	r.options(v.Interface(), path...)
}

// options writes the fields of a struct, below them those that are tables.
func (r *resolved) options(of any, path ...string) {
	v := reflect.ValueOf(of)
	r.fields(v)
	for i, name := range tags(v.Type()) {
		if v.Field(i).Kind() == reflect.Map && v.Field(i).Len() > 0 {
			r.header(append(path, name)...)
			m := v.Field(i)
			keys := make(map[string]reflect.Value)
			for _, k := range m.MapKeys() {
				keys[k.String()] = m.MapIndex(k)
			}
			for _, k := range sortedKeys(keys) {
				fmt.Fprintf(r, "%s = %s\n", toml.Key{k}, inline(keys[k]))
			}
		}
	}
}

// fields writes the fields of a struct that are no tables.
func (r *resolved) fields(v reflect.Value) {
	for i, name := range tags(v.Type()) {
		f := v.Field(i)
		isTable := f.Kind() == reflect.Map || f.Kind() == reflect.Struct &&
			f.Type() != reflect.TypeFor[toggle]()
		if isTable || !written(f) {
			continue
		}
		fmt.Fprintf(r, "%s = %s\n", name, inline(f))
	}
}

// written says whether a value can be told: what is off by being absent cannot.
func written(f reflect.Value) bool {
	switch f.Type() {
	case distribution:
		return !f.IsNil()
	case reflect.TypeFor[models.Rate]():
		return !f.IsZero()
	case reflect.TypeFor[toggle]():
		return f.Interface().(toggle).said
	}
	return f.Type() != policyType && f.Kind() != reflect.Pointer || !f.IsNil()
}

// inline returns a value as TOML.
func inline(v reflect.Value) string {
	if v.Type() == distribution {
		return strconv.Quote(v.Interface().(fmt.Stringer).String())
	}
	if v.Type() == duration {
		v = v.Convert(reflect.TypeFor[models.Duration]())
	}
	if v.Type() == policyType {
		return inlinePolicy(v.Interface().(policies.Policy))
	}
	if t, ok := v.Interface().(interface{ MarshalText() ([]byte, error) }); ok {
		text, err := t.MarshalText()
		if err != nil {
			panic(err)
		}
		return strconv.Quote(string(text))
	}
	if t, ok := v.Interface().(toggle); ok {
		return strconv.FormatBool(t.on)
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return inline(v.Elem())
	case reflect.Struct:
		return "{ " + strings.Join(members(v), ", ") + " }"
	case reflect.String:
		return strconv.Quote(v.String())
	case reflect.Float64:
		text := strconv.FormatFloat(v.Float(), 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	case reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = inline(v.Index(i))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case reflect.Map:
		parts := make([]string, 0, v.Len())
		for _, k := range v.MapKeys() {
			parts = append(parts, toml.Key{k.String()}.String()+" = "+inline(v.MapIndex(k)))
		}
		slices.Sort(parts)
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return fmt.Sprint(v.Interface())
}
