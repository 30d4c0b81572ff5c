package models

import (
	"fmt"
	"slices"
	"time"

	"lbsim/internal/nearest"
	"lbsim/policies"
	"lbsim/sim"
)

// Discipline says which of its requests a backend works on. Whatever it is, a backend that has
// enough requests keeps all of its workers busy.
type Discipline uint8

const (
	// FIFO gives a worker that is free the request that has waited longest.
	FIFO Discipline = iota
	// LIFO gives it the one that has come last.
	LIFO
	// PreemptiveLIFO gives the workers to the requests that have come last, at once. The others
	// wait, and go on later where they were broken off.
	PreemptiveLIFO
	// ProcessorSharing works on all requests at once, in equal parts: with more requests than
	// workers, each slower by so much. It is the limit of a scheduler with short time slices.
	ProcessorSharing
)

var disciplines = []string{"fifo", "lifo", "lifo_preemptive", "ps"}

// String returns the discipline as a user writes it.
func (d Discipline) String() string { return disciplines[d] }

// MarshalText writes the discipline so that it reads back.
func (d Discipline) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a discipline.
func (d *Discipline) UnmarshalText(text []byte) error {
	i := slices.Index(disciplines, string(text))
	if i < 0 {
		return fmt.Errorf("unknown discipline %q%s", text,
			nearest.Hint(string(text), disciplines))
	}
	*d = Discipline(i)
	return nil
}

// Shares says whether requests are begun at once, so that none keeps a worker from begin to end.
func (d Discipline) StartsAtOnce() bool { return d >= PreemptiveLIFO }

// sharing is the requests at a backend whose discipline shares.
type scheduler interface {
	// add takes in a request, with what it will take once it has a worker to itself.
	add(h handle, work time.Duration)
	// done takes out a request whose work is done; arg is that of backendShared.
	done(arg uint32) handle
	// drop takes out a request before its work is done.
	drop(h handle)
	// clear takes out all requests and returns them.
	clear() []handle
}

func newScheduler(b *backend) scheduler {
	switch b.group.Discipline {
	case PreemptiveLIFO:
		return &preemptiveLIFO{k: b.w.k, to: b.id, workers: b.group.Workers}
	case ProcessorSharing:
		return &processorSharing{k: b.w.k, to: b.id, workers: float64(b.group.Workers)}
	}
	return nil
}

// share takes a request in hand beside the others, if there is room.
func (b *backend) schedule(h handle, r *rpc) {
	if b.group.Queue >= 0 && b.scheduled >= b.group.Workers+b.group.Queue {
		b.refuse(h, r, b.group.OnFull, queueFull)
		return
	}
	b.startScheduled(h, r)
}

// begin takes it in hand.
func (b *backend) startScheduled(h handle, r *rpc) {
	b.load.Add(b.w.k.Now(), 1)
	b.scheduled++
	r.place = inService
	b.scheduler.add(h, b.timeFor(b.work(r)))
	b.w.rpcs.extra[h].drawn = b.w.net.draw(r, saltReply)
	b.updateBusy()
}

// sharedDone is the end of a request's work.
func (b *backend) scheduledDone(arg uint32) {
	h := b.scheduler.done(arg)
	b.finish(h, b.w.rpcs.at(h))
	b.scheduledGone()
}

// unshare takes note that a request is gone.
func (b *backend) scheduledGone() {
	b.load.Add(b.w.k.Now(), -1)
	b.scheduled--
	b.updateBusy()
}

// settle makes as many workers busy as there is work for.
func (b *backend) updateBusy() {
	if more := min(b.scheduled, b.group.Workers) - int(b.busy); more != 0 {
		b.occupy(int32(more))
	}
}

// waiting is how many requests have no worker, as if each worker had one at a time.
func (b *backend) waiting() int {
	if b.scheduler != nil {
		return b.scheduled - int(b.busy)
	}
	return int(b.queue.n - b.dropped)
}

// enqueue puts a request where its turn will be.
func (b *backend) enqueue(h handle, r *rpc) {
	r.place = queued
	b.w.rpcs.extra[h].drawn = b.work(r)
	if b.group.Discipline == LIFO {
		b.w.rpcs.unshift(&b.queue, h)
		return
	}
	b.w.rpcs.push(&b.queue, h)
}

// missed takes note that the deadline of an RPC has come.
func (r *rpc) missed() {
	if r.place <= queued {
		r.status = r.status.with(policies.DeadlineExceeded)
	}
}

// overdue says whether the deadline of a request in the queue has passed. A backend knows the
// deadline (grpc-timeout), and the time as its clients do.
func (r *rpc) overdue() bool { return r.status.code() == policies.DeadlineExceeded }

// pass drops an overdue request.
func (b *backend) dropOverdue(h handle, r *rpc) {
	r.place = dropped
	b.load.Add(b.w.k.Now(), -1)
	b.handlerDropped(r)
	b.w.rpcs.release(h)
}

// latestFirst has the requests of preemptive LIFO.
type preemptiveLIFO struct {
	k       *sim.Kernel
	to      sim.ID
	workers int
	stack   []lifoRequest // in order of arrival; the last have the workers
}

// stacked is a request: either at work until a timer ends it, or broken off.
type lifoRequest struct {
	h         handle
	end       sim.Timer     // 0 while it is broken off
	remaining time.Duration // then
}

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

func (l *preemptiveLIFO) resume(i int) {
	s := &l.stack[i]
	s.end = l.k.SetTimer(s.remaining, l.to, backendScheduledDone, uint32(s.h))
}

func (l *preemptiveLIFO) done(arg uint32) handle {
	i := l.find(handle(arg))
	l.stack[i].end = 0
	l.remove(i, true)
	return handle(arg)
}

func (l *preemptiveLIFO) drop(h handle) {
	i := l.find(h)
	end := l.stack[i].end
	if end != 0 {
		l.k.Cancel(end)
	}
	l.remove(i, end != 0)
}

// find looks from the end, where the workers are.
func (l *preemptiveLIFO) find(h handle) int {
	i := len(l.stack) - 1
	for l.stack[i].h != h {
		i--
	}
	return i
}

// remove takes out a request. If that had a worker, the next gets it.
func (l *preemptiveLIFO) remove(i int, working bool) {
	l.stack = slices.Delete(l.stack, i, i+1)
	if next := len(l.stack) - l.workers; working && next >= 0 {
		l.resume(next)
	}
}

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
