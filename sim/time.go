package sim

import (
	"math/bits"
	"time"
)

// Time is a moment: nanoseconds since the run began. Lengths of time are time.Duration.
type Time int64

// Never lies beyond every moment that a run can reach.
const Never Time = 1<<63 - 1

// Add returns the moment d after t. Beyond [Never] it stays at Never.
func (t Time) Add(d time.Duration) Time {
	s := t + Time(d)
	if d > 0 && s < t {
		return Never
	}
	return s
}

// Plus returns a + b, of which neither is negative; a sum too long for a Duration becomes the
// longest. It is for lengths of time that are drawn or come from a user.
func Plus(a, b time.Duration) time.Duration { return time.Duration(Time(a).Add(b)) }

// Times returns n·d, of which neither is negative; a product too long for a Duration becomes the
// longest.
func Times(n int, d time.Duration) time.Duration {
	high, low := bits.Mul64(uint64(n), uint64(d))
	if high > 0 || low > uint64(Never) {
		return time.Duration(Never)
	}
	return time.Duration(low)
}

// Sub returns the time from u to t.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// Seconds returns t in seconds.
func (t Time) Seconds() float64 { return float64(t) / 1e9 }

// String returns t in the form of a duration, such as "1.5s".
func (t Time) String() string { return time.Duration(t).String() }
