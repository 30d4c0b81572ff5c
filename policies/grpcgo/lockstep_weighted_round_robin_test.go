package grpcgo

import (
	"testing"
	"time"

	"lbsim/policies"
)

func TestWeightedRoundRobinInLockstep(t *testing.T) {
	with := func(change func(p *policies.WeightedRoundRobin)) policies.WeightedRoundRobin {
		p := policies.Catalog["weighted_round_robin"].(policies.WeightedRoundRobin)
		change(&p)
		return p
	}
	configs := []pairConfig{
		{`{"blackoutPeriod": "0s"}`, with(func(p *policies.WeightedRoundRobin) {
			p.BlackoutPeriod = 0
		})},
		{`{"blackoutPeriod": "0s", "weightUpdatePeriod": "0.01s", "errorUtilizationPenalty": 0.3}`,
			with(func(p *policies.WeightedRoundRobin) {
				p.BlackoutPeriod, p.UpdatePeriod, p.ErrorPenalty = 0, 10*time.Millisecond, 0.3
			})},
		{`{"blackoutPeriod": "1s", "weightExpirationPeriod": "3s", "weightUpdatePeriod": "0.7s"}`,
			with(func(p *policies.WeightedRoundRobin) {
				p.BlackoutPeriod, p.ExpirationPeriod = time.Second, 3*time.Second
				p.UpdatePeriod = 700 * time.Millisecond
			})},
		{`{"enableOobLoadReport": true, "blackoutPeriod": "0s"}`,
			with(func(p *policies.WeightedRoundRobin) { p.EnableOOB, p.BlackoutPeriod = true, 0 })},
		{`{"enableOobLoadReport": true, "oobReportingPeriod": "1s"}`,
			with(func(p *policies.WeightedRoundRobin) {
				p.EnableOOB, p.OOBPeriod = true, time.Second
			})},
		{`{}`, with(func(*policies.WeightedRoundRobin) {})},
	}
	for first := range configs {
		// The config of the start is the first; others follow.
		p := &pair{name: "weighted_round_robin", addresses: singles,
			health: first%2 == 0, configs: append(configs[first:len(configs):len(configs)],
				configs[:first]...)}
		if first == 0 {
			p.lockstep(t)
			continue
		}
		p.aMillionPicks(t)
	}
}
