package policies

import (
	"fmt"
	"maps"
	"slices"
	"testing"

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
func (p plainLeastRequest) choose(ready []string, o LeastRequest, r sim.Rand) string {
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
	for _, o := range []LeastRequest{{ChoiceCount: 3}, {ChoiceCount: 3, Distinct: true}} {
		t.Run(fmt.Sprintf("%+v", o), func(t *testing.T) { besideAMap(t, o) })
	}
}

func besideAMap(t *testing.T, o LeastRequest) {
	const seed = 1
	r := sim.NewRand(seed, "weather")
	h := newFakeHost(o, seed)
	list := h.singles("0", "1", "2", "3", "4")
	h.resolve(list...)
	plain := make(plainLeastRequest)
	type inflight struct {
		Pick
		picker Picker
		count  *int
	}
	var open []inflight
	for range 20000 {
		if r.IntN(10) == 0 {
			sc := SubConn(r.IntN(len(list)))
			c := Ready // one that is not READY is CONNECTING: it connects by itself
			if h.subConns[sc].state == Ready {
				c = Idle
			}
			h.deliver(sc, c, nil)
		}
		var ready []string
		for _, e := range list {
			if name := e.Addresses[0].Text; h.subConns[h.named(name)].state == Ready {
				ready = append(ready, name)
			}
		}
		plain.update(ready)
		if len(open) > 0 && r.IntN(2) == 0 {
			i := r.IntN(len(open))
			*open[i].count--
			open[i].picker.Done(open[i].Pick, Outcome{})
			open = slices.Delete(open, i, i+1)
		} else if len(ready) > 0 {
			want := plain.choose(ready, o, *h.rand)
			p := h.pick()
			if got := h.subConns[p.SubConn].name; got != want {
				t.Fatalf("RPC goes to %s, want %s", got, want)
			}
			*plain[want]++
			open = append(open, inflight{p, h.picker, plain[want]})
		}
	}
	for _, o := range open {
		o.picker.Done(o.Pick, Outcome{})
	}
	h.connectAll()
	for _, c := range leastRequestOf(h.picker).ready {
		if c.inflight != 0 {
			t.Errorf("all is done, and a counter is %d", c.inflight)
		}
	}
}
