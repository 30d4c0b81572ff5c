package options

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"lbsim/internal/nearest"
)

// Catalog holds the kinds of one family by name, each as a prototype: a struct with its defaults.
type Catalog[T any] map[string]T

// Names returns the names of all kinds in alphabetical order.
func (c Catalog[T]) Names() []string { return slices.Sorted(maps.Keys(c)) }

// KindOf returns the name of a value's kind, or "" if the catalog has none of its type. A kind that
// is not known by its type has a method Kind that returns its name.
func (c Catalog[T]) KindOf(v T) string {
	if named, is := any(v).(interface{ Kind() string }); is {
		return named.Kind()
	}
	for _, name := range c.Names() {
		if reflect.TypeOf(c[name]) == reflect.TypeOf(v) {
			return name
		}
	}
	return ""
}

// With returns the catalog with further kinds. A name that is there already is an error.
func (c Catalog[T]) With(more Catalog[T]) (Catalog[T], error) {
	all := maps.Clone(c)
	if all == nil {
		all = make(Catalog[T])
	}
	for _, name := range more.Names() {
		if _, has := c[name]; has {
			return nil, fmt.Errorf("there is a kind %q already", name)
		}
		all[name] = more[name]
	}
	return all, nil
}

// family is the kinds that may stand where a field has an interface type.
type family struct {
	noun, example string
	read          func(c *Codec, key []string, from any) (any, error)
	kindOf        func(v any) string
}

// Family makes a codec read fields of the interface type T: as a table that names one of the kinds
// of a catalog and gives its options, or as the name alone. An error says "must be a policy, such
// as "round_robin"", where that are noun and example.
func Family[T any](c *Codec, noun, example string, catalog Catalog[T]) {
	if c.families == nil {
		c.families = make(map[reflect.Type]family)
	}
	c.families[reflect.TypeFor[T]()] = family{
		noun: noun, example: example,
		read: func(c *Codec, key []string, from any) (any, error) {
			v, _, err := Kind(c, key, from, catalog)
			return v, err
		},
		kindOf: func(v any) string { return catalog.KindOf(v.(T)) },
	}
}

// nested reads a value of one of the kinds of a family.
func (c *Codec) nested(f family, key []string, from any, to reflect.Value) error {
	if name, is := from.(string); is {
		from = map[string]any{"kind": name}
	}
	table, ok := from.(map[string]any)
	if !ok {
		want := fmt.Sprintf("a %s, such as %q or { kind = %[2]q }", f.noun, f.example)
		return Wrong(key, want, from)
	}
	if _, has := table["kind"]; !has {
		return Errorf(Sub(key, "kind"), "must say which, such as %q", f.example)
	}
	v, err := f.read(c, key, table)
	if err != nil {
		return err
	}
	to.Set(reflect.ValueOf(v))
	return nil
}

// Kind reads a table whose kind is one of a catalog: a copy of the prototype with the options of
// the table, for which its method Check() error, if it has one, knows nothing wrong. Where the
// table names no kind, the last part of its key does.
func Kind[T any](c *Codec, key []string, from any, catalog Catalog[T]) (T, string, error) {
	var none T
	table, ok := from.(map[string]any)
	if !ok {
		return none, "", Wrong(key, "a table", from)
	}
	name, at := key[len(key)-1], key
	if v, has := table["kind"]; has {
		at = Sub(key, "kind")
		if name, ok = v.(string); !ok {
			return none, "", Wrong(at, "a text in quotes", v)
		}
	}
	prototype, known := catalog[name]
	if !known {
		hint := nearest.Hint(name, catalog.Names())
		return none, "", Errorf(at, "unknown kind %q%s", name, hint)
	}
	given := maps.Clone(table)
	delete(given, "kind")
	v := reflect.New(reflect.TypeOf(prototype)).Elem()
	v.Set(reflect.ValueOf(prototype))
	if err := c.table(key, given, v); err != nil {
		return none, "", err
	}
	made := v.Interface().(T)
	if checked, is := any(made).(interface{ Check() error }); is {
		if err := checked.Check(); err != nil {
			return none, "", Under(key, err)
		}
	}
	return made, name, nil
}
