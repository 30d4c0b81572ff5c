package sim

import (
	"fmt"
	"math/bits"
	"time"
)

// Kernel carries events to actors in their order. The zero Kernel is not ready: use [New].
type Kernel struct {
	now      Time
	seq      uint64
	queue    queue
	timers   timers
	timeouts timeouts
	due      Time // no timer and no timeout happens before
	actors   []Actor
	digest   digest
	events   uint64
	seed     uint64
	calls    calls // of AfterFunc

	follower Follower
}

// New returns a kernel at time 0. Its random streams depend on seed alone.
func New(seed uint64) *Kernel {
	k := &Kernel{seed: seed, digest: digestStart}
	k.calls.id = k.Register(&k.calls)
	return k
}

// Register adds an actor and returns its address.
func (k *Kernel) Register(a Actor) ID {
	k.actors = append(k.actors, a)
	return ID(len(k.actors) - 1)
}

// Now is the moment of the event that is being handled; between runs, the moment reached.
func (k *Kernel) Now() Time { return k.now }

// Rand returns the random stream with this name. Asking twice gives the stream from its beginning
// twice, so each part keeps the stream it asked for.
func (k *Kernel) Rand(name string) *Rand { return NewRand(k.seed, name) }

// At schedules kind to happen to an actor at a moment that is not past, about arg.
func (k *Kernel) At(t Time, to ID, kind Kind, arg uint32) {
	k.queue.push(k.event(t, to, kind, arg))
}

// AtFirst is At for a later moment, before all else of that moment which At and After schedule, no
// matter in which order. It is for events that part the run in stretches; of two of the same moment
// the lower kind comes first.
func (k *Kernel) AtFirst(t Time, to ID, kind Kind, arg uint32) {
	if t <= k.now {
		panic(fmt.Sprintf("sim: event for actor %d scheduled as the first of %v, which is not "+
			"after now, %v", to, t, k.now))
	}
	k.queue.push(Event{At: t, ord: uint64(kind), To: to, Arg: arg})
}

// After schedules kind to happen to an actor d from now, about arg.
func (k *Kernel) After(d time.Duration, to ID, kind Kind, arg uint32) {
	k.queue.push(k.event(k.now.Add(d), to, kind, arg))
}

// SetTimer is After for an event that will usually be cancelled. The timer's name is good until the
// event happens or is cancelled, not longer: it is then given to another.
func (k *Kernel) SetTimer(d time.Duration, to ID, kind Kind, arg uint32) Timer {
	return k.timers.set(k.timed(d, to, kind, arg))
}

// SetTimeout is SetTimer for a length of time that many timers have. Of up to eight such lengths
// the timers are quicker to set and to cancel.
func (k *Kernel) SetTimeout(d time.Duration, to ID, kind Kind, arg uint32) Timer {
	e := k.timed(d, to, kind, arg)
	if line := k.timeouts.line(d); line < mostLines {
		return k.timeouts.set(line, e)
	}
	return k.timers.set(e)
}

// Cancel takes back an event that has neither happened nor been cancelled.
func (k *Kernel) Cancel(t Timer) {
	if t&inLine != 0 {
		k.timeouts.cancel(t)
		return
	}
	k.timers.cancel(t)
}

// Due is when the event of a timer will happen that is set.
func (k *Kernel) Due(t Timer) Time {
	if t&inLine != 0 {
		return k.timeouts.due(t)
	}
	return k.timers.due(t)
}

// timed is the event of a timer.
func (k *Kernel) timed(d time.Duration, to ID, kind Kind, arg uint32) Event {
	e := k.event(k.now.Add(d), to, kind, arg)
	k.due = min(k.due, e.At)
	return e
}

// event returns the next event in order of scheduling. An event in the past is a bug of the caller.
func (k *Kernel) event(t Time, to ID, kind Kind, arg uint32) Event {
	if t < k.now {
		panic(fmt.Sprintf("sim: event for actor %d scheduled at %v, which is before now, %v",
			to, t, k.now))
	}
	k.seq++
	return Event{At: t, ord: k.seq<<8 | uint64(kind), To: to, Arg: arg}
}

// Where the next event comes from.
const (
	fromQueue = iota
	fromTimeouts
	fromTimers
)

// Run handles events up to and including moment until, at most limit of them, and reports whether
// it got there; if not, another call continues. When it got there, Now is until, or where it was if
// that is later.
func (k *Kernel) Run(until Time, limit int) bool {
	for range limit {
		next, from := k.queue.top(), fromQueue
		if next == nil || next.At >= k.due {
			next, from = k.sooner(next)
		}
		if k.follower != nil {
			next, from = k.lead(next, from, until)
		}
		if next == nil || next.At > until {
			k.now = max(k.now, until)
			return true
		}
		switch from {
		case fromQueue:
			k.handle(k.queue.pop())
		case fromTimeouts:
			k.handle(k.timeouts.pop())
		case fromTimers:
			k.handle(k.timers.pop())
		}
	}
	return false
}

// sooner returns the next event and where it comes from, given that of the queue.
func (k *Kernel) sooner(next *Event) (*Event, int) {
	from := fromQueue
	k.due = Never
	if e := k.timeouts.top(); e != nil {
		k.due = e.At
		if next == nil || e.before(next) {
			next, from = e, fromTimeouts
		}
	}
	if e := k.timers.top(); e != nil {
		k.due = min(k.due, e.At)
		if next == nil || e.before(next) {
			next, from = e, fromTimers
		}
	}
	return next, from
}

// Follower is another clock that goes along with that of a kernel.
type Follower interface {
	// Follow is called before time moves on, with the moment to which it will move, and reports
	// whether the clock is there. If something happens on it before, it stops there, schedules that
	// with the kernel and returns false: it is asked again when that has been handled, or for an
	// earlier moment before.
	Follow(to Time) bool
}

// Follow has f go along with time.
func (k *Kernel) Follow(f Follower) { k.follower = f }

// Follower is what goes along with time, nil if nothing does.
func (k *Kernel) Follower() Follower { return k.follower }

// lead takes the follower to where time moves, and returns which event comes next then and where it
// comes from.
func (k *Kernel) lead(next *Event, from int, until Time) (*Event, int) {
	for {
		to := until
		if next != nil {
			to = min(to, next.At)
		}
		if to <= k.now || k.follower.Follow(to) {
			return next, from
		}
		next, from = k.sooner(k.queue.top())
	}
}

// handle moves the clock to an event, adds it to the digest and gives it to its actor.
func (k *Kernel) handle(ev Event) {
	k.now = ev.At
	k.events++
	k.digest = k.digest.add(ev)
	k.actors[ev.To].Handle(ev)
}

// Digest returns a number that depends on all events handled so far: their moments, actors, kinds
// and arguments, in order. Equal digests mean equal runs.
func (k *Kernel) Digest() uint64 { return uint64(k.digest) }

// Events is how many events have been handled.
func (k *Kernel) Events() uint64 { return k.events }

// Pending is how many events are yet to happen.
func (k *Kernel) Pending() int { return k.queue.len() + k.timeouts.len() + len(k.timers.heap) }

// less returns 1 where e happens before f and 0 where not, without a branch: the borrow of the
// 128-bit subtraction of the two keys. Moments are not negative, so they compare as they are.
func less(e, f *Event) int {
	_, b := bits.Sub64(e.ord, f.ord, 0)
	_, b = bits.Sub64(uint64(e.At), uint64(f.At), b)
	return int(b)
}
