package record

import "lbsim/sim"

// InFlight integrates the number of attempts in flight to a backend: those that clients have sent
// and wait for. It includes attempts at a backend that is cut off, and not requests whose client
// has given up.
type InFlight struct {
	n    int64
	peak int64
	// sum is the sum of the moments at which attempts ended minus that of the moments at which they
	// were sent, modulo 2⁶⁴.
	sum uint64
}

// Add records that n more attempts are in flight (or, negative, fewer).
func (f *InFlight) Add(now sim.Time, n int64) {
	f.n += n
	f.peak = max(f.peak, f.n)
	f.sum -= uint64(n) * uint64(now)
}

// upTo returns the integral until now, in attempt-nanoseconds.
func (f *InFlight) upTo(now sim.Time) uint64 { return f.sum + uint64(f.n)*uint64(now) }

// start restarts the integral, at the end of the warm-up.
func (f *InFlight) start(now sim.Time) {
	f.peak = f.n
	f.sum = -uint64(f.n) * uint64(now)
}
