package analysis

import (
	"math"
	"slices"

	"lbsim/experiments/analysis/stats"
)

// Estimate is the mean of a metric over the runs of a policy, with its confidence interval. All
// values are at least 0.
type Estimate struct {
	Metric string `json:"metric"`
	Scope  string `json:"scope"`
	// Mean is the mean over the runs. It is null if a run has no value, since a mean over the
	// others would be biased, and for latencies that are far apart.
	Mean *float64 `json:"mean"`
	// Half is the half-width of the 95 % confidence interval of the mean; null with one run, or
	// with a Reason.
	Half *float64 `json:"half"`
	// Least and Most are the extremes of the runs; null if a run has no value, or if it is "never".
	Least  *float64 `json:"least"`
	Most   *float64 `json:"most"`
	Runs   int      `json:"runs"` // runs that have a value; it may be "never"
	Reason Reason   `json:"reason"`
}

// Over estimates the metric from runs.
func (metric *Metric) Over(runs []*Measures) Estimate {
	values, reason := metric.valuesOf(runs)
	out := Estimate{Metric: metric.Name, Scope: metric.Scope, Runs: len(values), Reason: reason}
	if len(values) < len(runs) || len(runs) == 0 {
		return out
	}
	out.Least, out.Most = finite(slices.Min(values)), finite(slices.Max(values))
	if out.Most == nil {
		out.Reason = NeverAnswered
		return out
	}
	v := stats.IntervalOf(values)
	out.Mean, out.Half = pointers(v)
	if metric.twoGroups(values) || reachesBelow0(v) {
		out.Reason, out.Half = FarApart, nil
		if metric.Latency {
			out.Mean = nil
		}
	}
	return out
}

// valuesOf returns the values of the runs that have one, and the reason why others have none.
func (metric *Metric) valuesOf(runs []*Measures) (values []float64, reason Reason) {
	for _, m := range runs {
		switch v := metric.Of(m); {
		case metric.Latency && m.unstable():
			reason = GrowsWithTime
		case v != nil:
			values = append(values, *v)
		case reason == "":
			reason = TooFewSamples
		}
	}
	return values, reason
}

// twoGroups reports whether the values are latencies in two groups, the greater ones more than
// twice the others. This happens if a percentile is at the edge between two kinds of RPCs; then no
// run is near the mean.
func (metric *Metric) twoGroups(values []float64) bool {
	sorted := slices.Sorted(slices.Values(values))
	for i := 1; i < len(sorted) && metric.Latency; i++ {
		if sorted[i] > 2*sorted[i-1] {
			return true
		}
	}
	return false
}

// reachesBelow0 reports whether the confidence interval of a metric that cannot be negative reaches
// below 0.
func reachesBelow0(v stats.Interval) bool { return v.Half > v.Mean }

// unstable counts the runs whose latencies depend on when they end.
func unstable(runs []*Measures) (n int) {
	for _, m := range runs {
		if m.unstable() {
			n++
		}
	}
	return n
}

// pointers returns the mean and the half-width, nil where they have no value.
func pointers(v stats.Interval) (mean, half *float64) {
	if v.Runs > 0 {
		mean = new(v.Mean)
	}
	if !math.IsNaN(v.Half) {
		half = new(v.Half)
	}
	return mean, half
}

// infinite reports whether one of the values is infinite.
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
