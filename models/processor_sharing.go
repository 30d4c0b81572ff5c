package models

import (
	"math"
	"time"

	"lbsim/sim"
)

// processorSharing is the scheduler of that discipline. All requests attain service at the same
// rate, so one number serves for all: attained, the service of a request that was always there. A
// request that came at attained = a with work w ends at attained = a + w. A heap orders the ends.
//
// Example: one worker, work of 10 ns at time 0 and of 2 ns at time 4. At 4 attained is 4, and the
// second ends at 6: at the rate 1/2 that is time 8. The first ends at 10, alone again: time 12.
type processorSharing struct {
	k        *sim.Kernel
	to       sim.ID
	workers  float64
	heap     []psRequest // binary heap by end, the next to end first
	arrivals uint64      // requests so far
	attained float64     // in ns of work, at the moment since; 0 while no request is there
	since    sim.Time    // when attained was computed
	next     sim.Timer   // the next end; 0 where there is no request
}

// psRequest is a request of processorSharing.
type psRequest struct {
	end    float64 // attained at its end
	number uint64  // among the arrivals; of equal ends the lower comes first
	h      handle
}

// before reports whether s ends before o.
func (s *psRequest) before(o *psRequest) bool {
	return s.end < o.end || s.end == o.end && s.number < o.number
}

// rate is the service that each request attains per unit of time, 0 to 1.
func (e *processorSharing) rate() float64 { return min(1, e.workers/float64(len(e.heap))) }

// advance computes attained for this moment.
func (e *processorSharing) advance() {
	now := e.k.Now()
	if len(e.heap) == 0 {
		e.attained = 0 // small numbers have the smaller rounding errors
	} else {
		e.attained += float64(float64(now-e.since) * e.rate())
	}
	e.since = now
}

// plan sets the timer for the next end, at the first nanosecond at which its work is done.
func (e *processorSharing) plan() {
	if e.next != 0 {
		e.k.Cancel(e.next)
		e.next = 0
	}
	if len(e.heap) > 0 {
		wait := max(0, math.Ceil((e.heap[0].end-e.attained)/e.rate()))
		e.next = e.k.SetTimer(nanoseconds(wait), e.to, backendScheduledDone, 0)
	}
}

// add begins the service of a request. It ends when the attained service has grown by its work.
func (e *processorSharing) add(h handle, work time.Duration) {
	e.advance()
	e.heap = append(e.heap, psRequest{})
	e.up(len(e.heap)-1, psRequest{e.attained + float64(work), e.arrivals, h})
	e.arrivals++
	e.plan()
}

// done ends the service of the request with the least end, for which the event was planned.
func (e *processorSharing) done(uint32) handle {
	e.next = 0
	e.advance()
	first := e.heap[0]
	e.attained = max(e.attained, first.end) // rounding may have left it a little lower
	e.remove(0)
	e.plan()
	return first.h
}

// drop searches the whole heap: cancellations are rare.
func (e *processorSharing) drop(h handle) {
	e.advance()
	i := 0
	for e.heap[i].h != h {
		i++
	}
	e.remove(i)
	e.plan()
}

// clear removes all requests and returns them.
func (e *processorSharing) clear() (all []handle) {
	for _, s := range e.heap {
		all = append(all, s.h)
	}
	e.heap = e.heap[:0]
	e.plan()
	return all
}

// remove removes the request at place i of the heap.
func (e *processorSharing) remove(i int) {
	n := len(e.heap) - 1
	last := e.heap[n]
	e.heap = e.heap[:n]
	switch {
	case i == n:
	case i > 0 && last.before(&e.heap[(i-1)/2]):
		e.up(i, last)
	default:
		e.down(i, last)
	}
}

// up puts s at place i of the heap or nearer to its root.
func (e *processorSharing) up(i int, s psRequest) {
	for i > 0 && s.before(&e.heap[(i-1)/2]) {
		e.heap[i] = e.heap[(i-1)/2]
		i = (i - 1) / 2
	}
	e.heap[i] = s
}

// down puts s at place i of the heap or further from its root.
func (e *processorSharing) down(i int, s psRequest) {
	for {
		c := 2*i + 1
		if c+1 < len(e.heap) && e.heap[c+1].before(&e.heap[c]) {
			c++
		}
		if c >= len(e.heap) || !e.heap[c].before(&s) {
			break
		}
		e.heap[i] = e.heap[c]
		i = c
	}
	e.heap[i] = s
}
