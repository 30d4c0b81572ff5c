package serviceconfig

import (
	"fmt"
	"reflect"

	"lbsim/policies"
)

// named puts the members of n into a map by their names. Of two with one name the last counts,
// whole.
func (r *reader) named(path string, n node, v reflect.Value) {
	if n.isNull() {
		v.SetZero()
		r.leaf(path, n, "")
		return
	}
	r.noteContainer(path, n)
	if !n.isObject() {
		r.refuse(path, fmt.Sprintf("must be an object (is %s)", n))
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, m := range n.members() {
		element := reflect.New(v.Type().Elem())
		setDefaults(element)
		r.value(join(path, pathName(m.key)), m.value, element.Elem())
		v.SetMapIndex(reflect.ValueOf(m.key), element.Elem())
	}
}

// setDefaults fills in what p points to with what it is where a config does not say.
func setDefaults(p reflect.Value) {
	if d, ok := p.Interface().(policies.Defaulter); ok {
		d.SetDefaults()
	}
}
