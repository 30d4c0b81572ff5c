package serviceconfig

import (
	"testing"
	"time"

	"lbsim/policies"
)

func TestWeightedRoundRobinOptions(t *testing.T) {
	prototype := policies.Catalog["weighted_round_robin"].(policies.WeightedRoundRobin)
	with := func(change func(p *policies.WeightedRoundRobin)) policies.WeightedRoundRobin {
		p := prototype
		change(&p)
		return p
	}
	const refused = "loadBalancingConfig[0].weighted_round_robin."
	for _, test := range []struct {
		options string
		want    policies.WeightedRoundRobin
		wrong   string
	}{
		{`{}`, prototype, ""},
		{`null`, prototype, ""},
		{`{"enableOobLoadReport":true,"oobReportingPeriod":"1.5s"}`,
			with(func(p *policies.WeightedRoundRobin) {
				p.EnableOOB, p.OOBPeriod = true, 1500*time.Millisecond
			}), ""},
		{`{"blackoutPeriod":"0s","weightExpirationPeriod":"60s","weightUpdatePeriod":"-1s"}`,
			with(func(p *policies.WeightedRoundRobin) {
				p.BlackoutPeriod, p.ExpirationPeriod = 0, time.Minute
				p.UpdatePeriod = -time.Second
			}), ""},
		{`{"errorUtilizationPenalty":0}`, with(func(p *policies.WeightedRoundRobin) {
			p.ErrorPenalty = 0
		}), ""},
		{`{"errorUtilizationPenalty":-0.1}`, prototype,
			refused + "errorUtilizationPenalty: must be non-negative (is -0.1)"},
		{`{"blackoutPeriod":10}`, prototype,
			refused + `blackoutPeriod: must be seconds as text, such as "1.5s" (is 10)`},
		{`{"blackoutPeriod":null}`, prototype,
			refused + `blackoutPeriod: must be seconds as text, such as "1.5s" (is null)`},
	} {
		text := `{"loadBalancingConfig":[{"weighted_round_robin":` + test.options + `}]}`
		c, err := Parse([]byte(text), catalog)
		switch {
		case test.wrong == "" && (err != nil || c.Policy != test.want):
			t.Errorf("%s: got %+v, %v, want %+v", text, c, err, test.want)
		case test.wrong != "" && (err == nil ||
			err.Error() != test.wrong+"; grpc-go refuses the whole config"):
			t.Errorf("%s:\ngot  %v\nwant %s", text, err, test.wrong)
		}
	}
}
