package record

import "lbsim/sim"

// Load integrates the number of requests at a backend over time.
type Load struct {
	n       int64 // requests held now: in service or queued
	workers int64
	since   sim.Time // when n last changed
	held    uint64   // n summed up over time, in request-nanoseconds
	busy    uint64   // the part of held that was in service
	peak    int64

	done   uint64 // requests that were served to the end
	wasted uint64 // those of them whose client had given up

	// The workers as the backend counts them, to check the above: how many are busy, and the sum of
	// the moments at which services ended minus that of the moments at which they began, modulo
	// 2⁶⁴.
	serving int64
	spans   uint64
}

// NewLoad returns the load of a backend that serves as many requests at once as it has workers.
func NewLoad(workers int) Load { return Load{workers: int64(workers)} }

// Add records that n requests have arrived (or, negative, left).
func (l *Load) Add(now sim.Time, n int64) {
	l.upTo(now)
	l.n += n
	l.peak = max(l.peak, l.n)
}

// Work records that n more workers are busy (or, negative, fewer).
func (l *Load) Work(now sim.Time, n int64) {
	l.serving += n
	l.spans -= uint64(n) * uint64(now)
}

// Done records that a request was served to the end; wasted if its client had given up.
func (l *Load) Done(wasted bool) {
	l.done++
	if wasted {
		l.wasted++
	}
}

// served returns the sum of all service times up to now.
func (l *Load) served(now sim.Time) uint64 { return l.spans + uint64(l.serving)*uint64(now) }

func (l *Load) upTo(now sim.Time) {
	dt := uint64(now - l.since)
	l.since = now
	l.held += dt * uint64(l.n)
	l.busy += dt * uint64(min(l.n, l.workers))
}

// start restarts all sums, at the end of the warm-up.
func (l *Load) start(now sim.Time) {
	l.upTo(now)
	l.held, l.busy, l.peak, l.done, l.wasted = 0, 0, l.n, 0, 0
	l.spans = -uint64(l.serving) * uint64(now)
}
