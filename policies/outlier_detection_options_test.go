package policies

import (
	"testing"
	"time"
)

// An RPC that finds its connection gone is Done with nothing to say, which counts as a success; one
// that was picked while nothing counted does not count at its end.
func TestOutlierDetectionCounts(t *testing.T) {
	r := newOutlierRun(outlierDefaults, 1)
	uncounted, early := r.picker, r.pick()
	r.change(func(p *OutlierDetection) { p.SuccessRateEjection = new(SuccessRateEjection) })
	picker, p := r.picker, r.pick()
	for code := range Codes {
		var status *Status
		if code != OK {
			status = &Status{Code: code}
		}
		picker.Done(p, Outcome{Status: status, BytesSent: true})
		uncounted.Done(early, Outcome{Status: status})
	}
	picker.Done(p, Outcome{})
	if got := r.o.endpoints[0].now; got != (outlierCount{2, uint32(Codes) - 1}) {
		t.Errorf("counted %+v, want OK and one with nothing to say as good, the rest as bad", got)
	}
}

func TestOutlierDetectionOptions(t *testing.T) {
	for _, row := range []struct {
		change func(p *OutlierDetection)
		want   string
	}{
		{func(p *OutlierDetection) {}, ""},
		{func(p *OutlierDetection) { *p = OutlierDetection{Child: RoundRobin{}} }, ""},
		{func(p *OutlierDetection) { p.Child = nil }, "child: must be a policy"},
		{func(p *OutlierDetection) { p.Interval = -1 }, "interval: must be >= 0 (is -1ns)"},
		{func(p *OutlierDetection) { p.BaseEjectionTime = -time.Second },
			"base_ejection_time: must be >= 0 (is -1s)"},
		{func(p *OutlierDetection) { p.MaxEjectionTime = -time.Second },
			"max_ejection_time: must be >= 0 (is -1s)"},
		{func(p *OutlierDetection) { p.MaxEjectionPercent = 101 },
			"max_ejection_percent: must be <= 100 (is 101)"},
		{func(p *OutlierDetection) { p.SuccessRateEjection.EnforcementPercentage = 101 },
			"success_rate_ejection.enforcement_percentage: must be <= 100 (is 101)"},
		{func(p *OutlierDetection) { p.FailurePercentageEjection.Threshold = 101 },
			"failure_percentage_ejection.threshold: must be <= 100 (is 101)"},
		{func(p *OutlierDetection) { p.FailurePercentageEjection.EnforcementPercentage = 101 },
			"failure_percentage_ejection.enforcement_percentage: must be <= 100 (is 101)"},
	} {
		p := enforced(new(SuccessRateEjection), new(FailurePercentageEjection))
		row.change(&p)
		if got := p.Check(); got == nil && row.want != "" || got != nil && got.Error() != row.want {
			t.Errorf("got %v, want %q", got, row.want)
		}
	}
}
