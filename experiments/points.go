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

// quantileMean is the mean over the runs of a latency at a quantile.
type quantileMean struct {
	scope, quantile string
	mean, half      *float64
}

// quantiles returns the means of latencies by quantile, as far as all runs have enough RPCs, and
// their intervals, but where latencies depend on when the run ends. There are none of one run.
func (r *PolicyResults) quantiles() (list []quantileMean) {
	if len(r.runs) < 2 {
		return nil
	}
	values := make([]float64, len(r.runs))
	for k, c := range r.runs[0].curves {
		all := len(c.ms)
		for _, m := range r.runs {
			all = min(all, len(m.curves[k].ms))
		}
		for i := range all {
			for j, m := range r.runs {
				values[j] = m.curves[k].ms[i]
			}
			mean, half := intervalOf(values).told()
			if r.Unstable {
				half = nil
			}
			list = append(list, quantileMean{c.scope, toldQuantiles[i].text, mean, half})
		}
	}
	return list
}

// shareMean is the mean over the runs of the share of a backend.
type shareMean struct {
	backend    string
	mean, half *float64
}

// shares returns the shares of the backends that have one in all runs. There are none of one run.
func (r *PolicyResults) shares() (list []shareMean) {
	if len(r.runs) < 2 {
		return nil
	}
	for k := range r.runs[0].Backends {
		var values []float64
		for _, m := range r.runs {
			if s := m.Backends[k].Share; s != nil {
				values = append(values, *s)
			}
		}
		if len(values) == len(r.runs) {
			mean, half := intervalOf(values).told()
			list = append(list, shareMean{r.runs[0].Backends[k].Name, mean, half})
		}
	}
	return list
}
