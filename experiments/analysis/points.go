package analysis

import (
	"slices"

	"lbsim/experiments/analysis/stats"
)

// PointResults are the results of all runs at one point of the sweep.
type PointResults struct {
	Point    map[string]string `json:"point"` // the swept keys and their values
	Policies []PolicyResults   `json:"policies"`
	// Precise reports whether the precision was reached; null without a precision.
	Precise *bool `json:"precise"`

	// Metrics are the metrics of the runs at the point.
	Metrics []Metric `json:"-"`
	// Failed reports whether an RPC failed in some run.
	Failed bool `json:"-"`
}

// PolicyResults are the results of all runs of a policy at one point.
type PolicyResults struct {
	Policy string   `json:"policy"`
	Seeds  []uint64 `json:"seeds"` // of its runs
	// Unstable reports whether some run is unstable; then latencies have no value.
	Unstable  bool       `json:"unstable"`
	Estimates []Estimate `json:"figures"`
	// Differences are the differences from the baseline; empty for the baseline itself.
	Differences []Difference `json:"differences"`

	// Runs are the runs of the policy at the point.
	Runs []*Measures `json:"-"`
}

// concludePoint computes the results at a point of the sweep from its runs. Each policy is compared
// with the baseline.
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

// newPolicyResults returns the results of a policy at a point, without estimates.
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

// Against compares each policy of a point with itself in the results of another folder, if the two
// have at least two common seeds.
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

// Hides reports whether the text leaves a metric out. It has one of the two mean latencies: that of
// all RPCs if none failed, otherwise that of those that ended OK.
func (p *PointResults) Hides(metric *Metric) bool {
	return metric.Name == meanMetric && (metric.Scope == "ok") != p.Failed
}

// QuantileMean is the mean over the runs of a latency at a quantile.
type QuantileMean struct {
	Scope, Quantile string
	Mean, Half      *float64
}

// Quantiles returns the means of latencies by quantile, as far as all runs have enough RPCs, with
// their intervals unless a run is unstable. With one run there are none.
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

// Shares returns the mean shares of the backends that have a share in all runs. With one run there
// are none.
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
