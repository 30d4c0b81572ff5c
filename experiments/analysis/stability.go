package analysis

import (
	"slices"
	"time"

	"lbsim/experiments/analysis/stats"
	"lbsim/internal/numtext"
	"lbsim/models/record"
)

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
		perStep, unbounded := stats.Growth(levels)
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

// unstable reports whether latencies depend on when the run ends.
func (m *Measures) unstable() bool {
	return slices.ContainsFunc(m.Warnings, func(w Warning) bool { return w.Kind == Unstable })
}
