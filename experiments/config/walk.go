package config

import (
	"cmp"
	"reflect"
	"slices"

	"lbsim/policies"
)

// WalkPolicies calls f about a policy and all policies inside it, the outermost first.
func WalkPolicies(p policies.Policy, f func(policies.Policy)) {
	if p == nil {
		return
	}
	f(p)
	walkOptions(reflect.ValueOf(p), f)
}

// walkOptions calls f about the policies among options.
func walkOptions(v reflect.Value, f func(policies.Policy)) {
	switch v.Kind() {
	case reflect.Interface:
		if p, is := v.Interface().(policies.Policy); is && !v.IsNil() {
			WalkPolicies(p, f)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			walkOptions(v.Elem(), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walkOptions(v.Field(i), f)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			walkOptions(v.Index(i), f)
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int {
			return cmp.Compare(a.String(), b.String())
		})
		for _, k := range keys {
			walkOptions(v.MapIndex(k), f)
		}
	}
}
