package serviceconfig

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"lbsim/policies"
)

// reader stores the values of a text where encoding/json would store them for grpc-go, and records
// each field. It treats duplicate names, null and names in another case as encoding/json does,
// because that is part of how grpc-go reads a config.
type reader struct {
	known    func(name string) (policies.Policy, bool)
	findings []finding
	places   map[string]int // by path: the last finding about it

	idle     string // why the field being read has no effect; "" if it has one
	quiet    bool   // inside of a list that is one field
	beyond   bool   // inside of a part that grpc-go does not read
	depth    int    // of policies in policies
	writer   string // the parent policy that writes the options of its child anew; "" for none
	refusals int
}

// maxText is how many bytes a text may have. grpc-go has no limit.
const maxText = 1 << 20

// root returns the text as a value, if it is one.
func (r *reader) root(text []byte) (node, bool) {
	var raw json.RawMessage
	switch err := json.Unmarshal(text, &raw); {
	case len(text) == 0:
		r.refuse("", "no service config (the text is empty)")
	case len(text) > maxText:
		r.refuseValid("", fmt.Sprintf("a service config has at most %d bytes here (has %d)",
			maxText, len(text)))
	case err != nil:
		where := "at its end"
		if s, ok := err.(*json.SyntaxError); ok && s.Offset <= int64(len(text)) {
			where = "at " + whereIn(text, int(s.Offset)-1)
		}
		r.refuse("", "not JSON "+where+": "+err.Error())
	default:
		return newNode(text), true
	}
	return node{}, false
}

// value stores n in v, which must be settable. A value of the wrong kind is refused and leaves v as
// it is.
func (r *reader) value(path string, n node, v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		if n.isNull() {
			v.SetZero()
			r.leaf(path, n, "")
			return
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		policies.SetDefaults(v.Interface()) // also of a part that is given again
		r.value(path, n, v.Elem())
		return
	}
	switch to := v.Addr().Interface().(type) {
	case *node:
		*to = n
		r.leaf(path, n, "")
	case *time.Duration:
		r.leaf(path, n, readDuration(n, to))
	case *policies.Code:
		r.leaf(path, n, readCode(n, to))
	case *policies.Policy:
		if n.isNull() {
			*to = nil
			r.leaf(path, n, "")
			return
		}
		*to = refusedPolicy{}
		if policy, _ := r.policies(path, n); policy != nil {
			*to = policy
		}
	case json.Unmarshaler:
		r.leaf(path, n, unmarshal(n, to))
	default:
		switch v.Kind() {
		case reflect.Struct:
			r.object(path, n, v)
		case reflect.Slice:
			r.list(path, n, v)
		case reflect.Map:
			r.named(path, n, v)
		default:
			r.leaf(path, n, scalar(n, v))
		}
	}
}

// refusedPolicy stands for a child policy that was refused, so that it does not count as missing.
type refusedPolicy struct{ policies.Policy }

// leaf records a value that is a field by itself; wrong is why it is refused, or "".
func (r *reader) leaf(path string, n node, wrong string) {
	switch {
	case r.quiet:
	case n.isNull():
		r.note(path, n, NoEffect, "null is as good as absent")
	case r.idle != "":
		r.note(path, n, NoEffect, r.idle)
	default:
		r.note(path, n, Simulated, "")
	}
	if wrong != "" {
		r.refuse(path, wrong)
	}
}

// opens notes an object before its members, and reports whether it is one.
func (r *reader) opens(path string, n node) bool {
	r.noteContainer(path, n)
	if !n.isObject() {
		r.refuse(path, fmt.Sprintf("must be an object (is %s)", n))
	}
	return n.isObject()
}

// object stores the members of n in the fields of v.
func (r *reader) object(path string, n node, v reflect.Value) {
	if n.isNull() {
		r.leaf(path, n, "")
		return
	}
	if !r.opens(path, n) {
		return
	}
	if r.idle != "" && n.isEmpty() {
		r.remark(path, NoEffect, r.idle)
	}
	idle, seen := r.idle, make([]bool, v.NumField())
	for _, m := range n.members() {
		i, name := fieldNamed(v.Type(), m.key)
		if i < 0 {
			r.note(join(path, pathName(m.key)), m.value, NoEffect, unknownField(v.Type(), m.key))
			continue
		}
		if why := v.Type().Field(i).Tag.Get("idle"); why != "" {
			r.idle = why
		}
		at := join(path, name)
		r.value(at, m.value, v.Field(i))
		r.idle = idle
		switch {
		case seen[i]:
			r.add(at, "given again: grpc-go lays it over the one before")
		case m.key != name:
			r.add(at, fmt.Sprintf("written %s: grpc-go takes any case, other languages only %s",
				quote(m.key), name))
		}
		seen[i] = true
	}
}

// add adds a reason to the finding about a field, unless it is refused already.
func (r *reader) add(path, reason string) {
	i, ok := r.places[path]
	if !ok || r.quiet || r.findings[i].Verdict == Refused {
		return
	}
	f := &r.findings[i]
	if f.Reason != "" {
		reason = f.Reason + "; " + reason
	}
	f.Reason, f.hidden = reason, false
}

// list stores the items of n in the elements of v. As in encoding/json an element that an earlier
// list of the same name had is not cleared first.
func (r *reader) list(path string, n node, v reflect.Value) {
	if n.isNull() {
		v.SetZero()
		r.leaf(path, n, "")
		return
	}
	quiet := r.quiet
	defer func() { r.quiet = quiet }()
	if element := v.Type().Elem(); element.Kind() == reflect.Struct && element != nameType {
		r.noteContainer(path, n)
	} else {
		r.leaf(path, n, "")
		r.quiet = true
	}
	if !n.isList() {
		r.refuse(path, fmt.Sprintf("must be a list (is %s)", n))
		return
	}
	items, before := n.items(), r.refusals
	for i, item := range items {
		if r.refusals-before >= maxRefusals {
			return
		}
		if i >= v.Cap() {
			v.Grow(1)
		}
		if i >= v.Len() {
			v.SetLen(i + 1)
		}
		mark := len(r.findings)
		r.value(fmt.Sprintf("%s[%d]", path, i), item, v.Index(i))
		if e, ok := v.Index(i).Addr().Interface().(*entry); ok && e.Name == nil {
			r.skip(r.findings[mark:], "the entry has no name, so grpc-go skips it")
		}
	}
	if len(items) == 0 {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	v.SetLen(len(items))
}

// skip records for fields that their entry is for no method, and why.
func (r *reader) skip(fields []finding, why string) {
	for i := range fields {
		if f := &fields[i]; f.Verdict == Simulated {
			f.Verdict, f.Reason = NoEffect, why
		}
	}
}

// scalar stores a plain value in v by the rules of encoding/json. It returns what the value must
// be, or "".
func scalar(n node, v reflect.Value) (wrong string) {
	if json.Unmarshal(n.text, v.Addr().Interface()) == nil {
		return ""
	}
	what := "of another kind"
	switch {
	case v.Kind() == reflect.Bool:
		what = "true or false"
	case v.Kind() == reflect.String:
		what = "text in quotes"
	case v.CanInt():
		what = "a whole number without point, exponent and quotes"
	case v.CanUint():
		what = fmt.Sprintf("a whole number of 0 to %d, without point, exponent and quotes",
			^uint64(0)>>(64-v.Type().Bits()))
	case v.CanFloat():
		what = "a number"
	}
	return fmt.Sprintf("must be %s (is %s)", what, n)
}

// unmarshal lets a type read itself and returns its error in one line, or "".
func unmarshal(n node, to json.Unmarshaler) (wrong string) {
	if err := to.UnmarshalJSON(n.text); err != nil {
		return strings.Join(strings.Fields(err.Error()), " ")
	}
	return ""
}
