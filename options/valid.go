package options

import (
	"encoding"
	"math"
	"reflect"
	"time"
)

// Valid returns a [KeyError] if a value, or one inside it, is none that a file can give: a number
// that is not finite, a length of time that is negative, a value whose text does not read back, or
// one for which its method Check() error returns an error.
func Valid(key []string, v any) error { return valid(key, reflect.ValueOf(v)) }

func valid(key []string, v reflect.Value) error {
	if !v.IsValid() || isNil(v) {
		return nil
	}
	switch t := v.Interface().(type) {
	case interface{ Check() error }:
		if err := t.Check(); err != nil {
			return Under(key, err)
		}
	case time.Duration:
		if t < 0 {
			return Errorf(key, "must not be negative (is %v)", t)
		}
		return nil
	case encoding.TextMarshaler:
		return readsBack(key, v.Type(), t)
	}
	switch v.Kind() {
	case reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return Errorf(key, "must be a finite number (is %v)", f)
		}
	case reflect.Pointer, reflect.Interface:
		return valid(key, v.Elem())
	case reflect.Struct:
		for _, f := range fieldsOf(v.Type()) {
			if !f.written(v.Field(f.index)) {
				continue
			}
			if err := valid(Sub(key, f.key), v.Field(f.index)); err != nil {
				return err
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := valid(key, v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		for _, k := range keysOf(v) {
			if err := valid(Sub(key, k.String()), v.MapIndex(k)); err != nil {
				return err
			}
		}
	}
	return nil
}

func isNil(v reflect.Value) bool {
	return (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil()
}

// readsBack checks that the text of a value is one of its type.
func readsBack(key []string, t reflect.Type, v encoding.TextMarshaler) error {
	u, is := reflect.New(t).Interface().(encoding.TextUnmarshaler)
	if !is {
		return nil
	}
	text, err := v.MarshalText()
	if err == nil {
		err = u.UnmarshalText(text)
	}
	if err != nil {
		return &KeyError{key, err}
	}
	return nil
}

// Walk calls f with each value of type T inside v, and with v itself if it is one, the outermost
// first. The key of a value is key with the names of the options on the way to it.
func Walk[T any](key []string, v any, f func(key []string, v T)) {
	walk(key, reflect.ValueOf(v), f)
}

func walk[T any](key []string, v reflect.Value, f func(key []string, v T)) {
	if !v.IsValid() || isNil(v) {
		return
	}
	if v.Kind() == reflect.Interface {
		walk(key, v.Elem(), f)
		return
	}
	if t, is := v.Interface().(T); is {
		f(key, t)
	}
	switch v.Kind() {
	case reflect.Pointer:
		walk(key, v.Elem(), f)
	case reflect.Struct:
		for name, field := range Each(v) {
			walk(Sub(key, name), field, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(key, v.Index(i), f)
		}
	case reflect.Map:
		for _, k := range keysOf(v) {
			walk(Sub(key, k.String()), v.MapIndex(k), f)
		}
	}
}
