package policytest

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/cockroachdb/datadriven"

	"lbsim/options"
	"lbsim/policies"
)

// build makes a balancer.
func (s *Script) build(args []datadriven.CmdArg) {
	seed, health := uint64(1), false
	s.kind = ""
	var rest []datadriven.CmdArg
	for _, a := range args {
		switch a.Key {
		case "policy":
			s.kind = value(a)
		case "seed":
			seed = uint64(number(value(a)))
		case "health":
			health = value(a) == "true"
		case "child":
			rest = append(rest, datadriven.CmdArg{Key: a.Key, Vals: []string{`"` + value(a) + `"`}})
		default:
			rest = append(rest, a)
		}
	}
	prototype, known := s.catalog[s.kind]
	if !known {
		refuse("policy=NAME must be one of %s", strings.Join(s.catalog.Names(), ", "))
	}
	s.policy = s.read(prototype, rest)
	s.host, s.open, s.list = NewHost(s.policy, seed), nil, nil
	s.host.Health = health
}

// configure brings the balancer other options.
func (s *Script) configure(args []datadriven.CmdArg) error {
	s.policy = s.read(s.policy, args)
	return s.host.Update(policies.State{Endpoints: s.list, Policy: s.policy})
}

// update brings a list, with new options over the defaults if some follow.
func (s *Script) update(list []*policies.Endpoint) error {
	state := policies.State{Endpoints: list}
	if s.input != "" {
		state.Policy = s.read(s.catalog[s.kind], nil)
	}
	return s.host.Update(state)
}

// read returns a policy with the options of a line, and those of the lines that follow, over its
// own.
func (s *Script) read(p policies.Policy, args []datadriven.CmdArg) policies.Policy {
	var text strings.Builder
	for _, a := range args {
		fmt.Fprintf(&text, "%s = %s\n", a.Key, value(a))
	}
	text.WriteString(s.input)
	var tree map[string]any
	if _, err := toml.Decode(text.String(), &tree); err != nil {
		refuse("%v", err)
	}
	v := reflect.New(reflect.TypeOf(p)).Elem()
	v.Set(reflect.ValueOf(p))
	for key, field := range options.Each(v) {
		if tree[key] == "none" && field.Kind() == reflect.Pointer {
			field.SetZero()
			delete(tree, key)
		}
	}
	if err := s.codec.Read([]string{s.kind}, tree, v.Addr().Interface()); err != nil {
		refuse("%v", err)
	}
	p = v.Interface().(policies.Policy)
	if c, ok := p.(policies.Checker); ok {
		if err := c.Check(); err != nil {
			refuse("%v", err)
		}
	}
	return p
}

func (s *Script) endpoints(args []datadriven.CmdArg) []*policies.Endpoint {
	var es []*policies.Endpoint
	for _, a := range args {
		es = append(es, s.endpoint(a))
	}
	return es
}

// attributes set what the list of an endpoint has besides addresses.
var attributes = map[string]func(e *policies.Endpoint, value string){
	"path":        func(e *policies.Endpoint, v string) { e.Path = strings.Split(v, "/") },
	"zone":        func(e *policies.Endpoint, v string) { e.Locality = v },
	"zone_weight": func(e *policies.Endpoint, v string) { e.LocalityWeight = uint32(number(v)) },
	"weight":      func(e *policies.Endpoint, v string) { e.Weight = uint32(number(v)) },
}

// endpoint reads an endpoint of "resolve": a list of addresses and of attributes, which are words
// with a colon. Where the list has no address its name is the address.
func (s *Script) endpoint(arg datadriven.CmdArg) *policies.Endpoint {
	isAttribute := func(v string) bool { return strings.Contains(v, ":") }
	addresses := slices.DeleteFunc(slices.Clone(arg.Vals), func(v string) bool {
		return v == "" || isAttribute(v)
	})
	placed := slices.ContainsFunc(arg.Vals, isAttribute)
	if len(addresses) == 0 && (arg.Vals == nil || placed) {
		addresses = []string{arg.Key}
	}
	weight := ""
	if arg.Vals == nil {
		addresses[0], weight, _ = strings.Cut(addresses[0], "*")
	}
	e := s.host.Endpoint(addresses...)
	if weight != "" {
		e.Weight = uint32(number(weight))
	}
	if placed {
		e.Path, e.Locality, e.LocalityWeight = nil, "", 0
	}
	for _, v := range arg.Vals {
		if !isAttribute(v) {
			continue
		}
		name, value, _ := strings.Cut(v, ":")
		set := attributes[name]
		if set == nil {
			refuse("unknown attribute %s (have %s)", name,
				strings.Join(slices.Sorted(maps.Keys(attributes)), ", "))
		}
		set(e, value)
	}
	return e
}
