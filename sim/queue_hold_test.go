package sim

import (
	"fmt"
	"testing"
)

// binaryHeap is the queue that many would write who know their CPU: a heap in which each node has
// two children, of which the lesser is found without a branch. It is what the queue is compared
// with.
type binaryHeap struct{ ev []Event }

func (b *binaryHeap) push(e Event) {
	b.ev = append(b.ev, e)
	i := len(b.ev) - 1
	for i > 0 && e.before(&b.ev[(i-1)/2]) {
		b.ev[i] = b.ev[(i-1)/2]
		i = (i - 1) / 2
	}
	b.ev[i] = e
}

func (b *binaryHeap) pop() Event {
	first, n := b.ev[0], len(b.ev)-1
	e := b.ev[n]
	ev := b.ev[:n]
	b.ev = ev
	i := 0
	for c := 1; c < n; c = 2*i + 1 {
		if c+1 < n {
			c += less(&ev[c+1], &ev[c])
		}
		if e.before(&ev[c]) {
			break
		}
		ev[i] = ev[c]
		i = c
	}
	if n > 0 {
		ev[i] = e
	}
	return first
}

func (b *binaryHeap) next() Event { return b.ev[0] }
func (b *binaryHeap) len() int    { return len(b.ev) }

// TestBinaryHeapBesideTheQueue keeps the yardstick honest: it gives the same events.
func TestBinaryHeapBesideTheQueue(t *testing.T) {
	q, b, r := &queue{}, &binaryHeap{}, NewRand(1, "binary")
	now := Time(0)
	for seq := range uint64(100_000) {
		e := Event{At: now + Time(r.IntN(1000)), ord: seq << 8}
		q.push(e)
		b.push(e)
		if r.IntN(2) == 0 {
			q.top()
			got, want := b.pop(), q.pop()
			if got != want {
				t.Fatalf("event %d: got %+v, want %+v", seq, got, want)
			}
			now = want.At
		}
	}
}

// The hold model: take the next event, schedule one, with the number of pending events unchanged.
func BenchmarkQueueHold(b *testing.B) {
	for _, pending := range []int{10, 100, 1000, 10_000, 100_000, 1_000_000} {
		q := &queue{}
		b.Run(fmt.Sprint(pending), func(b *testing.B) {
			hold(b, pending, q.push, func() Event {
				q.top()
				return q.pop()
			})
		})
		h := &binaryHeap{}
		b.Run(fmt.Sprint("binary/", pending), func(b *testing.B) {
			hold(b, pending, h.push, h.pop)
		})
	}
}

// hold prepares a queue until the pending moments are spread as they stay, and measures.
func hold(b *testing.B, pending int, push func(Event), pop func() Event) {
	r, seq := NewRand(1, "hold"), uint64(0)
	step := func(now Time) {
		seq++
		push(Event{At: now + Time(r.Uint64()>>34), ord: seq << 8})
	}
	for range pending {
		step(0)
	}
	for range 3 * pending {
		step(pop().At)
	}
	for b.Loop() {
		step(pop().At)
	}
	for range pending {
		pop()
	}
}
