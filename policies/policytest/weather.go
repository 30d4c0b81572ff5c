package policytest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lbsim/policies"
)

// weather is a policy in random weather: lists change, connections come and go, time passes, RPCs
// begin and end.
type weather struct {
	*Host
	int      func(n int) int // draws from [0, n)
	open     []RPC
	resolved map[string]bool // the addresses of the list
	except   Exceptions
}

func newWeather(p policies.Policy, x Exceptions, draw func(n int) int) *weather {
	return &weather{Host: NewHost(p, 1), int: draw, except: x}
}

// resolve brings a list of up to 5 of 6 endpoints, which may be named twice and share addresses.
func (w *weather) resolve() {
	var list []*policies.Endpoint
	w.resolved = make(map[string]bool)
	for range w.int(6) {
		a := []string{"a", "b", "c", "d", "d e", "e f c"}[w.int(6)]
		e := w.Endpoint(strings.Fields(a)...)
		e.HashKey = a // "d" is not "d e"
		list = append(list, e)
		for _, ad := range e.Addresses {
			w.resolved[ad.Text] = true
		}
	}
	_ = w.Resolve(list...)
}

// change lets a SubConn do one of the things that it can do.
func (w *weather) change() {
	var can []policies.SubConn
	for sc, s := range w.subConns {
		if s.state != policies.Idle && s.state != policies.Shutdown {
			can = append(can, policies.SubConn(sc))
		}
	}
	if len(can) == 0 {
		return
	}
	sc := can[w.int(len(can))]
	next := policies.Idle
	if w.subConns[sc].state == policies.Connecting {
		next = []policies.Connectivity{
			policies.Ready, policies.Ready, policies.TransientFailure, policies.TransientFailure,
			policies.Idle,
		}[w.int(5)]
	}
	w.Deliver(sc, next, refused)
}

func (w *weather) begin() {
	if w.Picker == nil {
		return
	}
	w.Header = []string{"", header}[w.int(2)]
	if rpc := w.Pick(); rpc.Verdict == policies.Sent {
		w.open = append(w.open, rpc)
	}
}

func (w *weather) end() {
	if len(w.open) > 0 {
		i := w.int(len(w.open))
		var o policies.Outcome
		if code := policies.Code(w.int(int(policies.Codes))); code != policies.OK {
			o.Status = &policies.Status{Code: code}
		}
		w.open[i].Done(o)
		w.open = slices.Delete(w.open, i, i+1)
	}
}

func (w *weather) fail() { w.Balancer.ResolverError(refused); w.Settle() }
func (w *weather) wake() { w.Balancer.ExitIdle(); w.Settle() }
func (w *weather) wait() { w.Advance(time.Duration(w.int(300)) * time.Millisecond) }

// wrong returns what is not as it must be, or "".
func (w *weather) wrong() string {
	var in [policies.Shutdown + 1]int
	for _, s := range w.subConns {
		in[s.state]++
		if s.state != policies.Shutdown && !w.resolved[s.address.Text] && !w.except.KeepsSubConns {
			return fmt.Sprintf("%s is %v but not in the list any more", s.name, s.state)
		}
	}
	if w.Picker == nil {
		return ""
	}
	ready := in[policies.Ready]
	if (w.State == policies.Ready) != (ready > 0) &&
		(w.State == policies.Ready || !w.except.KeepsSubConns) {
		return fmt.Sprintf("channel %v with %d SubConns READY", w.State, ready)
	}
	if w.State == policies.Connecting && in[policies.Connecting] == 0 {
		return "channel CONNECTING, and no SubConn is"
	}
	return w.wrongPick()
}

// wrongPick picks for an RPC that ends at once and returns what is wrong with the answer.
func (w *weather) wrongPick() string {
	state := w.State
	rpc := w.Pick()
	switch {
	case rpc.Verdict == policies.Sent:
		rpc.Done(policies.Outcome{})
		if s := w.subConns[rpc.SubConn]; state != policies.Ready || s.state != policies.Ready {
			return fmt.Sprintf("channel %v sends to %s, which is %v", state, s.name, s.state)
		}
	case rpc.Verdict == policies.Failed:
		if state != policies.TransientFailure && !w.except.FailsEarly || rpc.Status == nil ||
			rpc.Status.Code != policies.Unavailable {
			return fmt.Sprintf("channel %v fails RPCs with %v", state, rpc.Status)
		}
	case w.except.QueuesByKey, w.except.QueuesInFailure && state == policies.TransientFailure:
	case state == policies.Ready || state == policies.TransientFailure:
		return fmt.Sprintf("channel %v answers %+v", state, rpc.Pick)
	}
	return ""
}

// events are what a thousand random events are drawn from.
func (w *weather) events() []func() {
	return []func(){
		w.resolve, w.change, w.change, w.change, w.begin, w.begin, w.end, w.wait, w.fail, w.wake,
	}
}

// story plays a thousand random events and returns all that was asked and answered.
func (w *weather) story() []Call {
	events := w.events()
	for range 1000 {
		events[w.int(len(events))]()
		for _, rpc := range w.open {
			w.record("in flight: %+v", rpc.Pick)
		}
	}
	return w.Calls()
}
