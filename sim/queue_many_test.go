package sim

import (
	"slices"
	"testing"
	"time"
	"unsafe"
)

// skewed are more distributions of increments, under most of which events are spread very unevenly.
var skewed = []struct {
	name string
	draw func(r *Rand) Time
}{
	{"uniform", func(r *Rand) Time { return Time(r.IntN(20_000_000)) }},
	{"two lengths", func(r *Rand) Time { return []Time{250_000, 10_000_000}[r.IntN(2)] }},
	{"two lengths and rarely a third", func(r *Rand) Time {
		switch r.IntN(1000) {
		case 0:
			return 10_000e9
		case 1, 2, 3, 4:
			return 1e9
		default:
			return []Time{250_000, 10_000_000}[r.IntN(2)] + Time(r.IntN(50_000))
		}
	}},
	{"few moments", func(r *Rand) Time { return Time(r.IntN(3)) << (15 * r.IntN(3)) }},
	{"all magnitudes", func(r *Rand) Time { return Time(r.Uint64() >> (24 + r.IntN(40))) }},
	{"some never", func(r *Rand) Time {
		if r.IntN(100) == 0 {
			return Never
		}
		return Time(r.IntN(1000))
	}},
}

// From none the queue grows to 50,000 events, stays there, and is emptied; and the same with 300.
func TestQueueOfManyBehavesLikeABinaryHeap(t *testing.T) {
	holds := 100_000
	if *long {
		holds = 10_000_000
	}
	for _, increment := range slices.Concat(skewed, increments) {
		t.Run(increment.name, func(t *testing.T) {
			r := NewRand(1, increment.name)
			c := &queueBeside{t: t, plain: &binaryHeap{}}
			for _, pending := range []int{50_000, 300} {
				for c.plain.len() < pending {
					if r.IntN(3) == 0 && c.plain.len() > 0 {
						c.look()
					}
					c.push(increment.draw(r))
					if r.IntN(3) == 0 {
						c.pop()
					}
				}
				for range holds {
					c.pop()
					c.push(increment.draw(r))
				}
				c.drain()
			}
		})
	}
}

// A queue that sorts events by how far off they are would fail here, or take minutes, if it took
// it for granted that they are spread, or that none comes before those it has begun to look at.
func TestQueueOfManyThatAreNotSpread(t *testing.T) {
	const n = 300_000
	t.Run("of one moment", func(t *testing.T) {
		c := &queueBeside{t: t, plain: &binaryHeap{}}
		for i := range n {
			c.push(1e9)
			if i == 0 {
				c.look()
			}
		}
		c.drain()
	})
	t.Run("before those looked at", func(t *testing.T) {
		c, r := &queueBeside{t: t, plain: &binaryHeap{}}, NewRand(1, "before")
		for range 1000 {
			c.push(10e9 + Time(r.IntN(1000)))
		}
		for range n {
			c.look()
			c.push(1 + Time(r.IntN(1e9)))
		}
		c.drain()
	})
}

// memory is what the queue has asked for, in bytes.
func (q *queue) memory() uintptr {
	return unsafe.Sizeof(*q) + uintptr(cap(q.ev)+cap(q.line))*unsafe.Sizeof(Event{}) +
		uintptr(cap(q.far.nodes))*unsafe.Sizeof(node{})
}

func TestQueueAllocatesNothingAndIsAtMostThriceItsEvents(t *testing.T) {
	for _, increment := range skewed {
		for _, pending := range []int{10, 1000, 30_000} {
			q, r, seq := &queue{}, NewRand(1, increment.name), uint64(0)
			push := func(now Time) {
				seq++
				q.push(Event{At: now.Add(time.Duration(increment.draw(r))), ord: seq << 8})
			}
			holds := func() {
				for range pending {
					q.top()
					push(q.pop().At)
				}
			}
			for range pending {
				push(0)
			}
			for range 3 { // until the moments are spread as they stay
				holds()
			}
			if got := testing.AllocsPerRun(5, holds); got != 0 {
				t.Errorf("%s: %v allocations in %d holds, want 0", increment.name, got, pending)
			}
			most := 8192 + 3*uintptr(pending)*unsafe.Sizeof(Event{})
			if got := q.memory(); got > most {
				t.Errorf("%s: %d events are held in %d bytes, want at most %d",
					increment.name, pending, got, most)
			}
		}
	}
}
