package models

import (
	"math"
	"time"

	"lbsim/sim"
)

// processorSharing has the requests of that discipline. All advance alike, so one number says how
// far: attained. A request ends when that has grown by its work, and a heap knows which is next.
type processorSharing struct {
	k        *sim.Kernel
	to       sim.ID
	workers  float64
	heap     []psRequest // the next to end first; each before those at twice its place
	arrivals uint64
	attained float64 // nanoseconds of work that a request has had which was always there
	since    sim.Time
	next     sim.Timer // 0 where there is no request
}

// equalShare is a request. Of those that end together the one that came first is first.
type psRequest struct {
	end    float64 // what is attained when it ends
	number uint64  // among the arrivals
	h      handle
}

func (s *psRequest) before(o *psRequest) bool {
	return s.end < o.end || s.end == o.end && s.number < o.number
}

func (e *processorSharing) rate() float64 { return min(1, e.workers/float64(len(e.heap))) }

// advance works up to this moment.
func (e *processorSharing) advance() {
	now := e.k.Now()
	if len(e.heap) == 0 {
		e.attained = 0 // anew, so that it stays exact
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

func (e *processorSharing) add(h handle, work time.Duration) {
	e.advance()
	e.heap = append(e.heap, psRequest{})
	e.up(len(e.heap)-1, psRequest{e.attained + float64(work), e.arrivals, h})
	e.arrivals++
	e.plan()
}

func (e *processorSharing) done(uint32) handle {
	e.next = 0
	e.advance()
	first := e.heap[0]
	e.attained = max(e.attained, first.end) // but for rounding it is there
	e.remove(0)
	e.plan()
	return first.h
}

// drop looks for the request among all of them: it is called where clients give up.
func (e *processorSharing) drop(h handle) {
	e.advance()
	i := 0
	for e.heap[i].h != h {
		i++
	}
	e.remove(i)
	e.plan()
}

func (e *processorSharing) clear() (all []handle) {
	for _, s := range e.heap {
		all = append(all, s.h)
	}
	e.heap = e.heap[:0]
	e.plan()
	return all
}

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

// up puts s, which belongs at place i or nearer to the first, where it belongs.
func (e *processorSharing) up(i int, s psRequest) {
	for i > 0 && s.before(&e.heap[(i-1)/2]) {
		e.heap[i] = e.heap[(i-1)/2]
		i = (i - 1) / 2
	}
	e.heap[i] = s
}

// down puts s, which belongs at place i or further from the first, where it belongs.
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
