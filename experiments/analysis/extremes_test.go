package analysis_test

import (
	"math"
	"strings"
	"testing"

	"lbsim/experiments/analysis"
	"lbsim/experiments/report"
)

// One of four backends is slow, and a fifth is not listed: that counts in neither extreme, though
// it does in the mean.
func TestGroupsHaveTheirExtremes(t *testing.T) {
	s := concluded(t, `
duration = "60s"
seeds    = 2
[clients.web]
count = 4
rate  = "400/s"
[backends.b]
count   = 5
workers = 4
service = "exp(mean=10ms)"
[failures.f]
kind     = "slow"
backends = ["b/3"]
factor   = 50.0
[resolver]
kind     = "static"
backends = ["b/0-3"]
[policies.least_request]
choice_count = 4
[policies.round_robin]
`)
	p := s.Points[0]
	get := func(r *analysis.PolicyResults, metric string) float64 {
		for _, f := range r.Estimates {
			if f.Metric == metric && f.Scope == "group:b" {
				return *f.Mean
			}
		}
		t.Fatalf("no %s", metric)
		return 0
	}
	for i := range p.Policies {
		r := &p.Policies[i]
		var least, most, busiest float64
		for _, m := range r.Runs {
			share := func(i int) float64 { return *m.Backends[i].Share }
			least += min(share(0), share(1), share(2), share(3)) / 2
			most += max(share(0), share(1), share(2), share(3)) / 2
			busiest += max(m.Backends[0].Utilization, m.Backends[1].Utilization,
				m.Backends[2].Utilization, m.Backends[3].Utilization) / 2
		}
		for _, row := range []struct {
			metric string
			want   float64
		}{{"share_least_ratio", least}, {"share_most_ratio", most},
			{"utilization_most_ratio", busiest}, {"share_ratio", 1. / 5}} {
			if got := get(r, row.metric); math.Abs(got-row.want) > 1e-12 {
				t.Errorf("%s: %s is %v, want %v", r.Policy, row.metric, got, row.want)
			}
		}
	}
	var text strings.Builder
	report.WriteText(&text, s)
	// round_robin is even, but for the start: 25 % each of the four. least_request leaves out b/3,
	// the slow one, and spreads the rest at random, so that no other one is always the first.
	_, section, _ := strings.Cut(text.String(), "\n\n  within a group\n")
	section, _, _ = strings.Cut(section, "\n\n")
	lines := strings.Split(section, "\n")
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "  least_request: b from ") ||
		!strings.Contains(lines[0], "% (b/3) to 3") {
		t.Errorf("extremes are written as\n%s", text.String())
	}
}
