// Package dist holds distributions of durations: how long a request takes to serve, a message to
// travel, a connection to come up.
//
// A distribution is a transform of one uniform number, with no generator inside: whoever draws
// brings the luck along, so that the same luck gives the same duration whatever else is drawn. It
// is written as a text, which [Parse] reads and String gives back:
//
//	10ms
//	lognormal(p50=5ms, p99=40ms)
//	mix(0.9 exp(mean=5ms), 0.1 exp(mean=80ms))
//	file(latencies.csv)
//
// [Catalog] holds the kinds with every form in which each can be written. A program adds its own
// kinds through [Parser.Kinds]. To write one, implement [Distribution], and a [Kind] whose Parse
// reads the parameters with [Call.Args]. Compute with package sim, where Log, Exp, Pow,
// ExponentialQuantile and NormalQuantile have the same results on every CPU; those of package math
// differ. Write float64(a*b) + c for a product that is part of a sum, or some CPUs round once less.
// Package disttest has the checks that every distribution has to pass.
package dist

import (
	"math"
	"time"
)

// Distribution is a probability distribution of durations.
type Distribution interface {
	// Quantile turns a number u of (0, 1), ends excluded, into a duration such that uniform u
	// give durations of this distribution. It rises with u, so it is the quantile function, except
	// in a mixture, see [Mixture]. The result is rounded to the nearest nanosecond, never
	// negative, and at most the greatest Duration, 292 years. It does not allocate.
	Quantile(u float64) time.Duration

	// Mean is the mean in seconds, without rounding and limit. It is +Inf where there
	// is none.
	Mean() float64

	// Variance is the variance in seconds², without rounding and limit. It is +Inf
	// where it has no bound.
	Variance() float64

	// String is the text form, with full names and in a fixed order. [Parse] reads it back to an
	// equal distribution.
	String() string
}

// Round returns the Duration nearest to ns nanoseconds, at least 0 and at most the greatest.
func Round(ns float64) time.Duration {
	switch {
	case ns >= 1<<63:
		return math.MaxInt64
	case ns > 0:
		return time.Duration(float64(ns) + 0.5) // converted, lest a product be fused with the sum
	}
	return 0
}

// A distribution keeps its durations in nanoseconds; Mean and Variance speak of seconds.
const (
	second  = 1e9
	second2 = 1e18
)
