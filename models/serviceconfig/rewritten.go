package serviceconfig

import (
	"fmt"
	"reflect"

	"lbsim/policies"
)

// Some policies of grpc-go do not hand their child the options that were read, but write these as
// JSON and have the child read that. What is 0 then is left out, and so becomes the default. All
// that stands inside such a child is written with it.
//
// Source: grpc-go v1.85.0, UpdateClientConnState of randomsubsetting, wrrlocality and clusterimpl.

// leaveOutZeros gives options of a policy that are 0 the defaults that they have then. by is whose
// child it is inside.
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
