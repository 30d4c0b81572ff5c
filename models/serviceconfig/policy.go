package serviceconfig

import (
	"fmt"
	"reflect"

	"lbsim/policies"
)

// registration is a policy of grpc-go v1.85.0.
type registration struct {
	name     string // in a service config, case-sensitive
	ours     string // in the catalog
	options  bool   // grpc-go reads its options
	rewrites bool   // it writes the options of its child anew
}

// registered are all policies that some package of grpc-go registers, by name.
var registered = []registration{
	{"autosharding_experimental", "autosharding", true, false},
	{"cds_experimental", "cds", true, false},
	{"grpclb", "grpclb", true, false},
	{"least_request_experimental", "least_request", true, false},
	{"outlier_detection_experimental", "outlier_detection", true, false},
	{"pick_first", "pick_first", true, false},
	{"priority_experimental", "priority", true, false},
	{"random_subsetting_experimental", "random_subsetting", true, true},
	{"ring_hash_experimental", "ring_hash", true, false},
	{"rls_experimental", "rls", true, false},
	{"round_robin", "round_robin", false, false},
	{"weighted_round_robin", "weighted_round_robin", true, false},
	{"weighted_target_experimental", "weighted_target", true, false},
	{"xds_cluster_impl_experimental", "cluster_impl", true, true},
	{"xds_cluster_manager_experimental", "xds_cluster_manager", true, false},
	{"xds_wrr_locality_experimental", "wrr_locality", true, true},
}

const defaultPolicy = "pick_first"

// maxNesting is how deep policies may be nested. grpc-go has no limit of its own.
const maxNesting = 100

func registrationOf(name string) (registration, bool) {
	for _, g := range registered {
		if g.name == name {
			return g, true
		}
	}
	return registration{}, false
}

// registration finds a policy by its name: one of grpc-go, or one that the program has registered
// in addition, which the catalog has under the name of a real one.
func (r *reader) registration(name string) (registration, bool) {
	if g, ok := registrationOf(name); ok {
		return g, true
	}
	ours := "grpc:" + name
	_, ok := r.known(ours)
	return registration{name: name, ours: ours, options: true}, ok
}

// optionsReader is a policy that reads its options itself, from text.
type optionsReader interface {
	// ReadOptions returns the policy with these options, in JSON. They are rewritten where the
	// parent of the policy writes them anew.
	ReadOptions(json string, rewritten bool) (policies.Policy, error)
}

// notRegistered returns the message that grpc-go has no policy of a name, with the name that may be
// meant.
func notRegistered(name string) string {
	var names []string
	for _, g := range registered {
		if g.ours == name {
			return fmt.Sprintf("grpc-go knows no policy %s, it has %s", name, g.name)
		}
		names = append(names, g.name)
	}
	return fmt.Sprintf("grpc-go knows no policy %s", quote(name)) + didYouMean(name, names)
}

// choosePolicy returns the policy of a config and the name that grpc-go has for it.
func (r *reader) choosePolicy(d *document) (policies.Policy, string) {
	const list, single = "loadBalancingConfig", "loadBalancingPolicy"
	if d.LoadBalancingConfig != nil {
		if d.LoadBalancingPolicy != nil {
			r.remark(single, NoEffect, "the "+list+" beside it counts")
		}
		r.hide(list)
		return r.policies(list, *d.LoadBalancingConfig)
	}
	path, name := "", defaultPolicy
	if d.LoadBalancingPolicy != nil {
		path = single
		if _, ok := r.registration(*d.LoadBalancingPolicy); ok {
			name = *d.LoadBalancingPolicy
		} else {
			r.remark(path, NoEffect, notRegistered(*d.LoadBalancingPolicy)+
				"; it takes "+defaultPolicy+" and does not say so")
		}
	}
	g, _ := r.registration(name)
	prototype := r.prototype(path, g)
	r.check(path, prototype)
	return prototype, name
}

// policies reads a list of policies. The first one that grpc-go knows counts. Later ones are
// ignored, but each must be an object.
func (r *reader) policies(path string, n node) (policies.Policy, string) {
	r.noteContainer(path, n)
	if !n.isList() {
		r.refuse(path, fmt.Sprintf("must be a list of policies (is %s)", n))
		return nil, ""
	}
	items, before := n.items(), r.refusals
	for i, item := range items {
		if r.refusals-before >= maxRefusals {
			return nil, ""
		}
		if !item.isObject() && !item.isNull() {
			r.refuse(fmt.Sprintf("%s[%d]", path, i), fmt.Sprintf("must be an object (is %s)", item))
		}
	}
	if r.refusals > before {
		return nil, ""
	}
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", path, i)
		name, options, ok := onlyMember(item)
		if !ok {
			r.refuse(at, "must have one member, the name of a policy")
			return nil, ""
		}
		g, ok := r.registration(name)
		if !ok {
			r.note(at+"."+pathName(name), item, NoEffect, notRegistered(name)+"; it is passed over")
			continue
		}
		for j, other := range items[i+1:] {
			r.note(fmt.Sprintf("%s[%d]", path, i+1+j), other, NoEffect,
				"grpc-go takes the first policy of the list that it knows")
		}
		return r.policy(at+"."+name, options, g), name
	}
	r.refuse(path, "names no policy that grpc-go knows")
	return nil, ""
}

// onlyMember returns the one name in an object and its last value.
func onlyMember(n node) (key string, value node, ok bool) {
	if !n.isObject() || n.isEmpty() {
		return "", node{}, false
	}
	all := n.members()
	for _, m := range all {
		if m.key != all[0].key {
			return "", node{}, false
		}
	}
	last := all[len(all)-1]
	return last.key, last.value, true
}

// policy returns a policy with its options, or nil.
func (r *reader) policy(path string, options node, g registration) policies.Policy {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxNesting {
		r.refuseValid(path, fmt.Sprintf("policies may be nested %d deep here", maxNesting))
		return nil
	}
	prototype := r.prototype(path, g)
	switch {
	case prototype == nil:
		return nil
	case !g.options:
		r.note(path, options, Simulated, "")
		if !options.isEmpty() {
			r.add(path, "grpc-go does not read its options")
		}
		return prototype
	case options.isNull():
		r.note(path, options, Simulated, "null is as good as {}")
	}
	if own, ok := prototype.(optionsReader); ok {
		r.leaf(path, options, "")
		p, err := own.ReadOptions(string(options.text), r.writer != "")
		if err != nil {
			r.refuse(path, err.Error())
			return nil
		}
		return p
	}
	v := reflect.New(reflect.TypeOf(prototype)).Elem()
	v.Set(reflect.ValueOf(prototype))
	detach(v)
	by := r.writer
	if g.rewrites {
		r.writer = g.name
	}
	if !options.isNull() {
		r.value(path, options, v)
	}
	r.writer = by
	r.check(path, v.Interface().(policies.Policy))
	if by != "" {
		r.leaveOutZeros(path, by, v, reflect.ValueOf(prototype))
	}
	return v.Interface().(policies.Policy)
}

// prototype returns a policy with its defaults, or nil if lbsim does not simulate it.
func (r *reader) prototype(path string, g registration) policies.Policy {
	if p, ok := r.known(g.ours); ok {
		return p
	}
	r.refuseValid(path, fmt.Sprintf("grpc-go would run %s, which lbsim does not simulate", g.name))
	return nil
}

// check refuses options that do not pass the check of the policy.
func (r *reader) check(path string, p policies.Policy) {
	c, ok := p.(policies.Checker)
	if !ok {
		return
	}
	if err := c.Check(); err != nil {
		option, reason := optionNamed(reflect.TypeOf(p), err.Error())
		if option != "" {
			path = join(path, option)
		}
		if _, ok := err.(policies.Unworkable); ok {
			r.refuseValid(path, reason+"; grpc-go takes it, and its channel panics or hangs")
			return
		}
		r.refuse(path, reason)
	}
}

// detach copies everything that v points to, so that reading options does not change a prototype.
func detach(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			own := reflect.New(v.Type().Elem())
			own.Elem().Set(v.Elem())
			v.Set(own)
			detach(own.Elem())
		}
	case reflect.Slice:
		own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(own, v)
		if !v.IsNil() {
			v.Set(own)
		}
		for i := range v.Len() {
			detach(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				detach(v.Field(i))
			}
		}
	}
}
