package analysis

import (
	"slices"

	"lbsim/experiments/analysis/stats"
)

// PointResults is what the runs at one point of the sweep say together.
type PointResults struct {
	Point    map[string]string `json:"point"` // the swept keys and their values
	Policies []PolicyResults   `json:"policies"`
	// Precise reports whether the precision of the file was reached; null where it has none.
	Precise *bool `json:"precise"`

	// Metrics are those that the runs at the point have.
	Metrics []Metric `json:"-"`
	// Failed: some RPC did, in some run.
	Failed bool `json:"-"`
}

// PolicyResults is what the runs of a policy at one point say together.
type PolicyResults struct {
	Policy string   `json:"policy"`
	Seeds  []uint64 `json:"seeds"` // of its runs
	// Unstable says that in some run the queue grows without bound: then latencies have no value.
	Unstable  bool       `json:"unstable"`
	Estimates []Estimate `json:"figures"`
	// Differences are those from the baseline; of the baseline itself there are none.
	Differences []Difference `json:"differences"`

	// Runs are those of the policy at the point.
	Runs []*Measures `json:"-"`
}

func concludePoint(s *Summary, runs []*Measures) *PointResults {
	p := &PointResults{Point: runs[0].Point, Metrics: Metrics(GroupsOf(runs[0]))}
	p.Failed = someFailed(runs)
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
		for k := range p.Metrics {
			r.Estimates = append(r.Estimates, p.Metrics[k].Over(r.Runs))
		}
		if r.Policy != s.Baseline && len(baseline) > 0 {
			r.Differences = differences(p.Metrics, r.Runs, baseline)
		}
	}
	return p
}

func newPolicyResults(policy string, runs []*Measures) PolicyResults {
	r := PolicyResults{
		Policy: policy, Estimates: []Estimate{}, Differences: []Difference{}, Runs: runs,
	}
	for _, m := range runs {
		r.Seeds = append(r.Seeds, m.Seed)
		r.Unstable = r.Unstable || m.unstable()
	}
	return r
}

// Against compares each policy of a point with itself at another, where they share two seeds.
func (p *PointResults) Against(base *PointResults) *PointResults {
	out := &PointResults{
		Point: p.Point, Metrics: p.Metrics, Failed: p.Failed || base.Failed,
	}
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
			pair.Differences = differences(p.Metrics, r.Runs, from.Runs)
			if len(pair.Seeds) > 1 {
				out.Policies = append(out.Policies, pair)
			}
		}
	}
	return out
}

// Hides reports whether the text leaves a metric out: of the two mean latencies it has that of all
// where no RPC failed, and that of those that ended OK where some did.
func (p *PointResults) Hides(f *Metric) bool {
	return f.Name == meanMetric && (f.Scope == "ok") != p.Failed
}

// QuantileMean is the mean over the runs of a latency at a quantile.
type QuantileMean struct {
	Scope, Quantile string
	Mean, Half      *float64
}

// Quantiles returns the means of latencies by quantile, as far as all runs have enough RPCs, and
// their intervals, but where latencies depend on when the run ends. There are none of one run.
func (r *PolicyResults) Quantiles() (list []QuantileMean) {
	if len(r.Runs) < 2 {
		return nil
	}
	values := make([]float64, len(r.Runs))
	for k, c := range r.Runs[0].Curves {
		all := len(c.Millis)
		for _, m := range r.Runs {
			all = min(all, len(m.Curves[k].Millis))
		}
		for i := range all {
			for j, m := range r.Runs {
				values[j] = m.Curves[k].Millis[i]
			}
			mean, half := pointers(stats.IntervalOf(values))
			if r.Unstable {
				half = nil
			}
			list = append(list, QuantileMean{c.Scope, CurveQuantiles[i].Text, mean, half})
		}
	}
	return list
}

// ShareMean is the mean over the runs of the share of a backend.
type ShareMean struct {
	Backend    string
	Mean, Half *float64
}

// Shares returns the shares of the backends that have one in all runs. There are none of one run.
func (r *PolicyResults) Shares() (list []ShareMean) {
	if len(r.Runs) < 2 {
		return nil
	}
	for k := range r.Runs[0].Backends {
		var values []float64
		for _, m := range r.Runs {
			if s := m.Backends[k].Share; s != nil {
				values = append(values, *s)
			}
		}
		if len(values) == len(r.Runs) {
			mean, half := pointers(stats.IntervalOf(values))
			list = append(list, ShareMean{r.Runs[0].Backends[k].Name, mean, half})
		}
	}
	return list
}
