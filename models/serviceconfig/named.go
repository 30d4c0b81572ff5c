package serviceconfig

import (
	"reflect"

	"lbsim/policies"
)

// named stores the members of n in a map by their names. Of two with one name the last counts, as a
// whole.
func (r *reader) named(path string, n node, v reflect.Value) {
	if n.isNull() {
		v.SetZero()
		r.leaf(path, n, "")
		return
	}
	if !r.opens(path, n) {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, m := range n.members() {
		element := reflect.New(v.Type().Elem())
		policies.SetDefaults(element.Interface())
		r.value(join(path, pathName(m.key)), m.value, element.Elem())
		v.SetMapIndex(reflect.ValueOf(m.key), element.Elem())
	}
}
