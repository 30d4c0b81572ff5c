package analysis

import (
	"math"
	"slices"
	"time"

	"lbsim/internal/numtext"
	"lbsim/models/record"
)

// What it takes to say that a queue grows without bound.
const (
	leastSteps  = 8   // of the series behind the warm-up
	sureGrowth  = 5.0 // mean growth in a step over its standard error
	steadiness  = 2.0 // the same, in each half
	leastGrowth = 10  // in all
)

// growth returns by how much levels that are measured in equal steps grow in each, and whether they
// do so without bound: by clearly more than their noise, and in both halves, so that neither a jump
// nor a way to a higher level counts.
//
// A queue that is overloaded walks at random with a drift: steps are alike and nearly independent,
// so the t statistic of their mean grows with the root of their number. One that is not comes back:
// its steps cancel out, and the statistic is near 0, the nearer the more steps there are. Even one
// that is just critical seldom gets to 5, as the absolute value of a walk without drift.
func growth(levels []float64) (perStep float64, unbounded bool) {
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

// settled returns the bins of the series that lie behind the warm-up and are whole.
func settled(run *record.Run, warmup time.Duration) []record.Bin {
	var bins []record.Bin
	for _, b := range run.Bins {
		if time.Duration(b.Start) >= warmup && b.Length == run.Bin {
			bins = append(bins, b)
		}
	}
	return bins
}

// warnOfGrowth warns of queues that grow without bound: of that of all RPCs, and of those of
// backends that work for clients which have long given up.
func (m *Measures) warnOfGrowth(run *record.Run, warmup time.Duration) {
	bins := settled(run, warmup)
	levels := make([]float64, len(bins))
	level := func(of func(b *record.Bin) float64) (perSecond float64, unbounded bool) {
		for i := range bins {
			levels[i] = of(&bins[i])
		}
		perStep, unbounded := growth(levels)
		return perStep / run.Bin.Seconds(), unbounded
	}
	open, unbounded := level(func(b *record.Bin) float64 { return b.Open })
	if unbounded {
		m.warn(Unstable, "unstable: the queue grows without bound, by %s RPCs per second, "+
			"so latencies depend on when the run ends", numtext.Number(open, 0, 3))
		return
	}
	for k := range m.Backends {
		held, unbounded := level(func(b *record.Bin) float64 { return b.Held[k] })
		if unbounded {
			m.warn(Overloaded, "the queue of %s grows without bound, by %s requests per second, "+
				"while clients give up", m.Backends[k].Name, numtext.Number(held, 0, 3))
			return
		}
	}
}

// unstable says whether latencies depend on when the run ends.
func (m *Measures) unstable() bool {
	return slices.ContainsFunc(m.Warnings, func(w Warning) bool { return w.Kind == Unstable })
}
