package sim

import (
	"flag"
	"slices"
	"testing"
	"time"
)

// sorted is the plain thing beside which queue and timers are tested: a slice in order, last first,
// so that taking the next event is taking the last element.
type sorted []Event

func (s *sorted) push(e Event) {
	i, _ := slices.BinarySearchFunc(*s, e, func(a, b Event) int {
		if b.before(&a) {
			return -1
		}
		return 1
	})
	*s = slices.Insert(*s, i, e)
}

func (s *sorted) pop() Event {
	n := len(*s) - 1
	e := (*s)[n]
	*s = (*s)[:n]
	return e
}

func (s *sorted) next() Event { return (*s)[len(*s)-1] }
func (s *sorted) len() int    { return len(*s) }

// increments are the distributions by which a test schedules the next event, in nanoseconds from
// now.
var increments = []struct {
	name string
	draw func(r *Rand) Time
}{
	// A geometric number of halvings: spread over many orders of magnitude, seldom equal.
	{"exponential-like", func(r *Rand) Time { return Time(r.Uint64() >> (20 + r.IntN(40))) }},
	{"constant", func(*Rand) Time { return 1000 }},
	{"mostly zero", func(r *Rand) Time { return max(0, Time(r.IntN(10))-8) }},
}

// queueBeside drives a queue and a plain one through the same operations and compares them.
type queueBeside struct {
	t     *testing.T
	queue queue
	plain interface {
		push(Event)
		pop() Event
		next() Event // without taking it
		len() int
	}
	now Time
	seq uint64
	ops int
}

func (p *queueBeside) push(d Time) {
	p.seq++
	p.ops++
	at := p.now.Add(time.Duration(d))
	e := Event{At: at, ord: p.seq<<8 | p.seq&0xff, To: ID(p.seq), Arg: uint32(p.ops)}
	p.queue.push(e)
	p.plain.push(e)
	p.checkLen()
}

// look asks for the next event, as is done each time that a timer might come before it.
func (p *queueBeside) look() {
	if got, want := *p.queue.top(), p.plain.next(); got != want {
		p.t.Fatalf("operation %d: top is %+v, want %+v", p.ops, got, want)
	}
	p.checkLen()
}

func (p *queueBeside) pop() {
	p.ops++
	p.look()
	got, want := p.queue.pop(), p.plain.pop()
	if got != want {
		p.t.Fatalf("operation %d: popped %+v, want %+v", p.ops, got, want)
	}
	p.now = want.At
	p.checkLen()
}

// drain pops all there is.
func (p *queueBeside) drain() {
	for p.plain.len() > 0 {
		p.pop()
	}
	p.checkEmpty()
}

func (p *queueBeside) checkEmpty() {
	if e := p.queue.top(); e != nil {
		p.t.Fatalf("operation %d: top of an empty queue is %+v, want none", p.ops, *e)
	}
	p.checkLen()
}

func (p *queueBeside) checkLen() {
	if got, want := p.queue.len(), p.plain.len(); got != want {
		p.t.Fatalf("operation %d: queue of %d events, want %d", p.ops, got, want)
	}
}

var long = flag.Bool("long", false, "try ten million operations in place of some 100,000s")

// A calendar queue has been seen to pass a short test of this sort and to fail a long one, hence
// 600,000 operations for each distribution, or ten million. The number of pending events wanders
// between 0 and some 2,000.
func TestQueueBehavesLikeASortedSlice(t *testing.T) {
	operations := 600_000
	if *long {
		operations = 10_000_000
	}
	for _, inc := range slices.Concat(increments, skewed) {
		t.Run(inc.name, func(t *testing.T) {
			r := NewRand(1, inc.name)
			p := &queueBeside{t: t, plain: &sorted{}}
			for p.ops < operations {
				grow := r.IntN(2000)
				for p.plain.len() < grow { // more come than go: 0 to 3 from each handler
					if p.plain.len() > 0 {
						p.pop()
					}
					for range r.IntN(4) {
						p.push(inc.draw(r))
					}
				}
				for range 3 * grow { // the steady state: one from each handler
					if p.plain.len() > 0 {
						p.pop()
					}
					p.push(inc.draw(r))
				}
				for shrink := r.IntN(2) * r.IntN(grow+1); p.plain.len() > shrink; { // the drain
					p.pop()
					if r.IntN(4) == 0 {
						p.push(inc.draw(r))
					}
				}
			}
			p.drain()
		})
	}
}

// The root that pop leaves empty is the one state that a plain heap does not have. Every sequence
// of nine operations is tried: push early, push late, pop, look at the top.
func TestQueueWithTheHoleInEveryState(t *testing.T) {
	for n := range 1 << (2 * 9) {
		p := &queueBeside{t: t, plain: &sorted{}}
		for code, left := n, 9; left > 0; code, left = code>>2, left-1 {
			switch code & 3 {
			case 0:
				p.push(0)
			case 1:
				p.push(2)
			case 2:
				if p.plain.len() > 0 {
					p.pop()
				}
			case 3:
				if p.plain.len() > 0 {
					if got, want := *p.queue.top(), p.plain.next(); got != want {
						t.Fatalf("code %#x: top is %+v, want %+v", n, got, want)
					}
				} else {
					p.checkEmpty()
				}
			}
		}
		p.drain()
	}
}
