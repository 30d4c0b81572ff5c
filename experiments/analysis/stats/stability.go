package stats

import "math"

// Thresholds for a queue that grows without bound.
const (
	leastSteps  = 8   // steps of the series after the warm-up
	sureGrowth  = 5.0 // mean growth in a step over its standard error
	steadiness  = 2.0 // the same, in each half
	leastGrowth = 10  // in all
)

// Growth returns the mean growth of a series in each step, and whether the series grows without
// bound: by clearly more than its noise, and in both halves, so that neither a jump nor a
// transition to a higher level counts.
//
// An overloaded queue is a random walk with drift: its steps are alike and nearly independent, so
// the t statistic of their mean grows with the root of their number. A stable queue returns to its
// level: its steps cancel out, and the statistic tends to 0. Even a critically loaded queue seldom
// reaches 5, as the absolute value of a random walk without drift.
func Growth(levels []float64) (perStep float64, unbounded bool) {
	n := len(levels) - 1
	if n < leastSteps {
		return 0, false
	}
	perStep = (levels[n] - levels[0]) / float64(n)
	unbounded = levels[n]-levels[0] >= leastGrowth && drift(levels) >= sureGrowth &&
		drift(levels[:n/2+1]) >= steadiness && drift(levels[n/2:]) >= steadiness
	return perStep, unbounded
}

// drift returns the t statistic of the mean step.
func drift(levels []float64) float64 {
	n := float64(len(levels) - 1)
	mean := (levels[len(levels)-1] - levels[0]) / n
	squares := 0.0
	for i := 1; i < len(levels); i++ {
		d := levels[i] - levels[i-1] - mean
		squares += float64(d * d)
	}
	if squares == 0 {
		return math.Inf(int(math.Copysign(1, mean)))
	}
	return mean / math.Sqrt(squares/(n-1)/n)
}
