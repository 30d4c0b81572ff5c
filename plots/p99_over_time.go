package plots

import (
	"fmt"
	"math"
	"slices"
)

// enoughForP99 is how many RPCs a bin needs for a p99 of its own: ten lie beyond it then.
const enoughForP99 = 1000

var p99OverTimeKind = Kind{
	Doc: "p99 latency over time, one line a policy, failure windows shaded",
	Metrics: map[string]X{
		"p99_ms":   Seconds,
		"rate_rps": Seconds,
	},
	Draw: drawP99OverTime,
}

// drawP99OverTime shows p99 latency over time. Each value stands in the middle of its bin; bins
// without a value leave a gap. Where bins hold few RPCs a p99 is nearly their maximum, which jumps:
// each value is the median over as many neighbours as hold enough together.
func drawP99OverTime(p *Point) *Figure {
	series := make([][]Sample, len(p.policies))
	var times []float64
	for i := range p.policies {
		series[i] = p.median(i, "p99_ms", "time")
		for _, s := range p.median(i, "rate_rps", "time") {
			times = append(times, s.X) // bins without RPCs still belong to the run
		}
		for _, s := range series[i] {
			times = append(times, s.X)
		}
	}
	if len(times) == 0 {
		return nil
	}
	width := binWidth(times)
	most := 1 // neighbours over which a value is the median
	for i := range series {
		n := p.neighbours(i, width)
		most = max(most, n)
		series[i] = runningMedian(series[i], n)
	}
	f := p.overTime("p99 latency, ms", series, times)
	if f == nil {
		return nil
	}
	f.Title, f.Note = "p99 latency over time", p.noteOfBins(most)
	never := func(s Sample) bool { return math.IsInf(s.Value, 1) }
	if slices.ContainsFunc(slices.Concat(series...), never) {
		f.Title += "; along the top: never answered, for over 1% failed"
	}
	return f
}

// neighbours is how many bins of a policy hold enough RPCs together for a p99, but never more than
// a tenth of all.
func (p *Point) neighbours(policy int, width float64) int {
	rates := p.median(policy, "rate_rps", "time")
	var counts []float64
	for _, s := range rates {
		if s.Value > 0 {
			counts = append(counts, s.Value*width)
		}
	}
	count := middle(counts)
	if count == 0 {
		return 1
	}
	return max(1, min(int(math.Ceil(enoughForP99/count)), len(rates)/10))
}

// runningMedian puts in place of each value the median of n neighbours: of fewer at the ends.
func runningMedian(samples []Sample, n int) []Sample {
	if n == 1 {
		return samples
	}
	out := slices.Clone(samples)
	for i := range out {
		var near []float64
		for _, s := range samples[max(0, i-(n-1)/2):min(len(samples), i+n/2+1)] {
			near = append(near, s.Value)
		}
		out[i].Value = middle(near)
	}
	return out
}

// noteOfBins is the note of a picture whose values are medians over some neighbouring bins.
func (p *Point) noteOfBins(bins int) string {
	if bins == 1 {
		return p.note()
	}
	few := fmt.Sprintf("bins hold few RPCs: each value is the median of %d neighbours", bins)
	if note := p.note(); note != "" {
		return note + "  ·  " + few
	}
	return few
}
