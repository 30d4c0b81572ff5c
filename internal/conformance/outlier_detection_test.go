package conformance

import (
	"fmt"
	"testing"
	"time"

	"lbsim/policies"
)

// outlierJSON is a config in JSON.
func outlierJSON(p policies.OutlierDetection) string {
	text := fmt.Sprintf(`{"interval":"%fs","baseEjectionTime":"%fs","maxEjectionTime":"%fs",
		"maxEjectionPercent":%d,"childPolicy":[{%s}]`, p.Interval.Seconds(),
		p.BaseEjectionTime.Seconds(), p.MaxEjectionTime.Seconds(), p.MaxEjectionPercent,
		policyText(p.Child))
	if s := p.SuccessRateEjection; s != nil {
		text += fmt.Sprintf(`,"successRateEjection":{"stdevFactor":%d,
			"enforcementPercentage":%d,"minimumHosts":%d,"requestVolume":%d}`, s.StdevFactor,
			s.EnforcementPercentage, s.MinimumHosts, s.RequestVolume)
	}
	if f := p.FailurePercentageEjection; f != nil {
		text += fmt.Sprintf(`,"failurePercentageEjection":{"threshold":%d,
			"enforcementPercentage":%d,"minimumHosts":%d,"requestVolume":%d}`, f.Threshold,
			f.EnforcementPercentage, f.MinimumHosts, f.RequestVolume)
	}
	return text + "}"
}

// A backend that takes 300 ms fails calls whose deadline is 100 ms. A sweep is each second. Calls
// begin when all are connected, and never at the moment of a sweep.
func TestOutlierDetection(t *testing.T) {
	failing := policies.OutlierDetection{
		Interval: time.Second, BaseEjectionTime: 2 * time.Second, MaxEjectionTime: 10 * time.Second,
		MaxEjectionPercent: 100, Child: policies.RoundRobin{},
		FailurePercentageEjection: &policies.FailurePercentageEjection{Threshold: 50,
			EnforcementPercentage: 100, MinimumHosts: 1, RequestVolume: 2},
	}
	with := func(f func(p *policies.OutlierDetection)) policies.OutlierDetection {
		p := failing
		f(&p)
		return p
	}
	rate := with(func(p *policies.OutlierDetection) {
		p.FailurePercentageEjection = nil
		p.SuccessRateEjection = &policies.SuccessRateEjection{StdevFactor: 500,
			EnforcementPercentage: 100, MinimumHosts: 3, RequestVolume: 2}
	})
	one := with(func(p *policies.OutlierDetection) { p.MaxEjectionPercent = 10 })
	off := with(func(p *policies.OutlierDetection) { p.FailurePercentageEjection = nil })
	alone := with(func(p *policies.OutlierDetection) { p.Child = policies.PickFirst{} })
	often := func(n int) []client { return within(100, []client{{at: every(n, 205, 110)}}) }
	playAll(t, []scenario{
		{name: "one of three fails, is ejected and comes back", policy: failing, backends: 3,
			service: at(20, 300, 20), clients: often(45)},
		{name: "by the success rate", policy: rate, backends: 3, service: at(20, 20, 300),
			clients: often(30)},
		{name: "it is well again", policy: failing, backends: 2, service: at(300, 20),
			clients: often(50), steps: []step{slowed(1500, 0, 0.1)}},
		{name: "both fail and both are ejected", policy: failing, backends: 2,
			service: at(300, 300), clients: often(20)},
		{name: "wait-for-ready calls wait until they are back", policy: failing, backends: 2,
			service: at(300, 300), clients: []client{
				{at: every(12, 205, 60), timeout: ms(100)},
				{at: at(1500, 1600), wait: true},
			}},
		// Which of two that fail at once depends on the order of a Go map.
		{name: "only one may be ejected", policy: one, backends: 3, service: at(300, 20, 20),
			clients: often(25), steps: []step{slowed(1500, 1, 15)}},
		{name: "nothing is configured", policy: off, backends: 2, service: at(20, 300),
			clients: often(15)},
		{name: "pick_first does not listen", policy: alone, backends: 2, service: at(300, 20),
			clients: often(15)},
		{name: "killed while ejected, and back", policy: failing, backends: 2,
			service: at(20, 300), clients: often(40),
			steps: []step{killed(1500, 1), restarted(1510, 1)}},
		{name: "refused while ejected", policy: failing, backends: 2, service: at(20, 300),
			clients: often(40), steps: []step{killed(1500, 1), restarted(2600, 1)}},
		{name: "the other one is killed", policy: failing, backends: 2, service: at(20, 300),
			clients: often(40), steps: []step{killed(1500, 0), restarted(1600, 0)}},
		{name: "removed while ejected and listed again", policy: failing, backends: 2,
			service: at(20, 300), clients: often(30),
			steps: []step{resolved(1500, 0), resolved(1700, 0, 1)}},
		{name: "all are replaced", policy: failing, backends: 3, list: []int{0, 1},
			service: at(20, 300, 20), clients: often(20), steps: []step{resolved(1500, 2)}},
		{name: "nothing is left", policy: failing, backends: 2, service: at(20, 300),
			clients: often(15), steps: []step{resolved(1500)}},
		{name: "NOT_SERVING and ejected", policy: failing, backends: 2, service: at(20, 300),
			health:  true,
			clients: often(50), steps: []step{notServingAt(1500, 1), servingAt(3500, 1)}},
		{name: "well again before it is back", policy: failing, backends: 2, health: true,
			service: at(20, 300), clients: often(40),
			steps: []step{notServingAt(1500, 1), servingAt(1700, 1)}},
		{name: "the first call comes late", policy: failing, backends: 2, service: at(20, 300),
			clients: within(100, []client{{at: every(20, 5205, 110)}})},
	})
}
