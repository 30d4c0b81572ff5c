package analysis

import (
	"math"
	"slices"
)

// Figure is a figure of a policy over its runs. All its values are at least 0.
type Figure struct {
	Metric string `json:"metric"`
	Scope  string `json:"scope"`
	// Mean is over the runs. Where a run has no value there is none: a mean over the others would
	// be one of chosen runs. Nor is there of latencies that lie far apart.
	Mean *float64 `json:"mean"`
	// Half is half the width of the interval that holds the true mean with 95 % probability; null
	// where there is one run alone, or Reason says why.
	Half *float64 `json:"half"`
	// Least and Most are those of a run; null where a run has no value, or where that is "never".
	Least  *float64 `json:"least"`
	Most   *float64 `json:"most"`
	Runs   int      `json:"runs"` // that have a value, which may be "never"
	Reason Reason   `json:"reason"`
}

// Over draws up a figure of runs.
func (f *Metric) Over(runs []*Measures) Figure {
	values, reason := f.valuesOf(runs)
	out := Figure{Metric: f.Name, Scope: f.Scope, Runs: len(values), Reason: reason}
	if len(values) < len(runs) || len(runs) == 0 {
		return out
	}
	out.Least, out.Most = finite(slices.Min(values)), finite(slices.Max(values))
	if out.Most == nil {
		out.Reason = NeverAnswered
		return out
	}
	v := intervalOf(values)
	out.Mean, out.Half = v.pointers()
	if f.twoGroups(values) || v.reachesBelow0() {
		out.Reason, out.Half = FarApart, nil
		if f.Latency {
			out.Mean = nil
		}
	}
	return out
}

// valuesOf returns the values of the runs that have one, and why others have none.
func (f *Metric) valuesOf(runs []*Measures) (values []float64, reason Reason) {
	for _, m := range runs {
		switch v := f.Of(m); {
		case f.Latency && m.unstable():
			reason = GrowsWithTime
		case v != nil:
			values = append(values, *v)
		case reason == "":
			reason = TooFewSamples
		}
	}
	return values, reason
}

// twoGroups says whether the values are latencies in two groups, the greater ones more than twice
// the others. So they are where a percentile lies at the edge between two kinds of RPCs, and no run
// has what is their mean.
func (f *Metric) twoGroups(values []float64) bool {
	sorted := slices.Sorted(slices.Values(values))
	for i := 1; i < len(sorted) && f.Latency; i++ {
		if sorted[i] > 2*sorted[i-1] {
			return true
		}
	}
	return false
}

// reachesBelow0 says whether the interval of what cannot be negative reaches there.
func (v Interval) reachesBelow0() bool { return v.Half > v.Mean }

// unstable counts the runs whose latencies depend on when they end.
func unstable(runs []*Measures) (n int) {
	for _, m := range runs {
		if m.unstable() {
			n++
		}
	}
	return n
}

// pointers returns mean and half width where they have a value.
func (v Interval) pointers() (mean, half *float64) {
	if v.Runs > 0 {
		mean = some(v.Mean)
	}
	if !math.IsNaN(v.Half) {
		half = some(v.Half)
	}
	return mean, half
}

// infinite says whether one of the values is.
func infinite(values []float64) bool {
	return slices.ContainsFunc(values, func(x float64) bool { return math.IsInf(x, 1) })
}

// finite returns a value, nil for an infinite one.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// Interval is what is known of a figure from runs with several seeds: its mean over them, and how
// far the true mean may be from that, at 95 %.
type Interval struct {
	Mean float64
	// Half is half the width; NaN where there are fewer than two runs.
	Half float64
	Runs int
}

// intervalOf takes the figures of runs as independent replications: by the central limit theorem
// their mean has a t distribution, whatever the figures themselves have.
func intervalOf(figures []float64) Interval {
	n := float64(len(figures))
	sum := 0.0
	for _, x := range figures {
		sum += x
	}
	mean := sum / n
	if len(figures) < 2 {
		return Interval{mean, math.NaN(), len(figures)}
	}
	squares := 0.0
	for _, x := range figures {
		d := x - mean
		squares += float64(d * d)
	}
	return Interval{mean, halfWidth(math.Sqrt(squares/(n-1)), len(figures)), len(figures)}
}

// halfWidth is half the width of the interval of a mean over runs whose figures have this standard
// deviation.
func halfWidth(deviation float64, runs int) float64 {
	return student95(runs-1) * (deviation / math.Sqrt(float64(runs)))
}

// deviation is the standard deviation of the figures.
func (v Interval) deviation() float64 {
	return v.Half / student95(v.Runs-1) * math.Sqrt(float64(v.Runs))
}

// student95 is how many standard errors an interval of 95 % reaches to either side: the 0.975
// quantile of Student's t distribution, good to 1e-7.
//
// Source: tables; above them the first terms of the Cornish-Fisher expansion (Abramowitz and Stegun
// 26.7.5).
func student95(degrees int) float64 {
	if degrees <= len(student95Table) {
		return student95Table[degrees-1]
	}
	const z = 1.959963984540054
	const (
		z3 = z * z * z
		z5 = z3 * z * z
		z7 = z5 * z * z
	)
	n := float64(degrees)
	return z + (z3+z)/4/n + (5*z5+16*z3+3*z)/96/n/n + (3*z7+19*z5+17*z3-15*z)/384/n/n/n
}

var student95Table = [...]float64{
	12.7062047, 4.30265273, 3.18244631, 2.77644511, 2.57058184, 2.44691185,
	2.36462425, 2.30600414, 2.26215716, 2.22813885, 2.20098516, 2.17881283,
	2.16036866, 2.14478669, 2.13144955, 2.1199053, 2.10981558, 2.10092204,
	2.09302405, 2.08596345, 2.07961384, 2.07387307, 2.06865761, 2.06389856,
	2.05953855, 2.05552944, 2.05183052, 2.04840714, 2.04522964, 2.04227246,
}
