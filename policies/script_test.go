package policies

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// script plays the commands of stories and tables to one balancer:
//
//	build policy=NAME [seed=N] [OPTION=VALUE]...  a new one, with options as in a TOML file, those
//	                              that are longer in the lines that follow; child=NAME is the
//	                              policy inside it
//	resolve a b*3 e=(x,y)         two endpoints of one address, one with weight 3; one of two; new
//	                              options may follow
//	resolve a=(path:p0/east,zone:east,zone_weight:3,weight:2)  an endpoint with attributes
//	resolver-error TEXT           name resolution failed
//	subconn a READY               the SubConn to address a changes its state
//	fail a [TEXT]                 the same, to TRANSIENT_FAILURE with a reason
//	health a READY                the backend of a SubConn says that it is well, or
//	health a TRANSIENT_FAILURE    that it is not, where the balancer was built with health=true
//	advance 250ms                 time passes
//	pick N [key=K]                N RPCs, which stay in flight; with the keys K, K+1, …
//	tally N [key=K]               N RPCs, each done before the next, by address
//	serve N failing=(b,c)         the same, where those on b and c end UNAVAILABLE; also what
//	                              became of those that were not sent
//	done a, done all, done none   the oldest RPC on a ends; all do; none does (shows them)
//	done a INTERNAL qps=10 cpu=0.5  with a code other than OK, and a reply that reports load: also
//	                              app=, eps=
//	report a qps=10 cpu=0.5       the backend of a SubConn does so apart from any RPC
//	configure [OPTION=VALUE]...   the resolver brings other options and the same list; those that
//	                              are longer in the lines that follow
//	exit-idle                     the channel asks to connect
//
// The answer is what the balancer asked of the channel ("advance" tells when), then what came of
// the RPCs. A SubConn that is asked to connect is CONNECTING at once, without a further command.
type script struct {
	h      *fakeHost
	open   []openRPC
	input  string        // the lines that follow a command
	policy reflect.Value // of the options
	list   []*Endpoint
}

// openRPC is an RPC in flight.
type openRPC struct {
	Pick
	picker Picker
}

func (s *script) play(cmd string, args []datadriven.CmdArg) string {
	var words []string
	for _, a := range args {
		words = append(words, a.Key)
	}
	var came string
	switch cmd {
	case "build":
		s.build(args)
	case "resolve":
		s.list = s.endpoints(args)
		came = errorText(s.update(s.list))
	case "configure":
		came = errorText(s.configure(args))
	case "resolver-error":
		s.h.b.ResolverError(&Status{Code: Unavailable, Text: strings.Join(words, " ")})
		s.h.settle()
	case "subconn":
		s.h.set(words[0], connectivity(words[1]))
	case "fail":
		err := refused
		if len(words) > 1 {
			err = &Status{Code: Unavailable, Text: strings.Join(words[1:], " ")}
		}
		s.h.deliver(s.h.named(words[0]), TransientFailure, err)
	case "health":
		s.h.tellHealth(s.h.named(words[0]), connectivity(words[1]))
	case "advance":
		return s.advance(words[0])
	case "pick":
		s.keys(args[1:])
		came = s.pick(number(words[0]))
	case "tally":
		s.keys(args[1:])
		came = s.tally(number(words[0]))
	case "serve":
		came = s.serve(number(words[0]), args[1:])
	case "done":
		came = s.done(words[0], args[1:]...)
	case "report":
		s.h.b.LoadReport(s.h.named(words[0]), loadOf(args[1:]))
		s.h.settle()
	case "exit-idle":
		s.h.b.ExitIdle()
		s.h.settle()
	default:
		panic("unknown command " + cmd)
	}
	var lines []string
	for _, c := range s.h.take() {
		lines = append(lines, c.text)
	}
	if came != "" {
		lines = append(lines, came)
	}
	return strings.Join(lines, "\n")
}

// build makes a balancer. The policy's options are read by the TOML package, as in an experiment.
func (s *script) build(args []datadriven.CmdArg) {
	seed, health := uint64(1), false
	var options []datadriven.CmdArg
	for _, a := range args {
		switch a.Key {
		case "policy":
			prototype := reflect.ValueOf(Catalog[a.Vals[0]])
			s.policy = reflect.New(prototype.Type())
			s.policy.Elem().Set(prototype)
		case "seed":
			seed = uint64(number(a.Vals[0]))
		case "health":
			health = true
		case "child":
			child := reflect.ValueOf(Catalog[a.Vals[0]])
			s.policy.Elem().FieldByName("Child").Set(child)
		default:
			options = append(options, a)
		}
	}
	s.setOptions(options)
	s.readOptions(s.policy.Elem())
	s.h, s.open = newFakeHost(s.policy.Elem().Interface().(Policy), seed), nil
	s.h.health = health
}

// errorText is what comes of an Update.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return "error: " + err.Error()
}

func (s *script) endpoints(args []datadriven.CmdArg) []*Endpoint {
	var es []*Endpoint
	for _, a := range args {
		es = append(es, s.endpoint(a))
	}
	return es
}

// keys gives the RPCs that follow keys from one on, or none.
func (s *script) keys(args []datadriven.CmdArg) {
	s.h.header = ""
	if len(args) > 0 {
		s.h.header, s.h.key = "x-key", uint64(number(args[0].Vals[0]))
	}
}

func (s *script) advance(text string) string {
	d, err := time.ParseDuration(text)
	if err != nil {
		panic(err)
	}
	s.h.advance(d)
	var lines []string
	for _, c := range s.h.take() {
		lines = append(lines, fmt.Sprintf("at %v: %s", c.at, c.text))
	}
	return strings.Join(lines, "\n")
}

func (s *script) pick(n int) string {
	var answers []string
	for range n {
		picker := s.h.picker
		p := s.h.pick()
		answers = append(answers, s.answer(p))
		if p.Verdict == Sent {
			s.open = append(s.open, openRPC{p, picker})
		}
	}
	return strings.Join(answers, " ")
}

func (s *script) answer(p Pick) string {
	switch p.Verdict {
	case Sent:
		return s.h.subConns[p.SubConn].name
	case Queued:
		return "queue"
	case Failed:
		return fmt.Sprintf("fail(%v: %s)", p.Status.Code, p.Status.Text)
	}
	return fmt.Sprintf("drop(%v: %s)", p.Status.Code, p.Status.Text)
}

func (s *script) tally(n int) string {
	count := make([]int, len(s.h.subConns))
	for range n {
		picker := s.h.picker
		p := s.h.pick()
		picker.Done(p, Outcome{})
		count[p.SubConn]++
	}
	return s.counts(count)
}

func (s *script) done(which string, with ...datadriven.CmdArg) string {
	outcome := outcomeOf(with)
	left := s.open[:0]
	one := false
	for _, rpc := range s.open {
		if which == "all" || !one && s.h.subConns[rpc.SubConn].name == which {
			rpc.picker.Done(rpc.Pick, outcome)
			one = true
			continue
		}
		left = append(left, rpc)
	}
	s.open = left
	count := make([]int, len(s.h.subConns))
	for _, rpc := range s.open {
		count[rpc.SubConn]++
	}
	return "in flight: " + s.counts(count)
}

// counts writes how many RPCs each SubConn has, without those that have none.
func (s *script) counts(count []int) string {
	var parts []string
	for sc, n := range count {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", s.h.subConns[sc].name, n))
		}
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}

func connectivity(text string) Connectivity {
	for c := Idle; c <= Shutdown; c++ {
		if c.String() == text {
			return c
		}
	}
	panic("unknown state " + text)
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// step is a line of a table: a command, with options in further lines, and the answer with "; "
// between its lines.
type step struct{ do, want string }

// playAll plays steps to a new balancer, built with the options that follow "build policy=".
func playAll(t *testing.T, policy string, steps []step) {
	t.Helper()
	s := new(script)
	for i, st := range append([]step{{"build policy=" + policy, ""}}, steps...) {
		line, input, _ := strings.Cut(st.do, "\n")
		s.input = input
		cmd, args, err := datadriven.ParseLine(line)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(s.play(cmd, args), "\n", "; "); got != st.want {
			t.Fatalf("step %d, %s:\ngot  %s\nwant %s", i, st.do, got, st.want)
		}
	}
}
