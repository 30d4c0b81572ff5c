package serviceconfig

import (
	"fmt"
	"reflect"

	"lbsim/policies"
)

// Some policies of grpc-go do not give their child the options as read, but write them as JSON and
// let the child read that. Options that are 0 are left out then, and so become the default. This
// holds for all policies inside of such a child.
//
// Source: grpc-go v1.85.0, UpdateClientConnState of randomsubsetting, wrrlocality and clusterimpl.

// leaveOutZeros gives options of a policy that are 0 their defaults. by is the parent that writes
// them.
func (r *reader) leaveOutZeros(path, by string, v, defaults reflect.Value) {
	for i := range v.NumField() {
		tag := v.Type().Field(i)
		name, f, d := jsonName(tag), v.Field(i), defaults.Field(i)
		if name == "" {
			continue
		}
		at := join(path, name)
		if f.Kind() == reflect.Pointer && !f.IsNil() {
			part := reflect.New(f.Type().Elem())
			policies.SetDefaults(part.Interface())
			r.leaveOutZeros(at, by, f.Elem(), part.Elem())
			continue
		}
		if !f.IsZero() || d.IsZero() || tag.Tag.Get("zero") != "" {
			continue
		}
		f.Set(d)
		r.add(at, fmt.Sprintf("becomes the default, %v: grpc-go's %s writes the config of its "+
			"child anew and leaves zeros out", d, by))
	}
}
