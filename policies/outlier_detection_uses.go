package policies

import (
	"fmt"
	"time"
)

// Uses returns what it takes for any ejection.
func (p OutlierDetection) Uses() []Use {
	uses := UsesOf(p.Child)
	none := func(option, why string) {
		uses = append(uses, Use{Option: option, Without: why + ", so nobody is ejected"})
	}
	s, f := p.SuccessRateEjection, p.FailurePercentageEjection
	switch {
	case !p.counts():
		none("", "neither success_rate_ejection nor failure_percentage_ejection is given")
	case p.MaxEjectionPercent == 0:
		none("max_ejection_percent", "is 0")
	case !listens(p.Child):
		uses = append(uses, Use{
			Option: "child", Without: "does not hear of health, so it goes on with who is ejected",
		})
	}
	if s != nil {
		uses = append(uses, ejection("success_rate_ejection", s.EnforcementPercentage,
			s.MinimumHosts, s.RequestVolume, p.Interval)...)
	}
	if f != nil {
		uses = append(uses, ejection("failure_percentage_ejection", f.EnforcementPercentage,
			f.MinimumHosts, f.RequestVolume, p.Interval)...)
		if f.Threshold == 100 {
			none("failure_percentage_ejection.threshold", "no more than 100 % can fail")
		}
	}
	return uses
}

// ejection returns what one kind of ejection takes: enforcement, and endpoints with enough RPCs in
// an interval.
func ejection(
	option string, enforced, hosts, volume uint32, interval time.Duration,
) []Use {
	if enforced == 0 {
		return []Use{{
			Option:  option + ".enforcement_percentage",
			Without: "is 0, so nobody is ejected; 100 ejects all that are found",
		}}
	}
	return []Use{
		{
			What: Endpoints, Option: option + ".minimum_hosts", Count: uint64(hosts),
			Without: "nobody is ejected",
		},
		{
			What: Calls, Option: option + ".request_volume",
			Count:  uint64(max(1, hosts)) * uint64(volume),
			Period: max(interval, shortestInterval),
			Without: fmt.Sprintf("%d RPCs each to %d endpoints cannot be, and nobody is ejected",
				volume, max(1, hosts)),
		},
	}
}
