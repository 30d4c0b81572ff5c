package policies_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
	"lbsim/sim"
)

// plainLeastRequest is least_request in ten obvious lines: counts by name, in a map.
type plainLeastRequest map[string]*int

// update forgets the counts of all but the READY endpoints, unless there are none.
func (p plainLeastRequest) update(ready []string) {
	if len(ready) > 0 {
		maps.DeleteFunc(p, func(name string, _ *int) bool { return !slices.Contains(ready, name) })
	}
	for _, name := range ready {
		if p[name] == nil {
			p[name] = new(int)
		}
	}
}

// choose draws with replacement, or puts aside what it has drawn in a set, until it has all.
func (p plainLeastRequest) choose(ready []string, o policies.LeastRequest, r sim.Rand) string {
	best := ""
	drawn := make(map[string]bool)
	for n := uint32(0); n < o.ChoiceCount && len(drawn) < len(ready); {
		name := ready[r.Uint32()%uint32(len(ready))]
		if drawn[name] {
			continue
		}
		if n++; o.Distinct {
			drawn[name] = true
		}
		if best == "" || *p[name] < *p[best] {
			best = name
		}
	}
	return best
}

// A clever thing against a plain thing: counters that are reused and found by number, in random
// weather and with RPCs of any length.
func TestLeastRequestCountsAsAMapWould(t *testing.T) {
	for _, o := range []policies.LeastRequest{{ChoiceCount: 3}, {ChoiceCount: 3, Distinct: true}} {
		t.Run(fmt.Sprintf("%+v", o), func(t *testing.T) { besideAMap(t, o) })
	}
}

func besideAMap(t *testing.T, o policies.LeastRequest) {
	const seed = 1
	r := sim.NewRand(seed, "weather")
	h := policytest.NewHost(o, seed)
	list := h.Endpoints("0", "1", "2", "3", "4")
	h.Resolve(list...)
	plain := make(plainLeastRequest)
	type inflight struct {
		policytest.RPC
		count *int
	}
	var open []inflight
	for range 20000 {
		if r.IntN(10) == 0 {
			sc := policies.SubConn(r.IntN(len(list)))
			c := policies.Ready // one that is not READY is CONNECTING: it connects by itself
			if h.StateOf(sc) == policies.Ready {
				c = policies.Idle
			}
			h.Deliver(sc, c, nil)
		}
		var ready []string
		for _, e := range list {
			if name := e.Addresses[0].Text; h.StateOf(h.SubConn(name)) == policies.Ready {
				ready = append(ready, name)
			}
		}
		plain.update(ready)
		if len(open) > 0 && r.IntN(2) == 0 {
			i := r.IntN(len(open))
			*open[i].count--
			open[i].Done(policies.Outcome{})
			open = slices.Delete(open, i, i+1)
		} else if len(ready) > 0 {
			want := plain.choose(ready, o, *h.Rand())
			p := h.Pick()
			if got := h.Name(p.SubConn); got != want {
				t.Fatalf("RPC goes to %s, want %s", got, want)
			}
			*plain[want]++
			open = append(open, inflight{p, plain[want]})
		}
	}
	for _, o := range open {
		o.Done(policies.Outcome{})
	}
	h.ConnectAll()
	if wrong := countsAreZero(h.Picker); wrong != "" {
		t.Errorf("all is done, and %s", wrong)
	}
}
