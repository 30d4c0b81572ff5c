package experiments

import "slices"

// PointResults is what the runs at one point of the sweep say together.
type PointResults struct {
	Point    map[string]string `json:"point"` // the swept keys and their values
	Policies []PolicyResults   `json:"policies"`
	// Precise says whether the precision of the file was reached; null where it has none.
	Precise *bool `json:"precise"`

	figures []figure
	failed  bool // some RPC did, in some run
}

// PolicyResults is what the runs of a policy at one point say together.
type PolicyResults struct {
	Policy string   `json:"policy"`
	Seeds  []uint64 `json:"seeds"` // of its runs
	// Unstable says that in some run the queue grows without bound: then latencies have no value.
	Unstable bool     `json:"unstable"`
	Figures  []Figure `json:"figures"`
	// Differences are those from the baseline; of the baseline itself there are none.
	Differences []Difference `json:"differences"`

	runs []*Measures
}

func (s *Summary) concludePoint(runs []*Measures) *PointResults {
	p := &PointResults{Point: runs[0].Point, figures: figuresOf(groupsOf(runs[0]))}
	p.failed = someFailed(runs)
	var baseline []*Measures
	for _, policy := range s.Policies {
		var of []*Measures
		for _, m := range runs {
			if m.Policy == policy {
				of = append(of, m)
			}
		}
		if policy == s.Baseline {
			baseline = of
		}
		if len(of) > 0 {
			p.Policies = append(p.Policies, newPolicyResults(policy, of))
		}
	}
	for i := range p.Policies {
		r := &p.Policies[i]
		for k := range p.figures {
			r.Figures = append(r.Figures, p.figures[k].over(r.runs))
		}
		if r.Policy != s.Baseline && len(baseline) > 0 {
			r.Differences = differences(p.figures, r.runs, baseline)
		}
	}
	return p
}

func newPolicyResults(policy string, runs []*Measures) PolicyResults {
	r := PolicyResults{Policy: policy, Figures: []Figure{}, Differences: []Difference{}, runs: runs}
	for _, m := range runs {
		r.Seeds = append(r.Seeds, m.Seed)
		r.Unstable = r.Unstable || m.unstable()
	}
	return r
}

// against compares each policy of a point with itself at another, where they share two seeds.
func (p *PointResults) against(base *PointResults) *PointResults {
	out := &PointResults{Point: p.Point, figures: p.figures, failed: p.failed || base.failed}
	for i := range p.Policies {
		for k := range base.Policies {
			r, from := &p.Policies[i], &base.Policies[k]
			if r.Policy != from.Policy {
				continue
			}
			pair := PolicyResults{Policy: r.Policy}
			for _, seed := range r.Seeds {
				if slices.Contains(from.Seeds, seed) {
					pair.Seeds = append(pair.Seeds, seed)
				}
			}
			pair.Differences = differences(p.figures, r.runs, from.runs)
			if len(pair.Seeds) > 1 {
				out.Policies = append(out.Policies, pair)
			}
		}
	}
	return out
}

// hides says whether a figure is left out: of the two mean latencies there is that of all where no
// RPC failed, and that of those that ended OK where some did.
func (p *PointResults) hides(f *figure) bool {
	return f.metric == meanMetric && (f.scope == "ok") != p.failed
}
