package policies

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/BurntSushi/toml"
	"github.com/cockroachdb/datadriven"
)

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
func (s *script) configure(args []datadriven.CmdArg) {
	s.setOptions(args)
	p := s.policy.Elem().Interface().(Policy)
	if err := s.h.b.Update(State{Endpoints: s.list, Policy: p}); err != nil {
		panic(err)
	}
	s.h.settle()
}

// loadOf reads a load report; nil where there is none.
func loadOf(args []datadriven.CmdArg) *Load {
	if len(args) == 0 {
		return nil
	}
	l := new(Load)
	for _, a := range args {
		v, err := strconv.ParseFloat(a.Vals[0], 64)
		if err != nil {
			panic(err)
		}
		switch a.Key {
		case "qps":
			l.QPS = v
		case "eps":
			l.EPS = v
		case "cpu":
			l.CPU = v
		case "app":
			l.Application = v
		default:
			panic("unknown metric " + a.Key)
		}
	}
	return l
}
