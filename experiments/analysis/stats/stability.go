package stats

import "math"

// What it takes to say that a queue grows without bound.
const (
	leastSteps  = 8   // of the series behind the warm-up
	sureGrowth  = 5.0 // mean growth in a step over its standard error
	steadiness  = 2.0 // the same, in each half
	leastGrowth = 10  // in all
)

// Growth returns by how much levels that are measured in equal steps grow in each, and whether they
// do so without bound: by clearly more than their noise, and in both halves, so that neither a jump
// nor a way to a higher level counts.
//
// A queue that is overloaded walks at random with a drift: steps are alike and nearly independent,
// so the t statistic of their mean grows with the root of their number. One that is not comes back:
// its steps cancel out, and the statistic is near 0, the nearer the more steps there are. Even one
// that is just critical seldom gets to 5, as the absolute value of a walk without drift.
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

// drift is the t statistic of the steps between levels.
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
