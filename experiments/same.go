package experiments

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// sameAs says whether two runs give the same figures, all of them and to the last digit.
func (m *Measures) sameAs(o *Measures) bool {
	return reflect.DeepEqual(m.figuresAlone(), o.figuresAlone())
}

// figuresAlone returns the measures without what tells apart how they came about.
func (m *Measures) figuresAlone() Measures {
	figures := *m
	figures.Policy, figures.Digest, figures.Events, figures.Warnings = "", "", 0, nil
	return figures
}

// same says whether a policy made the same runs as the baseline, seed by seed.
func (r *PolicyResults) same(baseline *PolicyResults) bool {
	pairs := 0
	for _, m := range r.runs {
		for _, o := range baseline.runs {
			if m.Seed != o.Seed {
				continue
			}
			if pairs++; !m.sameAs(o) {
				return false
			}
		}
	}
	return pairs > 0
}

// warnOfSame tells of policies that did nothing different from the baseline.
func (s *Summary) warnOfSame() {
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
		text := fmt.Sprintf("%s did nothing different from %s in these runs: all figures are the "+
			"same", policy, s.Baseline)
		if points < len(s.Points) {
			text = fmt.Sprintf("%s did nothing different from %s at %d of %d points of the sweep, "+
				"first at %s", policy, s.Baseline, points, len(s.Points), first)
		}
		s.warn(SameAsBaseline, text)
	}
}

// warnOfRetries tells that RPCs failed, and with no code after which they would be sent again.
func (m *Measures) warnOfRetries(v *runInfo) {
	var codes serviceconfig.Codes
	for i := range v.config.Clients {
		if r := v.config.Clients[i].Retry; r != nil {
			codes |= r.Codes
		}
	}
	if codes == 0 || m.AttemptsPerRPC == nil || *m.AttemptsPerRPC > 1 || v.configByName {
		return
	}
	var failed, retryable []string
	for code := policies.OK + 1; code < policies.Codes; code++ {
		name := code.String()
		if m.Codes[name] > 0 {
			failed = append(failed, name)
		}
		if codes.Has(code) {
			retryable = append(retryable, name)
			if m.Codes[name] > 0 {
				return
			}
		}
	}
	if len(failed) > 0 {
		m.warn(NoEffect, "no RPC was sent again: RPCs failed with %s, and the retryPolicy is for "+
			"%s", someOf(failed), someOf(retryable))
	}
}
