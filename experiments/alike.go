package experiments

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Intervals say how much chance there is in figures: what the seed draws. Of what all seeds have in
// common they say nothing.

// warnOfLikeRuns warns where seeds differ in nothing that a figure shows, and of failures that come
// in step with a period, at the same moments under all seeds.
func (s *Summary) warnOfLikeRuns() {
	at := make(map[string]int) // at how many points, by policy
	period := time.Duration(0)
	for _, p := range s.Points {
		for i := range p.Policies {
			r := &p.Policies[i]
			if len(r.runs) > 1 && r.alike() {
				at[r.Policy]++
			}
			if len(r.runs) > 1 && period == 0 {
				period = r.runs[0].failurePeriod()
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
		s.warn(SeedsAlike, fmt.Sprintf("Of %s all seeds give the same figures: nothing that a "+
			"seed draws plays a part, so their intervals say nothing.", strings.Join(alike, ", ")))
	}
	if period > 0 {
		s.warn(InStep, fmt.Sprintf("Failures come every %v, under all seeds at the same moments: "+
			"intervals hold for these moments alone.", period))
	}
}

// alike says whether all runs have the same figures, as far as they have values.
func (r *PolicyResults) alike() bool {
	same := false
	for i := range r.Figures {
		f := &r.Figures[i]
		if f.Least == nil || f.Most == nil {
			continue
		}
		if *f.Least != *f.Most {
			return false
		}
		same = true
	}
	return same
}

// failurePeriod returns the time between failures that begin in equal steps after the warm-up,
// three or more; 0 where they do not.
func (m *Measures) failurePeriod() time.Duration {
	var begins []time.Duration
	for _, w := range m.windows {
		if w.from.Seconds() >= m.WarmupS && !slices.Contains(begins, w.from) {
			begins = append(begins, w.from)
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
