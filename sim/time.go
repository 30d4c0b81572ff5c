package sim

import "time"

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

// Sub returns the time from u to t.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// Seconds returns t in seconds.
func (t Time) Seconds() float64 { return float64(t) / 1e9 }

// String returns t in the form of a duration, such as "1.5s".
func (t Time) String() string { return time.Duration(t).String() }
