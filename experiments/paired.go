package experiments

import "math"

// Difference is by how much a figure of a policy differs from that of the baseline. Runs of one
// seed are paired: both policies meet the same RPCs in them, so what the seed does to both cancels
// out and the interval is narrower than those of the two figures.
type Difference struct {
	Metric string `json:"metric"`
	Scope  string `json:"scope"`
	// Mean is that of the policy less that of the baseline, over the seeds that both have.
	Mean *float64 `json:"mean"`
	// Half is half the width of the interval that holds the true difference with 95 % probability.
	Half *float64 `json:"half"`
	Runs int      `json:"runs"`
	// Verdict is of the policy, as against the baseline.
	Verdict Verdict `json:"verdict"`
	// MoreSeeds is with about how many further seeds one could tell, if the difference is what it
	// seems to be; null where one can, or where no number that is possible would do.
	MoreSeeds *int `json:"more_seeds"`
}

// Verdict says whether a difference is more than chance.
type Verdict string

// The verdicts. Of two policies that are the same, 5 % of the verdicts are wrong.
const (
	Better     Verdict = "better"
	Worse      Verdict = "worse"
	CannotTell Verdict = "cannot tell"
)

// sign is how the table writes a verdict.
func (v Verdict) sign() float64 {
	switch v {
	case Better:
		return 1
	case Worse:
		return -1
	}
	return 0
}

// against compares a figure of a policy with that of the baseline. Where in all runs of one alone
// the queue grows without bound, so do its latencies, and the other is the better one by ever more.
// If one of the runs of a seed has no value there is no difference: that of the others would be of
// chosen runs.
func (f *figure) against(policy, baseline []*Measures) Difference {
	none := Difference{Metric: f.metric, Scope: f.scope, Verdict: CannotTell}
	if p, b := unstable(policy), unstable(baseline); f.latency() && p+b > 0 {
		switch {
		case p == len(policy) && b == 0:
			none.Verdict = Worse
		case b == len(baseline) && p == 0:
			none.Verdict = Better
		}
		return none
	}
	var differences []float64
	k := 0
	for _, m := range policy { // seeds rise in both
		for k < len(baseline) && baseline[k].Seed < m.Seed {
			k++
		}
		if k == len(baseline) || baseline[k].Seed > m.Seed {
			continue
		}
		x, y := f.of(m), f.of(baseline[k])
		if x == nil || y == nil {
			return none
		}
		differences = append(differences, *x-*y)
	}
	return f.judge(intervalOf(differences))
}

// judge finds the verdict about a difference.
func (f *figure) judge(v Interval) Difference {
	d := Difference{Metric: f.metric, Scope: f.scope, Runs: v.Runs, Verdict: CannotTell}
	d.Mean, d.Half = v.told()
	switch {
	case d.Half == nil || v.Mean == 0:
	case math.Abs(v.Mean) <= v.Half:
		if n := v.runsToTell(); n < mostRuns {
			more := n - v.Runs
			d.MoreSeeds = &more
		}
	case (v.Mean > 0) == (f.better > 0):
		d.Verdict = Better
	default:
		d.Verdict = Worse
	}
	return d
}

// runsToTell is how many runs make the interval so narrow that it does not hold 0, if the mean and
// the spread stay what they are.
func (v Interval) runsToTell() int {
	n := v.Runs
	for deviation := v.deviation(); n < mostRuns; n++ {
		if halfWidth(deviation, n) < math.Abs(v.Mean) {
			break
		}
	}
	return n
}
