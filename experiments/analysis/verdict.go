package analysis

import (
	"math"

	"lbsim/experiments/analysis/stats"
)

// Verdict is the judgement on a difference: whether it is more than chance.
type Verdict string

// The verdicts. Of two policies that are the same, 5 % of the verdicts are wrong.
const (
	Better     Verdict = "better"
	Worse      Verdict = "worse"
	CannotTell Verdict = "cannot tell"
	// Identical: the metric is the same in each pair of runs.
	Identical Verdict = "identical"
	// NoVerdict: the metric does not show which policy is better, because RPCs failed.
	NoVerdict Verdict = "none"
)

// Sign returns the verdict as table.csv writes it.
func (v Verdict) Sign() float64 {
	switch v {
	case Better:
		return 1
	case Worse:
		return -1
	}
	return 0
}

// verdict returns the verdict on a policy whose value is greater than that of the baseline, or
// less.
func (d Direction) verdict(more bool) Verdict {
	if more == (d > 0) {
		return Better
	}
	return Worse
}

// judge returns the verdict on finite differences, from their confidence interval.
func (d Direction) judge(v stats.Interval) Verdict {
	if math.IsNaN(v.Half) || math.Abs(v.Mean) <= v.Half || v.Half == 0 && v.Runs < minPairs {
		return CannotTell
	}
	return d.verdict(v.Mean > 0)
}

// minPairs is the least number of pairs for a verdict by a property that all runs of one policy
// have and no run of the other, such as "never". Let each run of two equal policies have it with
// probability p, given the RPCs of the seed. Then the first has it and the second does not with
// probability p(1-p), which is at most 1/4; in all of n pairs, either way, with 2·(1/4)ⁿ at most:
// 3.1 % for 3 pairs, 12.5 % for 2.
const minPairs = 3

// judgeSigns returns the verdict on pairs with infinite values, which have no mean. If all runs of
// one policy are infinite and none of the other is, that is the verdict. Otherwise the sign test
// decides.
func (d Direction) judgeSigns(pairs []pair) Verdict {
	var more, less, never, neverBaseline int
	for _, p := range pairs {
		switch {
		case p.policy > p.baseline:
			more++
		case p.policy < p.baseline:
			less++
		}
		if math.IsInf(p.policy, 1) {
			never++
		}
		if math.IsInf(p.baseline, 1) {
			neverBaseline++
		}
	}
	n := len(pairs)
	aside := never == n && neverBaseline == 0 || neverBaseline == n && never == 0
	if aside && n >= minPairs || stats.SignTest(max(more, less), n) <= 0.05 {
		return d.verdict(more > less)
	}
	return CannotTell
}

// judgeUnstable returns the verdict on latencies if some runs are unstable, so that their latencies
// grow without bound. If all runs of one policy are unstable and none of the other is, the other is
// better, unless it has infinite latencies.
func judgeUnstable(metric *Metric, policy, baseline []*Measures) Verdict {
	n, p, b := len(policy), unstable(policy), unstable(baseline)
	other := baseline
	if b == n {
		other = policy
	}
	switch values, _ := metric.valuesOf(other); {
	case n < minPairs || p+b != n || max(p, b) != n:
		return CannotTell
	case len(values) < n || infinite(values):
		return CannotTell
	}
	return metric.Better.verdict(p == n)
}
