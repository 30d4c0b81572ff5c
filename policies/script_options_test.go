package policies

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/cockroachdb/datadriven"
)

// endpoint reads an endpoint of "resolve": a list of addresses and of attributes, which are words
// with a colon. Where the list has no address its name is the address.
func (s *script) endpoint(arg datadriven.CmdArg) *Endpoint {
	isAttribute := func(v string) bool { return strings.Contains(v, ":") }
	addresses := slices.DeleteFunc(slices.Clone(arg.Vals), func(v string) bool {
		return v == "" || isAttribute(v)
	})
	if len(addresses) == 0 && (arg.Vals == nil || slices.ContainsFunc(arg.Vals, isAttribute)) {
		addresses = []string{arg.Key}
	}
	weight := ""
	if arg.Vals == nil {
		addresses[0], weight, _ = strings.Cut(addresses[0], "*")
	}
	e := s.h.endpoint(addresses...)
	if weight != "" {
		e.Weight = uint32(number(weight))
	}
	if slices.ContainsFunc(arg.Vals, isAttribute) {
		e.Path, e.Locality, e.LocalityWeight = nil, "", 0
	}
	for _, v := range arg.Vals {
		switch name, value, _ := strings.Cut(v, ":"); {
		case !isAttribute(v):
		case name == "path":
			e.Path = strings.Split(value, "/")
		case name == "zone":
			e.Locality = value
		case name == "zone_weight":
			e.LocalityWeight = uint32(number(value))
		case name == "weight":
			e.Weight = uint32(number(value))
		default:
			panic("unknown attribute " + name)
		}
	}
	return e
}

// setOptions reads options of the script's policy.
func (s *script) setOptions(args []datadriven.CmdArg) {
	var text bytes.Buffer
	for _, a := range args {
		fmt.Fprintf(&text, "%s = %s\n", a.Key, a.Vals[0])
	}
	meta, err := toml.NewDecoder(&text).Decode(s.policy.Interface())
	if err != nil || len(meta.Undecoded()) > 0 {
		panic(fmt.Sprint("options: ", err, meta.Undecoded()))
	}
}

// configure brings the balancer other options.
func (s *script) configure(args []datadriven.CmdArg) error {
	s.setOptions(args)
	s.readOptions(s.policy.Elem())
	p := s.policy.Elem().Interface().(Policy)
	err := s.h.b.Update(State{Endpoints: s.list, Policy: p})
	s.h.settle()
	return err
}

// update brings a list, with new options if some follow.
func (s *script) update(list []*Endpoint) error {
	state := State{Endpoints: list}
	if s.input != "" {
		v := reflect.New(reflect.TypeOf(s.h.policy)).Elem()
		v.Set(reflect.ValueOf(Catalog[KindOf(s.h.policy)]))
		s.readOptions(v)
		state.Policy = v.Interface().(Policy)
	}
	err := s.h.b.Update(state)
	s.h.settle()
	return err
}

// readOptions lays the TOML that follows a command over options.
func (s *script) readOptions(to reflect.Value) {
	var tree map[string]any
	if _, err := toml.Decode(s.input, &tree); err != nil {
		panic(err)
	}
	setOption(tree, to)
}

func setOption(from any, to reflect.Value) {
	if d, ok := to.Addr().Interface().(*time.Duration); ok {
		var err error
		if *d, err = time.ParseDuration(from.(string)); err != nil {
			panic(err)
		}
		return
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.SetZero()
		if from != "none" {
			to.Set(reflect.New(to.Type().Elem()))
			SetDefaults(to.Interface())
			setOption(from, to.Elem())
		}
	case reflect.Interface:
		table, ok := from.(map[string]any)
		if !ok {
			table = map[string]any{"kind": from}
		}
		prototype := Catalog[table["kind"].(string)]
		delete(table, "kind")
		v := reflect.New(reflect.TypeOf(prototype)).Elem()
		v.Set(reflect.ValueOf(prototype))
		setOption(table, v)
		to.Set(v)
	case reflect.Struct:
		for name, value := range from.(map[string]any) {
			fields := reflect.VisibleFields(to.Type())
			i := slices.IndexFunc(fields, func(f reflect.StructField) bool {
				return f.Tag.Get("toml") == name
			})
			setOption(value, to.Field(i))
		}
	case reflect.Map:
		to.Set(reflect.MakeMap(to.Type()))
		for name, value := range from.(map[string]any) {
			v := reflect.New(to.Type().Elem()).Elem()
			setOption(value, v)
			to.SetMapIndex(reflect.ValueOf(name), v)
		}
	case reflect.Slice:
		list := from.([]any)
		to.Set(reflect.MakeSlice(to.Type(), len(list), len(list)))
		for i := range list {
			SetDefaults(to.Index(i).Addr().Interface())
			setOption(list[i], to.Index(i))
		}
	default:
		to.Set(reflect.ValueOf(from).Convert(to.Type()))
	}
}
