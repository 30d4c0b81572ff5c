package policytest

import (
	"flag"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lbsim/options"
	"lbsim/policies"
	"lbsim/sim"
)

// Exceptions are the rules of [Battery] that a policy breaks on purpose. The zero value has none.
type Exceptions struct {
	// KeepsSubConns: the policy has SubConns that it does not use, READY ones or ones of endpoints
	// that are gone.
	KeepsSubConns bool
	// QueuesByKey: an RPC may wait for its own endpoint while others are READY.
	QueuesByKey bool
	// QueuesInFailure: in TRANSIENT_FAILURE RPCs may wait, for a child that no longer fails.
	QueuesInFailure bool
	// FailsEarly: while the policy is CONNECTING RPCs may fail with an earlier error.
	FailsEarly bool
	// IgnoresEmptyList: a list without endpoints changes nothing.
	IgnoresEmptyList bool

	// AtRest, if not nil, returns what is wrong with a policy of which no RPC is in flight any
	// more, or "": that a count of them is not 0, for instance. Its argument is the last picker.
	AtRest func(p policies.Picker) string
}

// WithChildren returns a policy whose options of type [policies.Policy] that are nil are
// round_robin: the prototype of a policy with a child has none, and does not work.
func WithChildren(p policies.Policy) policies.Policy {
	v := reflect.New(reflect.TypeOf(p)).Elem()
	v.Set(reflect.ValueOf(p))
	if v.Kind() == reflect.Struct {
		for _, field := range options.Each(v) {
			if field.Type() == reflect.TypeFor[policies.Policy]() && field.IsNil() {
				field.Set(reflect.ValueOf(policies.RoundRobin{}))
			}
		}
	}
	return v.Interface().(policies.Policy)
}

// header is the one in which RPCs have their key.
const header = "x-key"

// Battery runs the checks that every policy has to pass, as subtests: its Doc is a line and its
// options are valid; RPCs wait until an endpoint is READY; Pick and Done allocate nothing; in
// random weather RPCs go to READY SubConns of the list alone, and the state of the channel agrees
// with theirs; equal seeds give equal calls; Close shuts down every SubConn and stops every timer.
// The first check that fails is the last. A policy with children must have some: see
// [WithChildren].
func Battery(t *testing.T, p policies.Policy, x Exceptions) {
	for _, test := range []struct {
		name string
		run  func(t *testing.T, p policies.Policy, x Exceptions)
	}{
		{"doc and options", checkConfig},
		{"queues until ready", checkQueues},
		{"picks do not allocate", checkAllocs},
		{"random weather", checkWeather},
		{"equal seeds, equal calls", checkSeeds},
		{"close ends all", checkClose},
	} {
		if !t.Run(test.name, func(t *testing.T) { test.run(t, p, x) }) {
			return
		}
	}
}

func checkConfig(t *testing.T, p policies.Policy, _ Exceptions) {
	if doc := p.Doc(); doc == "" || strings.ContainsAny(doc, "\n") || strings.HasSuffix(doc, ".") {
		t.Errorf("Doc is %q, want a line without a full stop", doc)
	}
	if c, ok := p.(policies.Checker); ok && c.Check() != nil {
		t.Error(c.Check())
	}
}

func checkQueues(t *testing.T, p policies.Policy, _ Exceptions) {
	h := NewHost(p, 1)
	for _, stage := range []struct {
		is string
		do func()
	}{
		{"connecting", func() { h.Resolve(h.Endpoints("a", "b")...) }},
		{"the first has failed", func() { h.Deliver(0, policies.TransientFailure, refused) }},
		{"another list", func() { h.Resolve(h.Endpoints("b", "c", "d")...) }},
		{"more attempts", func() { h.Advance(time.Second) }},
	} {
		stage.do()
		if rpc := h.Pick(); rpc.Pick != policies.Queue() {
			t.Errorf("%s: pick %+v, want Queued", stage.is, rpc.Pick)
		}
	}
}

func checkAllocs(t *testing.T, p policies.Policy, x Exceptions) {
	h := NewHost(p, 1)
	count := func(state policies.Connectivity) {
		t.Helper()
		n := testing.AllocsPerRun(1000, func() {
			pick := h.Picker.Pick(policies.Call{Luck: 1, Header: header, Key: 1})
			if pick.Verdict == policies.Sent {
				h.Picker.Done(pick, policies.Outcome{Latency: time.Millisecond, BytesSent: true})
			}
		})
		if h.State != state || n != 0 {
			t.Errorf("%v allocations a pick in %v, want 0 in %v", n, h.State, state)
		}
	}
	h.Resolve(h.Endpoints("a", "b", "c", "d")...)
	h.Pick()
	count(policies.Connecting)
	h.ConnectAll()
	count(policies.Ready)
	if h.Resolve(); !x.IgnoresEmptyList {
		count(policies.TransientFailure)
	}
}

func checkWeather(t *testing.T, p policies.Policy, x Exceptions) {
	defer sameEveryTime(t, 1000)()
	rapid.Check(t, func(t *rapid.T) {
		w := newWeather(p, x, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") })
		do := func(f func()) func(*rapid.T) { return func(*rapid.T) { f() } }
		t.Repeat(map[string]func(*rapid.T){
			"resolve": do(w.resolve), "change": do(w.change), "change 2": do(w.change),
			"change 3": do(w.change), "begin": do(w.begin), "end": do(w.end),
			"wait": do(w.wait), "fail": do(w.fail), "wake": do(w.wake),
			"": func(t *rapid.T) {
				if wrong := w.wrong(); wrong != "" {
					t.Fatalf("%s; the last calls: %v", wrong, w.calls[max(0, len(w.calls)-20):])
				}
			},
		})
		for len(w.open) > 0 {
			w.end()
		}
		if x.AtRest != nil && w.Picker != nil {
			if wrong := x.AtRest(w.Picker); wrong != "" {
				t.Fatalf("no RPC is in flight: %s", wrong)
			}
		}
	})
}

// sameEveryTime makes rapid draw the same in every run, n times, unless the command line asks for
// something else. It returns what undoes that.
func sameEveryTime(t *testing.T, n int) (undo func()) {
	var undone []func()
	for name, value := range map[string]string{
		"rapid.seed": "1", "rapid.checks": strconv.Itoa(n), "rapid.steps": "100",
	} {
		if f := flag.Lookup(name); f.Value.String() == f.DefValue {
			if err := f.Value.Set(value); err != nil {
				t.Fatal(err)
			}
			undone = append(undone, func() { f.Value.Set(f.DefValue) })
		}
	}
	return func() {
		for _, f := range undone {
			f()
		}
	}
}

func checkSeeds(t *testing.T, p policies.Policy, x Exceptions) {
	story := func(seed uint64) (calls []Call, digest uint64) {
		w := newWeather(p, x, sim.NewRand(seed, "weather").IntN)
		calls = w.story()
		return calls, w.Digest()
	}
	a, one := story(1)
	b, two := story(1)
	if !slices.Equal(a, b) || one != two || len(a) < 1000 {
		t.Errorf("two runs with one seed: %d and %d calls, digests %x and %x", len(a), len(b),
			one, two)
	}
	if c, _ := story(2); slices.Equal(a, c) {
		t.Error("another seed, the same calls: the test sees nothing")
	}
}

func checkClose(t *testing.T, p policies.Policy, x Exceptions) {
	defer sameEveryTime(t, 1000)()
	rapid.Check(t, func(t *rapid.T) {
		w := newWeather(p, x, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "draw") })
		for range w.int(20) {
			switch w.int(4) {
			case 0:
				w.resolve()
			case 1:
				w.change()
			case 2:
				w.Advance(time.Duration(w.int(500)) * time.Millisecond)
			case 3:
				if w.Picker != nil {
					w.Pick()
				}
			}
		}
		w.Balancer.Close()
		w.Settle()
		for _, s := range w.subConns {
			if s.state != policies.Shutdown {
				t.Fatalf("%s is %v", s.name, s.state)
			}
		}
		w.Calls()
		w.Advance(time.Hour)
		if calls := w.Calls(); len(calls) > 0 || w.Pending() > 0 {
			t.Fatalf("once closed it asks for %v; %d events are pending", calls, w.Pending())
		}
	})
}
