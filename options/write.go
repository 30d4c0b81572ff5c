package options

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Writer writes TOML from structs, in the order of their fields.
type Writer struct {
	strings.Builder
	codec *Codec
}

// Writer returns a writer of TOML that knows what the codec knows.
func (c *Codec) Writer() *Writer { return &Writer{codec: c} }

// Header begins a table.
func (w *Writer) Header(path ...string) { fmt.Fprintf(w, "\n[%s]\n", Path(path)) }

// Set writes a value under a name.
func (w *Writer) Set(name string, v any) {
	fmt.Fprintf(w, "%s = %s\n", Path([]string{name}), w.codec.inline(reflect.ValueOf(v)))
}

// Fields writes the fields of a struct that are no tables.
func (w *Writer) Fields(v any) {
	of := reflect.ValueOf(v)
	for _, f := range fieldsOf(of.Type()) {
		if value := of.Field(f.index); !w.codec.isTable(value) && f.written(value) {
			fmt.Fprintf(w, "%s = %s\n", f.key, w.codec.inline(value))
		}
	}
}

// Table writes a struct as a table, its kind first if it has one; see Options.
func (w *Writer) Table(kind string, v any, path ...string) {
	w.Header(path...)
	if kind != "" {
		w.Set("kind", kind)
	}
	w.Options(v, path...)
}

// Options writes the fields of a struct whose table is under way, and below it the tables of its
// fields.
func (w *Writer) Options(v any, path ...string) {
	w.Fields(v)
	for name, value := range Each(reflect.ValueOf(v)) {
		at := Sub(path, name)
		switch {
		case !w.codec.isTable(value):
		case value.Kind() == reflect.Struct:
			w.Table("", value.Interface(), at...)
		case value.Len() > 0:
			w.Header(at...)
			for _, key := range keysOf(value) {
				w.Set(key.String(), value.MapIndex(key).Interface())
			}
		}
	}
}

// isTable reports whether a value is written as a table of its own.
func (c *Codec) isTable(v reflect.Value) bool {
	return v.Kind() == reflect.Map || v.Kind() == reflect.Struct && !c.hasText(v.Type())
}

// written reports whether a field is in the file: one that is off by being absent is not.
func (f field) written(v reflect.Value) bool {
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		return !v.IsNil()
	}
	return !f.omitZero || !v.IsZero()
}

// inline returns a value as TOML in one line.
func (c *Codec) inline(v reflect.Value) string {
	if f, is := c.families[v.Type()]; is {
		return c.inlineKind(f, v.Elem())
	}
	switch t := v.Interface().(type) {
	case time.Duration:
		return Quote(DurationText(t))
	case encoding.TextMarshaler:
		text, err := t.MarshalText()
		if err != nil {
			panic(err)
		}
		return Quote(string(text))
	case fmt.Stringer:
		if _, is := c.forms[v.Type()]; is {
			return Quote(t.String())
		}
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return c.inline(v.Elem())
	case reflect.Struct:
		return braces(c.members(v))
	case reflect.String:
		return Quote(v.String())
	case reflect.Float64:
		text := strconv.FormatFloat(v.Float(), 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	case reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = c.inline(v.Index(i))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case reflect.Map:
		var parts []string
		for _, key := range keysOf(v) {
			name := Path([]string{key.String()})
			parts = append(parts, name+" = "+c.inline(v.MapIndex(key)))
		}
		return braces(parts)
	}
	return fmt.Sprint(v.Interface())
}

func braces(parts []string) string {
	if len(parts) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// inlineKind returns a value of a family as TOML.
func (c *Codec) inlineKind(f family, v reflect.Value) string {
	name := f.kindOf(v.Interface())
	if name == "" {
		panic(fmt.Sprintf("options: no kind of %s has the type %v", f.noun, v.Type()))
	}
	return braces(append([]string{"kind = " + Quote(name)}, c.members(v)...))
}

// members returns the fields of a struct as TOML.
func (c *Codec) members(v reflect.Value) []string {
	var all []string
	for _, f := range fieldsOf(v.Type()) {
		if value := v.Field(f.index); f.written(value) {
			all = append(all, f.key+" = "+c.inline(value))
		}
	}
	return all
}

func keysOf(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		return strings.Compare(a.String(), b.String())
	})
	return keys
}

// Describe returns all options of a struct with their values as lines of TOML. What has no value by
// default is there with a comment that says what may stand there.
func (c *Codec) Describe(v any) []string {
	w := c.Writer()
	w.Fields(v)
	lines := slices.Collect(strings.Lines(w.String()))
	for name, value := range Each(reflect.ValueOf(v)) {
		f, isKind := c.families[value.Type()]
		switch {
		case isKind && value.IsNil():
			lines = append(lines, name+" = { kind = ... }  # a "+f.noun+"\n")
		case value.Kind() == reflect.Pointer && value.IsNil():
			p := reflect.New(value.Type().Elem())
			setDefaults(p)
			lines = append(lines, name+" = "+c.inline(p)+"  # if given\n")
		case value.Kind() == reflect.Map:
			lines = append(lines, name+" = {}\n")
		}
	}
	return lines
}
