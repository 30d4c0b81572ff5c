package analysis

import (
	"math"
	"slices"

	"lbsim/experiments/analysis/stats"
)

// Difference is the paired difference of a metric between a policy and the baseline. With one seed
// both policies meet the same RPCs (common random numbers), so what the seed does to both cancels
// out, and the confidence interval is narrower than those of the two means.
type Difference struct {
	Metric string `json:"metric"`
	Scope  string `json:"scope"`
	// Mean is the mean of policy minus baseline over the seeds that both have; null with a
	// Reason.
	Mean *float64 `json:"mean"`
	// Half is the half-width of the 95 % confidence interval of Mean; null without Mean or with one
	// pair.
	Half *float64 `json:"half"`
	// Least and Most are the extremes of the pairs; null if a pair has no difference.
	Least *float64 `json:"least"`
	Most  *float64 `json:"most"`
	Runs  int      `json:"runs"` // pairs
	// Verdict is the verdict on the policy.
	Verdict Verdict `json:"verdict"`
	// MoreSeeds is about how many further seeds would give a verdict, if Mean is the true
	// difference; null if there is a verdict, or if more than maxMoreSeeds would be needed.
	MoreSeeds *int   `json:"more_seeds"`
	Reason    Reason `json:"reason"`
}

// maxMoreSeeds is the greatest number of further seeds that is proposed.
const maxMoreSeeds = 1000

// pair is a metric in the runs of a policy and of the baseline with one seed.
type pair struct{ policy, baseline float64 }

// difference returns policy minus baseline: infinite if one of them is, 0 if both are. A difference
// within rounding errors counts as 0.
func (p pair) difference() float64 {
	d := p.policy - p.baseline
	if p.policy == p.baseline || math.Abs(d) < 1e-12*min(p.policy, p.baseline) {
		return 0
	}
	return d
}

// paired returns the runs of both with common seeds. Seeds are in ascending order in both.
func paired(policy, baseline []*Measures) (p, b []*Measures) {
	k := 0
	for _, m := range policy {
		for k < len(baseline) && baseline[k].Seed < m.Seed {
			k++
		}
		if k < len(baseline) && baseline[k].Seed == m.Seed {
			p, b = append(p, m), append(b, baseline[k])
		}
	}
	return p, b
}

// differences compares all metrics of a policy with those of the baseline. A policy with more
// errors may be better in other metrics only because of the errors, and one with fewer errors
// worse: then these metrics have no verdict, save those that count failures.
func differences(metrics []Metric, policy, baseline []*Measures) []Difference {
	list := []Difference{}
	errors := CannotTell
	for k := range metrics {
		metric := &metrics[k]
		if metric.Better == 0 {
			continue
		}
		d := metric.Against(policy, baseline)
		if metric.Name == errorRatio {
			errors = d.Verdict
		}
		opposed := d.Verdict == Better && errors == Worse || d.Verdict == Worse && errors == Better
		if opposed && !metric.countsFailures {
			d.Verdict = NoVerdict
		}
		list = append(list, d)
	}
	return list
}

// Against returns the paired difference of a metric. If a run has no value there is none, since
// that of the other runs would be biased.
func (metric *Metric) Against(policy, baseline []*Measures) Difference {
	policy, baseline = paired(policy, baseline)
	d := Difference{
		Metric: metric.Name, Scope: metric.Scope, Runs: len(policy), Verdict: CannotTell,
	}
	if metric.successesOnly && (someFailed(policy) || someFailed(baseline)) {
		d.Verdict = NoVerdict
	}
	if u := unstable(policy) + unstable(baseline); metric.Latency && u > 0 {
		d.Reason = GrowsWithTime
		if d.Verdict != NoVerdict {
			d.Verdict = judgeUnstable(metric, policy, baseline)
		}
		return d
	}
	x, _ := metric.valuesOf(policy)
	y, _ := metric.valuesOf(baseline)
	if n := len(policy); len(x) < n || len(y) < n || n == 0 {
		d.Reason = TooFewSamples
		return d
	}
	var pairs []pair
	var all []float64
	for i := range x {
		pairs = append(pairs, pair{x[i], y[i]})
		all = append(all, pairs[i].difference())
	}
	v := stats.IntervalOf(all)
	switch {
	case d.Verdict == NoVerdict:
	case !slices.ContainsFunc(all, func(x float64) bool { return x != 0 }):
		d.Verdict = Identical
	case infinite(x) || infinite(y):
		d.Verdict = metric.Better.judgeSigns(pairs)
	default:
		d.Verdict = metric.Better.judge(v)
	}
	metric.fillNumbers(&d, v, x, y, all)
	return d
}

// fillNumbers fills in the numbers of a difference from its interval and the values.
func (metric *Metric) fillNumbers(
	d *Difference, v stats.Interval, policy, baseline, all []float64,
) {
	if infinite(policy) || infinite(baseline) {
		d.Reason = NeverAnswered
		return
	}
	d.Least, d.Most = new(slices.Min(all)), new(slices.Max(all))
	unsure := math.Abs(v.Mean) <= v.Half
	below0 := reachesBelow0(stats.IntervalOf(policy)) || reachesBelow0(stats.IntervalOf(baseline))
	if d.Verdict != Identical &&
		(metric.twoGroups(policy) || metric.twoGroups(baseline) || unsure && below0) {
		d.Reason = FarApart
		return
	}
	d.Mean, d.Half = pointers(v)
	if d.Verdict == CannotTell && d.Half != nil && v.Mean != 0 {
		if n := runsToTell(v); n-v.Runs <= maxMoreSeeds {
			d.MoreSeeds = new(max(1, n-v.Runs))
		}
	}
}

// someFailed reports whether RPCs failed in some run.
func someFailed(runs []*Measures) bool {
	return slices.ContainsFunc(runs, func(m *Measures) bool {
		return m.Values[errorRatio] != nil && *m.Values[errorRatio] > 0
	})
}

// runsToTell returns how many runs make the interval so narrow that it does not hold 0, if mean and
// standard deviation do not change; at most maxMoreSeeds + 1 more than now.
func runsToTell(v stats.Interval) int {
	n := v.Runs
	for deviation := v.Deviation(); n-v.Runs <= maxMoreSeeds; n++ {
		if stats.HalfWidth(deviation, n) < math.Abs(v.Mean) {
			break
		}
	}
	return n
}
