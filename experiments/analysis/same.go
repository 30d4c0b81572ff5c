package analysis

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"lbsim/internal/numtext"
	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// sameValues reports whether two runs give the same values, all of them and to the last digit.
func sameValues(a, b *Measures) bool {
	return reflect.DeepEqual(metricsAlone(a), metricsAlone(b))
}

// metricsAlone returns the measures without digests, warnings and other traces of how they were
// made.
func metricsAlone(m *Measures) Measures {
	alone := *m
	alone.Policy, alone.Digest, alone.Events, alone.Warnings = "", "", 0, nil
	alone.Series = nil
	return alone
}

// same reports whether a policy made the same runs as the baseline, seed by seed.
func (r *PolicyResults) same(baseline *PolicyResults) bool {
	pairs := 0
	for _, m := range r.Runs {
		for _, o := range baseline.Runs {
			if m.Seed != o.Seed {
				continue
			}
			if pairs++; !sameValues(m, o) {
				return false
			}
		}
	}
	return pairs > 0
}

// warnOfSame warns of policies whose runs equal those of the baseline.
func warnOfSame(s *Summary) {
	for _, policy := range s.Policies {
		points, first := 0, ""
		for _, p := range s.Points {
			of := func(name string) int {
				return slices.IndexFunc(p.Policies, func(r PolicyResults) bool {
					return r.Policy == name
				})
			}
			i, base := of(policy), of(s.Baseline)
			if i < 0 || base < 0 || i == base || !p.Policies[i].same(&p.Policies[base]) {
				continue
			}
			if points++; points == 1 {
				var at []string
				for _, key := range s.SweepKeys {
					at = append(at, key+" = "+p.Point[key])
				}
				first = strings.Join(at, ", ")
			}
		}
		if points == 0 {
			continue
		}
		text := fmt.Sprintf("%s did nothing different from %s in these runs: all metrics are the "+
			"same", policy, s.Baseline)
		if points < len(s.Points) {
			text = fmt.Sprintf("%s did nothing different from %s at %d of %d points of the sweep, "+
				"first at %s", policy, s.Baseline, points, len(s.Points), first)
		}
		s.warn(SameAsBaseline, text)
	}
}

// warnOfRetries warns if RPCs failed, and none with a code of the retry policy.
func warnOfRetries(d *runData) {
	m := d.m
	var codes serviceconfig.Codes
	for i := range d.Config.Clients {
		if r := d.Config.Clients[i].Retry; r != nil {
			codes |= r.Codes
		}
	}
	sent := m.Values[attempts]
	if codes == 0 || sent == nil || *sent > 1 || d.ConfigByName {
		return
	}
	var failed, retryable []string
	for code := policies.OK; code < policies.Codes; code++ {
		name := code.String()
		some := code != policies.OK && m.Codes[name] > 0
		if some {
			failed = append(failed, name)
		}
		if codes.Has(code) { // grpc-go takes OK too, to no effect
			retryable = append(retryable, name)
			if some {
				return
			}
		}
	}
	if len(failed) > 0 {
		m.warn(NoEffect, "no RPC was sent again: RPCs failed with %s, and the retryPolicy is for "+
			"%s", numtext.List(failed), numtext.List(retryable))
	}
}

// Confidence intervals measure the randomness that comes from the seed. What all seeds have in
// common is not in them.

// warnOfLikeRuns warns if no metric differs between seeds, and of failures at equal distances,
// which begin at the same moments under all seeds.
func warnOfLikeRuns(s *Summary) {
	at := make(map[string]int) // at how many points, by policy
	period := time.Duration(0)
	for _, p := range s.Points {
		for i := range p.Policies {
			r := &p.Policies[i]
			if len(r.Runs) > 1 && r.alike() {
				at[r.Policy]++
			}
			if len(r.Runs) > 1 && period == 0 {
				period = failurePeriod(r.Runs[0])
			}
		}
	}
	var alike []string
	for _, policy := range slices.Sorted(maps.Keys(at)) {
		if at[policy] < len(s.Points) {
			policy += fmt.Sprintf(" (at %d of %d points)", at[policy], len(s.Points))
		}
		alike = append(alike, policy)
	}
	if len(alike) > 0 {
		s.warn(SeedsAlike, fmt.Sprintf("Of %s all seeds give the same values: nothing that a "+
			"seed draws plays a part, so their intervals say nothing.", strings.Join(alike, ", ")))
	}
	if period > 0 {
		s.warn(InStep, fmt.Sprintf("Failures come every %v, under all seeds at the same moments: "+
			"intervals hold for these moments alone.", period))
	}
}

// alike reports whether all runs have the same values, where they have values.
func (r *PolicyResults) alike() bool {
	same := false
	for i := range r.Estimates {
		e := &r.Estimates[i]
		if e.Least == nil || e.Most == nil {
			continue
		}
		if *e.Least != *e.Most {
			return false
		}
		same = true
	}
	return same
}

// failurePeriod returns the distance of failures that begin at equal distances after the warm-up,
// three or more; 0 if they do not.
func failurePeriod(m *Measures) time.Duration {
	var begins []time.Duration
	for _, w := range m.Windows {
		if w.From.Seconds() >= m.WarmupS && !slices.Contains(begins, w.From) {
			begins = append(begins, w.From)
		}
	}
	if len(begins) < 3 {
		return 0
	}
	slices.Sort(begins)
	step := begins[1] - begins[0]
	for i := 2; i < len(begins); i++ {
		if begins[i]-begins[i-1] != step {
			return 0
		}
	}
	return step
}
