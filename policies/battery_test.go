package policies

import (
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"lbsim/sim"

	"pgregory.net/rapid"
)

// forEach runs a test of the battery that every policy of the catalog has to pass.
func forEach(t *testing.T, f func(t *testing.T, p Policy)) {
	for _, name := range names() {
		t.Run(name, func(t *testing.T) { f(t, sample(name)) })
	}
}

func TestDefaultsAreValid(t *testing.T) {
	forEach(t, func(t *testing.T, p Policy) {
		if c, ok := p.(Checker); ok && c.Check() != nil {
			t.Error(c.Check())
		}
	})
}

func TestQueuesUntilReady(t *testing.T) {
	forEach(t, func(t *testing.T, p Policy) {
		h := newFakeHost(p, 1)
		for _, stage := range []struct {
			is string
			do func()
		}{
			{"connecting", func() { h.resolve(h.singles("a", "b")...) }},
			{"the first has failed", func() { h.deliver(0, TransientFailure, refused) }},
			{"another list", func() { h.resolve(h.singles("b", "c", "d")...) }},
			{"more attempts", func() { h.advance(time.Second) }},
		} {
			stage.do()
			if got := h.pick(); got != Queue() {
				t.Errorf("%s: pick %+v, want Queued", stage.is, got)
			}
		}
	})
}

func TestPicksDoNotAllocate(t *testing.T) {
	forEach(t, func(t *testing.T, p Policy) {
		h := newFakeHost(p, 1)
		count := func(state Connectivity) {
			t.Helper()
			n := testing.AllocsPerRun(1000, func() {
				pick := h.picker.Pick(Call{1, keyed, 1})
				if pick.Verdict == Sent {
					h.picker.Done(pick, Outcome{BytesSent: true})
				}
			})
			if h.state != state || n != 0 {
				t.Errorf("%v allocations a pick in %v, want 0 in %v", n, h.state, state)
			}
		}
		h.resolve(h.singles("a", "b", "c", "d")...)
		h.pick()
		count(Connecting)
		h.connectAll()
		count(Ready)
		if h.resolve(); !habitsOf(p).deaf {
			count(TransientFailure)
		}
	})
}

// weather is a policy in random weather: lists change, connections come and go, time passes, RPCs
// begin and end.
type weather struct {
	*fakeHost
	int      func(n int) int // draws from [0, n)
	open     []openRPC
	resolved map[string]bool // the addresses of the list
	habits   habits
}

func newWeather(p Policy, draw func(n int) int) *weather {
	return &weather{fakeHost: newFakeHost(p, 1), int: draw, habits: habitsOf(p)}
}

// resolve brings a list of up to 5 of 6 endpoints, which may be named twice and share addresses.
func (w *weather) resolve() {
	var list []*Endpoint
	w.resolved = make(map[string]bool)
	for range w.int(6) {
		a := []string{"a", "b", "c", "d", "d e", "e f c"}[w.int(6)]
		e := w.endpoint(split(a)...)
		e.HashKey = a // "d" is not "d e"
		list = append(list, e)
		for _, ad := range e.Addresses {
			w.resolved[ad.Text] = true
		}
	}
	_ = w.fakeHost.resolve(list...)
}

func split(words string) []string {
	var out []string
	for i := 0; i < len(words); i += 2 {
		out = append(out, words[i:i+1])
	}
	return out
}

// change lets a SubConn do one of the things that it can do.
func (w *weather) change() {
	var can []SubConn
	for sc, s := range w.subConns {
		if s.state != Idle && s.state != Shutdown {
			can = append(can, SubConn(sc))
		}
	}
	if len(can) == 0 {
		return
	}
	sc := can[w.int(len(can))]
	next := Idle
	if w.subConns[sc].state == Connecting {
		next = []Connectivity{Ready, Ready, TransientFailure, TransientFailure, Idle}[w.int(5)]
	}
	w.deliver(sc, next, refused)
}

func (w *weather) begin() {
	if w.picker == nil {
		return
	}
	picker := w.picker
	w.header = []string{"", keyed}[w.int(2)]
	if p := w.pick(); p.Verdict == Sent {
		w.open = append(w.open, openRPC{p, picker})
	}
}

func (w *weather) end() {
	if len(w.open) > 0 {
		i := w.int(len(w.open))
		var o Outcome
		if code := Code(w.int(int(Codes))); code != OK {
			o.Status = &Status{Code: code}
		}
		w.open[i].picker.Done(w.open[i].Pick, o)
		w.open = slices.Delete(w.open, i, i+1)
	}
}

func (w *weather) fail() { w.b.ResolverError(refused); w.settle() }
func (w *weather) wake() { w.b.ExitIdle(); w.settle() }
func (w *weather) wait() { w.advance(time.Duration(w.int(300)) * time.Millisecond) }

// wrong says what is not as it must be, or returns "".
func (w *weather) wrong() string {
	var in [Shutdown + 1]int
	for _, s := range w.subConns {
		in[s.state]++
		if s.state != Shutdown && !w.resolved[s.address.Text] && !w.habits.parks {
			return fmt.Sprintf("%s is %v but not in the list any more", s.name, s.state)
		}
	}
	if w.picker == nil {
		return ""
	}
	if (w.state == Ready) != (in[Ready] > 0) && (w.state == Ready || !w.habits.parks) {
		return fmt.Sprintf("channel %v with %d SubConns READY", w.state, in[Ready])
	}
	if w.state == Connecting && in[Connecting] == 0 {
		return "channel CONNECTING, and no SubConn is"
	}
	state, picker := w.state, w.picker
	p := w.pick()
	switch {
	case p.Verdict == Sent:
		picker.Done(p, Outcome{})
		if s := w.subConns[p.SubConn]; state != Ready || s.state != Ready {
			return fmt.Sprintf("channel %v sends to %s, which is %v", state, s.name, s.state)
		}
	case p.Verdict == Failed:
		if state != TransientFailure && !w.habits.failsEarly || p.Status == nil ||
			p.Status.Code != Unavailable {
			return fmt.Sprintf("channel %v fails RPCs with %v", state, p.Status)
		}
	case w.habits.keeps, w.habits.waits && state == TransientFailure:
	case state == Ready || state == TransientFailure:
		return fmt.Sprintf("channel %v answers %+v", state, p)
	}
	return ""
}

func TestRandomWeather(t *testing.T) {
	// The same weather in every run, unless the command line asks for another.
	for _, o := range []struct{ name, value string }{
		{"rapid.seed", "1"}, {"rapid.checks", "1000"}, {"rapid.steps", "100"},
	} {
		if f := flag.Lookup(o.name); f.Value.String() == f.DefValue {
			if err := f.Value.Set(o.value); err != nil {
				t.Fatal(err)
			}
		}
	}
	forEach(t, func(t *testing.T, p Policy) {
		rapid.Check(t, func(t *rapid.T) {
			w := newWeather(p, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") })
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
			if _, ok := p.(LeastRequest); ok && w.picker != nil {
				l := leastRequestOf(w.picker)
				for _, c := range l.ready {
					if c.inflight != 0 {
						t.Fatalf("all RPCs are done, and a counter is %d", c.inflight)
					}
				}
			}
		})
	})
}

// story plays a thousand random events from one seed and returns all that was asked and answered.
func (w *weather) story() []fakeCall {
	for range 1000 {
		[]func(){w.resolve, w.change, w.change, w.change, w.begin, w.begin, w.end, w.wait, w.fail,
			w.wake}[w.int(10)]()
		for _, rpc := range w.open {
			w.record("in flight: %+v", rpc.Pick)
		}
	}
	return w.take()
}

func TestEqualSeedsEqualCalls(t *testing.T) {
	forEach(t, func(t *testing.T, p Policy) {
		one := newWeather(p, sim.NewRand(1, "weather").IntN)
		two := newWeather(p, sim.NewRand(1, "weather").IntN)
		a, b := one.story(), two.story()
		if !slices.Equal(a, b) || one.Digest() != two.Digest() || len(a) < 1000 {
			t.Errorf("two runs with one seed: %d and %d calls, digests %x and %x", len(a), len(b),
				one.Digest(), two.Digest())
		}
		three := newWeather(p, sim.NewRand(2, "weather").IntN)
		if slices.Equal(a, three.story()) {
			t.Error("another seed, the same calls: the test sees nothing")
		}
	})
}
