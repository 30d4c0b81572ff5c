package options

import (
	"encoding"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"lbsim/internal/nearest"
)

// Read stores what stands under a key of a TOML file in what to points to. The value is as the TOML
// package makes it: a string, int64, float64, bool, []any or map[string]any.
func (c *Codec) Read(key []string, from, to any) error {
	return c.read(key, from, reflect.ValueOf(to).Elem())
}

func (c *Codec) read(key []string, from any, to reflect.Value) error {
	if f, is := c.forms[to.Type()]; is {
		return f.readInto(key, from, to)
	}
	if f, is := c.families[to.Type()]; is {
		return c.nested(f, key, from, to)
	}
	if to.Type() == durationType {
		const want = "a length of time in quotes, such as \"10ms\""
		return readText(key, want, from, func(text string) error {
			d, err := ParseDuration(text)
			to.SetInt(int64(d))
			return err
		})
	}
	if u, is := to.Addr().Interface().(encoding.TextUnmarshaler); is {
		return readText(key, "a text in quotes", from, func(text string) error {
			return u.UnmarshalText([]byte(text))
		})
	}
	switch to.Kind() {
	case reflect.Interface:
		v := reflect.ValueOf(from)
		if !v.Type().AssignableTo(to.Type()) {
			return unfit(key, to)
		}
		to.Set(v)
	case reflect.Pointer:
		v := reflect.New(to.Type().Elem())
		setDefaults(v)
		to.Set(v)
		return c.read(key, from, v.Elem())
	case reflect.Struct:
		return c.table(key, from, to)
	case reflect.Map:
		return c.byName(key, from, to)
	case reflect.Slice:
		return c.list(key, from, to)
	default:
		return plain(key, from, to)
	}
	return nil
}

func (f form) readInto(key []string, from any, to reflect.Value) error {
	text, is := from.(string)
	if !is {
		return Wrong(key, f.want, from)
	}
	v, err := f.read(text)
	if err != nil {
		return &KeyError{key, err}
	}
	to.Set(reflect.ValueOf(v))
	return nil
}

// readText calls read with the text that stands in the file.
func readText(key []string, want string, from any, read func(text string) error) error {
	switch from.(type) {
	case string, int64, float64, bool:
		if err := read(fmt.Sprint(from)); err != nil {
			return &KeyError{key, err}
		}
		return nil
	}
	return Wrong(key, want, from)
}

// plain reads what has no parts.
func plain(key []string, from any, to reflect.Value) error {
	switch to.Kind() {
	case reflect.String:
		s, ok := from.(string)
		if !ok {
			return Wrong(key, "a text in quotes", from)
		}
		to.SetString(s)
	case reflect.Bool:
		b, ok := from.(bool)
		if !ok {
			return Wrong(key, "true or false", from)
		}
		to.SetBool(b)
	case reflect.Float64:
		f, ok := from.(float64)
		if i, isInt := from.(int64); isInt {
			f, ok = float64(i), true
		}
		if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
			return Wrong(key, "a number, such as 1.5", from)
		}
		to.SetFloat(f)
	default:
		if !to.CanInt() && !to.CanUint() {
			return unfit(key, to)
		}
		return integer(key, from, to)
	}
	return nil
}

// unfit returns the error that the field of a struct has a type that this package does not fill in.
func unfit(key []string, to reflect.Value) error {
	return Errorf(key, "cannot be set: its field has the type %v, which no value of a file fits",
		to.Type())
}

func integer(key []string, from any, to reflect.Value) error {
	i, ok := from.(int64)
	if !ok {
		return Wrong(key, "a whole number", from)
	}
	if to.CanUint() {
		if i < 0 || to.OverflowUint(uint64(i)) {
			return Errorf(key, "must be a whole number from 0 on (is %d)", i)
		}
		to.SetUint(uint64(i))
		return nil
	}
	if to.OverflowInt(i) {
		return Errorf(key, "%d is too large", i)
	}
	to.SetInt(i)
	return nil
}

// table reads into a struct. Fields that the table leaves out keep their value.
func (c *Codec) table(key []string, from any, to reflect.Value) error {
	m, ok := from.(map[string]any)
	if !ok {
		return Wrong(key, "a table", from)
	}
	fields := fieldsOf(to.Type())
	for _, name := range slices.Sorted(maps.Keys(m)) {
		at := Sub(key, name)
		i := slices.IndexFunc(fields, func(f field) bool { return f.key == name })
		if i < 0 {
			known := make([]string, len(fields))
			for i, f := range fields {
				known[i] = f.key
			}
			return Errorf(at, "unknown key%s", nearest.Hint(name, known))
		}
		if err := c.read(at, m[name], to.Field(fields[i].index)); err != nil {
			return err
		}
	}
	return nil
}

// byName reads into a map.
func (c *Codec) byName(key []string, from any, to reflect.Value) error {
	m, ok := from.(map[string]any)
	if !ok {
		return Wrong(key, "a table", from)
	}
	if to.Type().Key() != reflect.TypeFor[string]() {
		return unfit(key, to)
	}
	to.Set(reflect.MakeMap(to.Type()))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		v := reflect.New(to.Type().Elem())
		setDefaults(v)
		if err := c.read(Sub(key, name), m[name], v.Elem()); err != nil {
			return err
		}
		to.SetMapIndex(reflect.ValueOf(name), v.Elem())
	}
	return nil
}

func (c *Codec) list(key []string, from any, to reflect.Value) error {
	all, ok := from.([]any)
	if !ok {
		return Wrong(key, "a list in brackets", from)
	}
	to.Set(reflect.MakeSlice(to.Type(), len(all), len(all)))
	for i, v := range all {
		setDefaults(to.Index(i).Addr())
		if err := c.read(key, v, to.Index(i)); err != nil {
			return err
		}
	}
	return nil
}
