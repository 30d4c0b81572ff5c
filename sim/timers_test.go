package sim

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// named is an event and the name of its timer.
type named struct {
	e    Event
	name Timer
}

// timersBeside drives timers and a sorted slice through the same operations.
type timersBeside struct {
	t      *testing.T
	timers timers
	plain  sorted
	live   []named // in no order
	now    Time
	seq    uint64
	ops    int
}

func (p *timersBeside) set(d Time) {
	p.seq++
	p.ops++
	e := Event{At: p.now + d, ord: p.seq << 8, Arg: uint32(p.ops)}
	name := p.timers.set(e)
	if name == 0 {
		p.t.Fatalf("operation %d: timer 0 given, which means none", p.ops)
	}
	p.plain.push(e)
	p.live = append(p.live, named{e, name})
}

func (p *timersBeside) cancel(i int) {
	p.ops++
	if got, want := p.timers.due(p.live[i].name), p.live[i].e.At; got != want {
		p.t.Fatalf("operation %d: timer is due at %v, want %v", p.ops, got, want)
	}
	p.timers.cancel(p.live[i].name)
	at := p.find(p.live[i].e)
	p.plain = slices.Delete(p.plain, at, at+1)
	p.forget(i)
}

func (p *timersBeside) pop() {
	p.ops++
	want := p.plain.pop()
	if got := *p.timers.top(); got != want {
		p.t.Fatalf("operation %d: top is %+v, want %+v", p.ops, got, want)
	}
	if got := p.timers.pop(); got != want {
		p.t.Fatalf("operation %d: popped %+v, want %+v", p.ops, got, want)
	}
	p.now = want.At
	p.forget(slices.IndexFunc(p.live, func(n named) bool { return n.e == want }))
}

func (p *timersBeside) find(e Event) int {
	i, _ := slices.BinarySearchFunc(p.plain, e, func(a, b Event) int {
		return less(&a, &b) - less(&b, &a) // last first
	})
	return i
}

func (p *timersBeside) forget(i int) {
	n := len(p.live) - 1
	p.live[i] = p.live[n]
	p.live = p.live[:n]
}

// check looks at the whole: names differ, every live timer is where it is said to be.
func (p *timersBeside) check() {
	if got, want := len(p.timers.heap), len(p.plain); got != want {
		p.t.Fatalf("operation %d: %d timers, want %d", p.ops, got, want)
	}
	seen := make(map[Timer]bool)
	for _, n := range p.live {
		if seen[n.name] {
			p.t.Fatalf("operation %d: two live timers are called %d", p.ops, n.name)
		}
		seen[n.name] = true
		if got := p.timers.heap[p.timers.place[n.name]]; got != (timed{n.e, n.name}) {
			p.t.Fatalf("operation %d: timer %d holds %+v, want %+v", p.ops, n.name, got, n.e)
		}
	}
}

// Most timers are cancelled, as deadlines are; the others happen. 400,000 operations each.
func TestTimersBehaveLikeASortedSlice(t *testing.T) {
	for _, inc := range increments {
		t.Run(inc.name, func(t *testing.T) {
			r := NewRand(2, inc.name)
			p := &timersBeside{t: t}
			for want := 0; p.ops < 400_000; {
				if p.ops%4000 < 3 {
					p.check()
					want = r.IntN(300)
				}
				switch {
				case len(p.live) == 0 || len(p.live) < want && r.IntN(3) > 0:
					p.set(inc.draw(r))
				case r.IntN(3) > 0:
					p.cancel(r.IntN(len(p.live)))
				default:
					p.pop()
				}
			}
			for len(p.live) > 0 {
				p.pop()
			}
			p.check()
			if e := p.timers.top(); e != nil {
				t.Fatalf("top of no timers is %+v, want none", *e)
			}
		})
	}
}

func TestTimerNamesAreUsedAgain(t *testing.T) {
	k := New(1)
	actor := k.Register(&recorder{k: k})
	for range 1000 {
		a := k.SetTimer(time.Second, actor, 1, 0)
		b := k.SetTimer(time.Second, actor, 2, 0)
		k.Cancel(a)
		k.Cancel(b)
	}
	if got := len(k.timers.place) - 1; got != 2 {
		t.Errorf("%d names for never more than two timers at a time, want 2", got)
	}
	for range 1000 {
		k.Cancel(k.SetTimeout(time.Second, actor, 1, 0))
	}
	if got := len(k.timeouts.nodes) - mostLines; got != 1 {
		t.Errorf("%d nodes for never more than one timeout, want 1", got)
	}
}

// Setting a deadline and cancelling it soon after, among others that are later.
func BenchmarkTimeoutSetCancel(b *testing.B) {
	for _, pending := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(pending), func(b *testing.B) {
			k, r := New(1), NewRand(1, "timeouts")
			ring := make([]Timer, pending)
			i := 0
			step := func() {
				k.now++
				i = (i + 1 + r.IntN(pending/10)) % pending // nearly in turn, as RPCs end
				k.Cancel(ring[i])
				ring[i] = k.SetTimeout(time.Second, 0, 0, 0)
			}
			for j := range ring {
				k.now++
				ring[j] = k.SetTimeout(time.Second, 0, 0, 0)
			}
			for range pending {
				step()
			}
			for b.Loop() {
				step()
			}
		})
	}
}

// The same with timers of random length, cancelled in any order.
func BenchmarkTimerSetCancelRandom(b *testing.B) {
	for _, pending := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(pending), func(b *testing.B) {
			k, r := New(1), NewRand(1, "timers")
			ring := make([]Timer, pending)
			set := func(i int) {
				k.now++
				ring[i] = k.SetTimer(time.Duration(r.Uint64()>>34), 0, 0, 0)
			}
			for j := range ring {
				set(j)
			}
			for b.Loop() {
				i := r.IntN(pending)
				k.Cancel(ring[i])
				set(i)
			}
		})
	}
}
