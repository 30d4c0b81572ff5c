package record

import "lbsim/sim"

// InFlight follows how many attempts clients have sent to a backend and wait for, and for how long.
// So it counts what hangs on a backend that hears or says nothing, and not what a backend works on
// for clients that have given up.
type InFlight struct {
	n    int64
	peak int64
	// sum is, modulo 2⁶⁴, the moments at which attempts ended less those at which they were sent.
	sum uint64
}

// Add says that n attempts more are waited for (or, negative, fewer).
func (f *InFlight) Add(now sim.Time, n int64) {
	f.n += n
	f.peak = max(f.peak, f.n)
	f.sum -= uint64(n) * uint64(now)
}

// upTo is how many were waited for, summed up over the time until now, in attempt-nanoseconds.
func (f *InFlight) upTo(now sim.Time) uint64 { return f.sum + uint64(f.n)*uint64(now) }

// start forgets the past, for instance the warm-up.
func (f *InFlight) start(now sim.Time) {
	f.peak = f.n
	f.sum = -uint64(f.n) * uint64(now)
}
