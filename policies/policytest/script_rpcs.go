package policytest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/datadriven"

	"lbsim/policies"
)

// course is what becomes of the RPCs of a command.
type course struct {
	failing []string                 // addresses whose RPCs fail
	latency map[string]time.Duration // by address; 0 by default
}

// rpcs plays n RPCs.
func (s *Script) rpcs(cmd string, n int, args []datadriven.CmdArg) string {
	if s.host.Picker == nil {
		refuse("there is no picker: the balancer has reported nothing")
	}
	s.host.Header = ""
	var c course
	for _, a := range args {
		switch {
		case a.Key == "key" && cmd != "serve":
			s.host.Header, s.host.Key = "x-key", uint64(number(value(a)))
		case a.Key == "failing" && cmd == "serve":
			for _, address := range a.Vals {
				c.failing = append(c.failing, s.known(address))
			}
		case a.Key == "latency" && cmd != "pick":
			c.latency = s.latencies(a.Vals)
		default:
			refuse("unknown word %s", a.Key)
		}
	}
	switch cmd {
	case "pick":
		return s.pick(n)
	case "tally":
		return s.tally(n, c)
	}
	return s.serve(n, c)
}

func (s *Script) latencies(words []string) map[string]time.Duration {
	by := make(map[string]time.Duration)
	for _, w := range words {
		address, d, found := strings.Cut(w, ":")
		if !found {
			refuse("latency must be as in latency=(a:10ms,b:50ms)")
		}
		by[s.known(address)] = duration(d)
	}
	return by
}

// pick leaves the RPCs in flight.
func (s *Script) pick(n int) string {
	var answers []string
	for range n {
		rpc := s.host.Pick()
		answers = append(answers, rpc.String())
		if rpc.Verdict == policies.Sent {
			s.open = append(s.open, rpc)
		}
	}
	return strings.Join(answers, " ")
}

// end lets an RPC that was sent take its time and end.
func (s *Script) end(rpc RPC, c course) {
	address := s.host.AddressOf(rpc.SubConn).Text
	if d := c.latency[address]; d > 0 {
		s.host.Advance(d)
	}
	o := policies.Outcome{BytesSent: true, BytesReceived: true}
	if slices.Contains(c.failing, address) {
		o.Status = &policies.Status{Code: policies.Unavailable}
	}
	rpc.Done(o)
}

// tally counts where RPCs go, each done before the next.
func (s *Script) tally(n int, c course) string {
	count := make([]int, s.host.SubConns())
	for range n {
		rpc := s.host.Pick()
		if rpc.Verdict != policies.Sent {
			refuse("an RPC was not sent: %v; serve counts such", rpc)
		}
		s.end(rpc, c)
		count[rpc.SubConn]++
	}
	return s.counts(count)
}

// serve counts where RPCs go, each done before the next, or what became of them.
func (s *Script) serve(n int, c course) string {
	var answers []string
	count := make(map[string]int)
	for range n {
		rpc := s.host.Pick()
		if rpc.Verdict == policies.Sent {
			s.end(rpc, c)
		}
		answer := rpc.String()
		if count[answer]++; count[answer] == 1 {
			answers = append(answers, answer)
		}
	}
	slices.Sort(answers)
	for i, a := range answers {
		answers[i] = fmt.Sprintf("%s %d", a, count[a])
	}
	return strings.Join(answers, ", ")
}

// done ends RPCs that are in flight.
func (s *Script) done(which string, with []datadriven.CmdArg) string {
	outcome := outcomeOf(with)
	left := s.open[:0]
	one := false
	for _, rpc := range s.open {
		if which == "all" || !one && rpc.String() == which {
			rpc.Done(outcome)
			one = true
			continue
		}
		left = append(left, rpc)
	}
	s.open = left
	count := make([]int, s.host.SubConns())
	for _, rpc := range s.open {
		count[rpc.SubConn]++
	}
	return "in flight: " + s.counts(count)
}

// counts writes how many RPCs each SubConn has, without those that have none.
func (s *Script) counts(count []int) string {
	var parts []string
	for sc, n := range count {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", s.host.Name(policies.SubConn(sc)), n))
		}
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// outcomeOf reads how an RPC ended: a code other than OK, and a load report.
func outcomeOf(args []datadriven.CmdArg) policies.Outcome {
	var o policies.Outcome
	for c := range policies.Codes {
		if len(args) > 0 && args[0].Key == c.String() {
			o.Status, args = &policies.Status{Code: c}, args[1:]
			break
		}
	}
	o.Load = loadOf(args)
	return o
}

// loadOf reads a load report; nil where there is none.
func loadOf(args []datadriven.CmdArg) *policies.Load {
	if len(args) == 0 {
		return nil
	}
	l := new(policies.Load)
	for _, a := range args {
		v, err := strconv.ParseFloat(value(a), 64)
		if err != nil {
			refuse("%s must be a number (is %s)", a.Key, value(a))
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
			refuse("unknown metric %s (have qps, eps, cpu, app)", a.Key)
		}
	}
	return l
}
