package models

import (
	"time"

	"lbsim/policies"
)

// Discipline is the rule by which a backend's workers choose among its requests. All are
// work-conserving: no worker idles while a request waits.
type Discipline uint8

const (
	// FIFO is first in, first out: a free worker takes the request that has waited longest.
	FIFO Discipline = iota
	// LIFO is last in, first out: a free worker takes the request that came last. Work that has
	// begun is finished.
	LIFO
	// PreemptiveLIFO gives the workers to the requests that came last, at once. The requests that
	// they interrupt resume later from where they were.
	PreemptiveLIFO
	// ProcessorSharing serves all requests at once. With n requests and c workers each is served at
	// the rate min(1, c/n). It is the limit of round robin with short time slices.
	ProcessorSharing
)

var disciplines = []string{"fifo", "lifo", "lifo_preemptive", "ps"}

// String returns the discipline as a user writes it.
func (d Discipline) String() string { return word(d, disciplines) }

// MarshalText writes the discipline so that it reads back.
func (d Discipline) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a discipline.
func (d *Discipline) UnmarshalText(text []byte) error {
	return readWord(d, "discipline", text, disciplines)
}

// StartsAtOnce reports whether a request starts on arrival, so that its service may be slowed or
// interrupted later.
func (d Discipline) StartsAtOnce() bool { return d >= PreemptiveLIFO }

// scheduler holds the requests in service at a backend whose discipline starts them on arrival. It
// schedules an event backendScheduledDone for each end of work.
type scheduler interface {
	// add adds a request; work is its service time with a worker to itself.
	add(h handle, work time.Duration)
	// done removes the request whose work is done and returns it; arg is that of the event.
	done(arg uint32) handle
	// drop removes a request whose work is not done.
	drop(h handle)
	// clear removes all requests and returns them.
	clear() []handle
}

// newScheduler returns the scheduler of a backend's discipline, nil for those that use the queue.
func newScheduler(b *backend) scheduler {
	switch b.group.Discipline {
	case PreemptiveLIFO:
		return &preemptiveLIFO{k: b.w.k, to: b.id, workers: b.group.Workers}
	case ProcessorSharing:
		return &processorSharing{k: b.w.k, to: b.id, workers: float64(b.group.Workers)}
	}
	return nil
}

// schedule starts a request if fewer than Workers + Queue are there, and refuses it otherwise.
func (b *backend) schedule(h handle, r *rpc) {
	if b.group.Queue >= 0 && b.scheduled >= b.group.Workers+int(b.group.Queue) {
		b.refuse(h, r, b.group.OnFull.Code(), queueFull)
		return
	}
	b.startScheduled(h, r)
}

// startScheduled starts a request beside the others.
func (b *backend) startScheduled(h handle, r *rpc) {
	b.load.Add(b.w.k.Now(), 1)
	b.scheduled++
	r.place = inService
	b.scheduler.add(h, b.timeFor(b.work(r)))
	b.w.rpcs.extra[h].drawn = b.w.net.draw(r, saltReply)
	b.updateBusy()
}

// scheduledDone handles the end of work in the scheduler.
func (b *backend) scheduledDone(arg uint32) {
	h := b.scheduler.done(arg)
	b.finish(h, b.w.rpcs.at(h))
	b.scheduledGone()
}

// scheduledGone records that a request has left the scheduler.
func (b *backend) scheduledGone() {
	b.load.Add(b.w.k.Now(), -1)
	b.scheduled--
	b.updateBusy()
}

// updateBusy makes min(scheduled, Workers) workers busy.
func (b *backend) updateBusy() {
	if more := min(b.scheduled, b.group.Workers) - int(b.busy); more != 0 {
		b.occupy(int32(more))
	}
}

// waiting returns how many requests have no worker, counting one for each busy worker.
func (b *backend) waiting() int {
	if b.scheduler != nil {
		return b.scheduled - int(b.busy)
	}
	return int(b.queue.n - b.dropped)
}

// enqueue puts a request into the queue.
func (b *backend) enqueue(h handle, r *rpc) {
	r.place = queued
	b.w.rpcs.extra[h].drawn = b.work(r)
	if b.group.Discipline == LIFO {
		b.w.rpcs.unshift(&b.queue, h)
		return
	}
	b.w.rpcs.push(&b.queue, h)
}

// missed records that the deadline of an RPC has passed, for overdue.
func (r *rpc) missed() {
	if r.place <= queued {
		r.status = r.status.with(policies.DeadlineExceeded)
	}
}

// overdue reports whether the deadline of a queued request has passed. A backend knows the deadline
// from the header grpc-timeout; its clock agrees with that of its clients.
func (r *rpc) overdue() bool { return r.status.code() == policies.DeadlineExceeded }

// dropOverdue drops an overdue request.
func (b *backend) dropOverdue(h handle, r *rpc) {
	r.place = dropped
	b.load.Add(b.w.k.Now(), -1)
	b.handlerDropped(r)
	b.w.rpcs.release(h)
}
