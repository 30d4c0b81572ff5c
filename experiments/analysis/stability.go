package analysis

import (
	"time"

	"lbsim/experiments/analysis/stats"
	"lbsim/internal/numtext"
	"lbsim/models/record"
)

// settledBins returns the bins of the series that lie behind the warm-up and are whole.
func settledBins(d *runData) []record.Bin {
	var bins []record.Bin
	for _, b := range d.record.Bins {
		if time.Duration(b.Start) >= d.Config.Warmup && b.Length == d.record.Bin {
			bins = append(bins, b)
		}
	}
	return bins
}

// warnOfInstability warns of queues that grow without bound: of that of all RPCs, and of those of
// backends that work for clients which have long given up.
func warnOfInstability(d *runData) {
	bins := settledBins(d)
	levels := make([]float64, len(bins))
	level := func(of func(b *record.Bin) float64) (perSecond float64, unbounded bool) {
		for i := range bins {
			levels[i] = of(&bins[i])
		}
		perStep, unbounded := stats.Growth(levels)
		return perStep / d.record.Bin.Seconds(), unbounded
	}
	open, unbounded := level(func(b *record.Bin) float64 { return b.Open })
	if unbounded {
		d.m.warn(Unstable, "unstable: the queue grows without bound, by %s RPCs per second, "+
			"so latencies depend on when the run ends", numtext.Number(open, 0, 3))
		return
	}
	for k := range d.m.Backends {
		held, unbounded := level(func(b *record.Bin) float64 { return b.Held[k] })
		if unbounded {
			d.m.warn(Overloaded, "the queue of %s grows without bound, by %s requests per second, "+
				"while clients give up", d.m.Backends[k].Name, numtext.Number(held, 0, 3))
			return
		}
	}
}
