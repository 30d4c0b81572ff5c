package models

import (
	"slices"
	"time"

	"lbsim/sim"
)

// preemptiveLIFO is the scheduler of that discipline: a stack whose top requests have the workers.
//
// Invariant: the last min(len(stack), workers) requests have end != 0, the others have end == 0.
type preemptiveLIFO struct {
	k       *sim.Kernel
	to      sim.ID
	workers int
	stack   []lifoRequest // in order of arrival
}

// lifoRequest is a request of preemptiveLIFO: in service, or interrupted.
type lifoRequest struct {
	h         handle
	end       sim.Timer     // end of its work; 0 while it is interrupted
	remaining time.Duration // service time left when it was interrupted
}

// add gives a worker to the request, and interrupts the oldest in service if none is free.
func (l *preemptiveLIFO) add(h handle, work time.Duration) {
	if i := len(l.stack) - l.workers; i >= 0 {
		s := &l.stack[i]
		s.remaining = l.k.Due(s.end).Sub(l.k.Now())
		l.k.Cancel(s.end)
		s.end = 0
	}
	l.stack = append(l.stack, lifoRequest{h: h, remaining: work})
	l.resume(len(l.stack) - 1)
}

// resume gives a worker to a request.
func (l *preemptiveLIFO) resume(i int) {
	s := &l.stack[i]
	s.end = l.k.SetTimer(s.remaining, l.to, backendScheduledDone, uint32(s.h))
}

// done ends the service of the request that the event names.
func (l *preemptiveLIFO) done(arg uint32) handle {
	i := l.find(handle(arg))
	l.stack[i].end = 0
	l.remove(i, true)
	return handle(arg)
}

// drop removes a request, in service or interrupted.
func (l *preemptiveLIFO) drop(h handle) {
	i := l.find(h)
	end := l.stack[i].end
	if end != 0 {
		l.k.Cancel(end)
	}
	l.remove(i, end != 0)
}

// find searches from the end, where the requests in service are.
func (l *preemptiveLIFO) find(h handle) int {
	i := len(l.stack) - 1
	for l.stack[i].h != h {
		i--
	}
	return i
}

// remove removes a request. If it had a worker, the youngest interrupted request gets the worker.
func (l *preemptiveLIFO) remove(i int, working bool) {
	l.stack = slices.Delete(l.stack, i, i+1)
	if next := len(l.stack) - l.workers; working && next >= 0 {
		l.resume(next)
	}
}

// clear removes all requests and returns them, the earliest first.
func (l *preemptiveLIFO) clear() (all []handle) {
	for _, s := range l.stack {
		if s.end != 0 {
			l.k.Cancel(s.end)
		}
		all = append(all, s.h)
	}
	l.stack = l.stack[:0]
	return all
}
