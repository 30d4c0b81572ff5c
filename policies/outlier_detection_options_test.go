package policies_test

import (
	"testing"
	"time"

	"lbsim/policies"
)

// An RPC that finds its connection gone is Done with nothing to say, which counts as a success; one
// that was picked while nothing counted does not count at its end.
func TestOutlierDetectionCounts(t *testing.T) {
	r := newOutlierRun(policies.Catalog["outlier_detection"].(config), 1)
	early := r.Pick()
	r.change(func(p *config) { p.SuccessRateEjection = new(policies.SuccessRateEjection) })
	rpc := r.Pick()
	for code := range policies.Codes {
		var status *policies.Status
		if code != policies.OK {
			status = &policies.Status{Code: code}
		}
		rpc.Done(policies.Outcome{Status: status, BytesSent: true})
		early.Done(policies.Outcome{Status: status})
	}
	rpc.Done(policies.Outcome{})
	if o := r.knows(); o.Good != 2 || o.Bad != uint32(policies.Codes)-1 {
		t.Errorf("counted %d good and %d bad, want OK and one with nothing to say as good, the "+
			"rest as bad", o.Good, o.Bad)
	}
}

func TestOutlierDetectionOptions(t *testing.T) {
	for _, row := range []struct {
		change func(p *config)
		want   string
	}{
		{func(p *config) {}, ""},
		{func(p *config) { *p = config{Child: policies.RoundRobin{}} }, ""},
		{func(p *config) { p.Child = nil }, "child: must be a policy"},
		{func(p *config) { p.Interval = -1 }, "interval: must be >= 0 (is -1ns)"},
		{func(p *config) { p.BaseEjectionTime = -time.Second },
			"base_ejection_time: must be >= 0 (is -1s)"},
		{func(p *config) { p.MaxEjectionTime = -time.Second },
			"max_ejection_time: must be >= 0 (is -1s)"},
		{func(p *config) { p.MaxEjectionPercent = 101 },
			"max_ejection_percent: must be <= 100 (is 101)"},
		{func(p *config) { p.SuccessRateEjection.EnforcementPercentage = 101 },
			"success_rate_ejection.enforcement_percentage: must be <= 100 (is 101)"},
		{func(p *config) { p.FailurePercentageEjection.Threshold = 101 },
			"failure_percentage_ejection.threshold: must be <= 100 (is 101)"},
		{func(p *config) { p.FailurePercentageEjection.EnforcementPercentage = 101 },
			"failure_percentage_ejection.enforcement_percentage: must be <= 100 (is 101)"},
	} {
		p := enforced(new(policies.SuccessRateEjection), new(policies.FailurePercentageEjection))
		row.change(&p)
		if got := p.Check(); got == nil && row.want != "" || got != nil && got.Error() != row.want {
			t.Errorf("got %v, want %q", got, row.want)
		}
	}
}
