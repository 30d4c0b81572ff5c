package analysis

import (
	"math"
	"slices"

	"lbsim/experiments/analysis/stats"
)

// Difference is by how much a metric of a policy differs from that of the baseline. Runs of one
// seed are paired: both policies meet the same RPCs in them, so what the seed does to both cancels
// out and the confidence interval is narrower than those of the two.
type Difference struct {
	Metric string `json:"metric"`
	Scope  string `json:"scope"`
	// Mean is that of the policy less that of the baseline, over the seeds that both have; null
	// where Reason says why.
	Mean *float64 `json:"mean"`
	// Half is half the width of the interval that holds the true difference with 95 % probability;
	// null where there is no mean, or one pair alone.
	Half *float64 `json:"half"`
	// Least and Most are those of a pair; null where a pair has no difference.
	Least *float64 `json:"least"`
	Most  *float64 `json:"most"`
	Runs  int      `json:"runs"` // pairs
	// Verdict is of the policy, as against the baseline.
	Verdict Verdict `json:"verdict"`
	// MoreSeeds is with about how many further seeds one could tell, if the difference is what it
	// seems to be; null where one can, or where no number up to 1000 would do.
	MoreSeeds *int   `json:"more_seeds"`
	Reason    Reason `json:"reason"`
}

// mostMoreSeeds is the most that anybody would run to tell.
const mostMoreSeeds = 1000

// pair is a metric in two runs of one seed, of a policy and of the baseline.
type pair struct{ policy, baseline float64 }

// difference is that of the two, infinite if one of them is, and 0 if both are. What arithmetic
// leaves of equal values is none.
func (p pair) difference() float64 {
	d := p.policy - p.baseline
	if p.policy == p.baseline || math.Abs(d) < 1e-12*min(p.policy, p.baseline) {
		return 0
	}
	return d
}

// paired returns the runs of both with the same seed. Seeds rise in both.
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

// differences compares all metrics of a policy with those of the baseline. A policy under which
// more RPCs fail is not better for what the others gain by it, nor is one worse under which fewer
// do: there such a metric has no verdict.
func differences(figures []Metric, policy, baseline []*Measures) []Difference {
	list := []Difference{}
	errors := CannotTell
	for k := range figures {
		f := &figures[k]
		if f.Better == 0 {
			continue
		}
		d := f.Against(policy, baseline)
		if f.Name == errorRatio {
			errors = d.Verdict
		}
		opposed := d.Verdict == Better && errors == Worse || d.Verdict == Worse && errors == Better
		if opposed && !f.countsFailures {
			d.Verdict = NoVerdict
		}
		list = append(list, d)
	}
	return list
}

// Against compares a metric of a policy with that of the baseline. If one of the runs of a seed has
// no value there is no difference: that of the others would be of chosen runs.
func (f *Metric) Against(policy, baseline []*Measures) Difference {
	policy, baseline = paired(policy, baseline)
	d := Difference{
		Metric: f.Name, Scope: f.Scope, Runs: len(policy), Verdict: CannotTell,
	}
	if f.successesOnly && (someFailed(policy) || someFailed(baseline)) {
		d.Verdict = NoVerdict
	}
	if u := unstable(policy) + unstable(baseline); f.Latency && u > 0 {
		d.Reason = GrowsWithTime
		if d.Verdict != NoVerdict {
			d.Verdict = judgeUnstable(f, policy, baseline)
		}
		return d
	}
	x, _ := f.valuesOf(policy)
	y, _ := f.valuesOf(baseline)
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
		d.Verdict = f.Better.judgeSigns(pairs)
	default:
		d.Verdict = f.Better.judge(v)
	}
	f.tell(&d, v, x, y, all)
	return d
}

// tell fills in the numbers of a difference.
func (f *Metric) tell(d *Difference, v stats.Interval, policy, baseline, all []float64) {
	if infinite(policy) || infinite(baseline) {
		d.Reason = NeverAnswered
		return
	}
	d.Least, d.Most = new(slices.Min(all)), new(slices.Max(all))
	unsure := math.Abs(v.Mean) <= v.Half
	below0 := reachesBelow0(stats.IntervalOf(policy)) || reachesBelow0(stats.IntervalOf(baseline))
	if d.Verdict != Identical &&
		(f.twoGroups(policy) || f.twoGroups(baseline) || unsure && below0) {
		d.Reason = FarApart
		return
	}
	d.Mean, d.Half = pointers(v)
	if d.Verdict == CannotTell && d.Half != nil && v.Mean != 0 {
		if n := runsToTell(v); n-v.Runs <= mostMoreSeeds {
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

// runsToTell is how many runs make the interval so narrow that it does not hold 0, if the mean and
// the spread stay what they are. It looks no further than mostMoreSeeds beyond those there are.
func runsToTell(v stats.Interval) int {
	n := v.Runs
	for deviation := v.Deviation(); n-v.Runs <= mostMoreSeeds; n++ {
		if stats.HalfWidth(deviation, n) < math.Abs(v.Mean) {
			break
		}
	}
	return n
}
