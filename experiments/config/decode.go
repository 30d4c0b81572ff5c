package config

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"lbsim/internal/nearest"
	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/policies"
)

// decoder fills structs from the tree of a TOML file, by their toml tags. Where the TOML package
// would do (it reads the syntax), it says neither which key is wrong in a program's words nor which
// there are, and takes negative numbers for unsigned ones.
type decoder struct {
	open  func(name string) ([]byte, error) // for data files
	kinds Kinds
	made  *memo
}

// decoder returns one for another point.
func (s *source) decoder() *decoder {
	s.made.next()
	return &decoder{open: s.open, kinds: s.kinds, made: &s.made}
}

var (
	distribution = reflect.TypeFor[dist.Distribution]()
	duration     = reflect.TypeFor[time.Duration]()
	keys         = reflect.TypeFor[models.Keys]()
	txtRecord    = reflect.TypeFor[models.TXT]()
)

// decode stores what stands under a key.
func (d *decoder) decode(key []string, from any, to reflect.Value) error {
	if to.Type() == distribution {
		text, ok := from.(string)
		if !ok {
			return wrong(key, "a distribution, such as \"exp(mean=10ms)\" or \"10ms\"", from)
		}
		v, err := d.made.get("distribution "+text, func() (any, error) {
			return dist.Parser{Kinds: d.kinds.Distributions, Open: d.open}.Parse(text)
		})
		if err != nil {
			return &keyError{key, err}
		}
		to.Set(reflect.ValueOf(v))
		return nil
	}
	if to.Type() == txtRecord {
		return d.txt(key, from, to)
	}
	if to.Type() == duration { // an option of a policy
		to = reflect.ValueOf((*models.Duration)(to.Addr().Interface().(*time.Duration))).Elem()
	}
	if text, is := from.(string); is && to.Type() == keys {
		return d.keys(key, text, to)
	}
	if u, ok := to.Addr().Interface().(encoding.TextUnmarshaler); ok {
		switch from.(type) {
		case string, int64, float64, bool:
			if err := u.UnmarshalText([]byte(fmt.Sprint(from))); err != nil {
				return &keyError{key, err}
			}
			return nil
		}
		return wrong(key, "a text", from)
	}
	return d.plain(key, from, to)
}

// keys decodes the keys of RPCs, which may have a table.
func (d *decoder) keys(key []string, text string, to reflect.Value) error {
	v, err := d.made.get("keys "+text, func() (any, error) {
		var k models.Keys
		err := k.UnmarshalText([]byte(text))
		return k, err
	})
	if err != nil {
		return &keyError{key, err}
	}
	to.Set(reflect.ValueOf(v))
	return nil
}

// plain decodes what has no text form of its own.
func (d *decoder) plain(key []string, from any, to reflect.Value) error {
	switch to.Kind() {
	case reflect.Interface:
		if to.Type() == policyType {
			return d.policy(key, from, to)
		}
		to.Set(reflect.ValueOf(from))
	case reflect.Pointer:
		v := reflect.New(to.Type().Elem())
		policies.SetDefaults(v.Interface())
		to.Set(v)
		return d.decode(key, from, v.Elem())
	case reflect.Struct:
		return d.table(key, from, to)
	case reflect.Map:
		return d.tables(key, from, to)
	case reflect.Slice:
		return d.list(key, from, to)
	case reflect.String:
		s, ok := from.(string)
		if !ok {
			return wrong(key, "a text in quotes", from)
		}
		to.SetString(s)
	case reflect.Bool:
		b, ok := from.(bool)
		if !ok {
			return wrong(key, "true or false", from)
		}
		to.SetBool(b)
	case reflect.Float64:
		f, ok := from.(float64)
		if i, isInt := from.(int64); isInt {
			f, ok = float64(i), true
		}
		if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
			return wrong(key, "a number, such as 1.5", from)
		}
		to.SetFloat(f)
	default:
		return d.integer(key, from, to)
	}
	return nil
}

func (d *decoder) integer(key []string, from any, to reflect.Value) error {
	i, ok := from.(int64)
	if !ok {
		return wrong(key, "a whole number", from)
	}
	if to.CanUint() {
		if i < 0 || to.OverflowUint(uint64(i)) {
			return &keyError{key, fmt.Errorf("must be a whole number from 0 on (is %d)", i)}
		}
		to.SetUint(uint64(i))
		return nil
	}
	if to.OverflowInt(i) {
		return &keyError{key, fmt.Errorf("%d is too large", i)}
	}
	to.SetInt(i)
	return nil
}

// table decodes into a struct. Fields that the file leaves out keep their value.
func (d *decoder) table(key []string, from any, to reflect.Value) error {
	m, ok := from.(map[string]any)
	if !ok {
		return wrong(key, "a table", from)
	}
	known := OptionNames(to.Type())
	for _, name := range sortedKeys(m) {
		at := sub(key, name)
		i := slices.Index(known, name)
		if i < 0 {
			return &keyError{at, errors.New("unknown key" + nearest.Hint(name, known))}
		}
		if err := d.decode(at, m[name], to.Field(i)); err != nil {
			return err
		}
	}
	return nil
}

// tables decodes into a map by name.
func (d *decoder) tables(key []string, from any, to reflect.Value) error {
	m, ok := from.(map[string]any)
	if !ok {
		return wrong(key, "a table", from)
	}
	to.Set(reflect.MakeMap(to.Type()))
	for _, name := range sortedKeys(m) {
		v := reflect.New(to.Type().Elem()).Elem()
		policies.SetDefaults(v.Addr().Interface())
		if err := d.decode(sub(key, name), m[name], v); err != nil {
			return err
		}
		to.SetMapIndex(reflect.ValueOf(name), v)
	}
	return nil
}

func (d *decoder) list(key []string, from any, to reflect.Value) error {
	all, ok := from.([]any)
	if !ok {
		return wrong(key, "a list in brackets", from)
	}
	to.Set(reflect.MakeSlice(to.Type(), len(all), len(all)))
	for i, v := range all {
		policies.SetDefaults(to.Index(i).Addr().Interface())
		if err := d.decode(key, v, to.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// kind decodes a table whose kind is one of a catalog: a copy of the prototype, options filled in.
// Where the table names no kind, its own name is the kind.
func kind[T any](d *decoder, key []string, from any, catalog map[string]T) (T, string, error) {
	var none T
	m, ok := from.(map[string]any)
	if !ok {
		return none, "", wrong(key, "a table", from)
	}
	name := key[len(key)-1]
	at := key
	if v, has := m["kind"]; has {
		at = sub(key, "kind")
		if name, ok = v.(string); !ok {
			return none, "", wrong(at, "a text in quotes", v)
		}
	}
	prototype, known := catalog[name]
	if !known {
		hint := nearest.Hint(name, sortedKeys(catalog))
		return none, "", &keyError{at, fmt.Errorf("unknown kind %q%s", name, hint)}
	}
	options := make(map[string]any)
	for k, v := range m {
		if k != "kind" {
			options[k] = v
		}
	}
	v := reflect.New(reflect.TypeOf(prototype)).Elem()
	v.Set(reflect.ValueOf(prototype))
	if err := d.table(key, options, v); err != nil {
		return none, "", err
	}
	return v.Interface().(T), name, nil
}

// wrong says that a value is of another sort than is wanted.
func wrong(key []string, want string, got any) error {
	is := fmt.Sprintf("%v", got)
	switch v := got.(type) {
	case string:
		is = fmt.Sprintf("the text %q", v)
	case map[string]any:
		is = "a table"
	case []map[string]any:
		is = "a list of tables; name them [" + strings.Join(key, ".") + ".NAME]"
	case []any:
		is = "a list"
	}
	return &keyError{key, fmt.Errorf("must be %s (is %s)", want, is)}
}

// OptionNames returns the toml names of a struct's fields, in order; "" for one that is no option.
// Fields that are not exported come last, and are left out.
func OptionNames(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			names = append(names, t.Field(i).Tag.Get("toml"))
		}
	}
	return names
}

func sub(key []string, name string) []string { return append(slices.Clone(key), name) }
