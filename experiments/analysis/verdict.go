package analysis

import (
	"math"

	"lbsim/experiments/analysis/stats"
)

// Verdict reports whether a difference is more than chance.
type Verdict string

// The verdicts. Of two policies that are the same, 5 % of the verdicts are wrong.
const (
	Better     Verdict = "better"
	Worse      Verdict = "worse"
	CannotTell Verdict = "cannot tell"
	// Identical: the metric is the same in each pair of runs.
	Identical Verdict = "identical"
	// NoVerdict: the metric is of RPCs that ended OK where others failed, so neither more of it nor
	// less says which policy is better.
	NoVerdict Verdict = "none"
)

// Sign is how the table writes a verdict.
func (v Verdict) Sign() float64 {
	switch v {
	case Better:
		return 1
	case Worse:
		return -1
	}
	return 0
}

// verdict is that on a policy whose value is more than the baseline's.
func (d Direction) verdict(more bool) Verdict {
	if more == (d > 0) {
		return Better
	}
	return Worse
}

// judge finds the verdict on finite differences from their interval.
func (d Direction) judge(v stats.Interval) Verdict {
	if math.IsNaN(v.Half) || math.Abs(v.Mean) <= v.Half || v.Half == 0 && v.Runs < leastSides {
		return CannotTell
	}
	return d.verdict(v.Mean > 0)
}

// leastSides is how many pairs it takes to judge by what all runs of one policy have and none of
// the other, be it but one of two values. Given the RPCs of a seed, let a run have it with
// probability p, whichever of two equal policies it is of: then they are parted so with p(1-p), at
// most 1/4, in each pair, and in all of n pairs, either way, with 2·(1/4)ⁿ at most: 3.1 % of 3
// pairs, 12.5 % of 2.
const leastSides = 3

// judgeSigns finds the verdict on pairs of which some are of RPCs that were never answered: there
// is no mean then. All runs of one policy alone are a verdict; else it is the sign test.
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
	if aside && n >= leastSides || stats.SignTest(max(more, less), n) <= 0.05 {
		return d.verdict(more > less)
	}
	return CannotTell
}

// judgeUnstable finds the verdict where in some runs the queue grows without bound, and with it the
// latencies: the other policy is the better one by ever more, if in all runs of one alone it does.
// That of RPCs which were never answered is not less than one that grows.
func judgeUnstable(f *Metric, policy, baseline []*Measures) Verdict {
	n, p, b := len(policy), unstable(policy), unstable(baseline)
	other := baseline
	if b == n {
		other = policy
	}
	switch values, _ := f.valuesOf(other); {
	case n < leastSides || p+b != n || max(p, b) != n:
		return CannotTell
	case len(values) < n || infinite(values):
		return CannotTell
	}
	return f.Better.verdict(p == n)
}
