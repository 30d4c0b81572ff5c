// Package options reads and writes the structs in which users configure things, from and to TOML.
//
// A struct has one field for each key, with a tag that names the key:
//
//	// LeastRequest picks the least loaded of some endpoints.
//	type LeastRequest struct {
//		// ChoiceCount is how many endpoints are compared, 2 to 10.
//		ChoiceCount int `toml:"choice_count"`
//	}
//
// Fields without a tag are none of the user's. Keys that the user leaves out keep their value:
// defaults are there before, in the prototype of a [Catalog] or from a method SetDefaults. The tag
// "rate,omitzero" leaves a field that is zero out of what is written, where absence says the same.
//
// A field holds a plain value, a list, a table (a struct, or a map by name) or one of these:
//   - a length of time: [time.Duration], written as [DurationText] does;
//   - a value that reads and writes its own text: [encoding.TextUnmarshaler] and
//     [encoding.TextMarshaler];
//   - a value that needs more than its text to be read: see [Form];
//   - one of several kinds of struct behind an interface: see [Family].
//
// An error is a [KeyError] and says what would be right.
package options

import (
	"encoding"
	"iter"
	"reflect"
	"strings"
	"time"
)

// Codec reads and writes structs. It knows the forms and the families that it was given. The zero
// value knows none.
type Codec struct {
	forms    map[reflect.Type]form
	families map[reflect.Type]family
}

// form is how a type is read for which its text is not enough.
type form struct {
	want string
	read func(text string) (any, error)
}

// Form makes a codec read values of type T with a function, which can open files for instance.
// Values are written with their method MarshalText or String. The text want completes "must be" in
// an error: "a key, such as \"client\"".
func Form[T any](c *Codec, want string, read func(text string) (T, error)) {
	if c.forms == nil {
		c.forms = make(map[reflect.Type]form)
	}
	c.forms[reflect.TypeFor[T]()] = form{want, func(text string) (any, error) { return read(text) }}
}

// Each yields the fields of a struct that have a key, in their order.
func Each(v reflect.Value) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		for _, f := range fieldsOf(v.Type()) {
			if !yield(f.key, v.Field(f.index)) {
				return
			}
		}
	}
}

// field is one of a struct that has a key.
type field struct {
	key      string
	index    int
	omitZero bool
}

func fieldsOf(t reflect.Type) []field {
	var all []field
	for i := range t.NumField() {
		key, rest, _ := strings.Cut(t.Field(i).Tag.Get("toml"), ",")
		if key != "" && key != "-" && t.Field(i).IsExported() {
			all = append(all, field{key, i, rest == "omitzero"})
		}
	}
	return all
}

// setDefaults fills in what p points to, if it has such values.
func setDefaults(p reflect.Value) {
	if d, ok := p.Interface().(interface{ SetDefaults() }); ok {
		d.SetDefaults()
	}
}

var durationType = reflect.TypeFor[time.Duration]()

// hasText reports whether values of a type are written as one text.
func (c *Codec) hasText(t reflect.Type) bool {
	_, formed := c.forms[t]
	return formed || t == durationType || t.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}
