package conformance

import (
	"testing"
	"time"

	"lbsim/policies"
)

// weighted is weighted_round_robin without a blackout.
func weighted(change func(p *policies.WeightedRoundRobin)) policies.WeightedRoundRobin {
	p := policies.Catalog["weighted_round_robin"].(policies.WeightedRoundRobin)
	p.BlackoutPeriod = 0
	if change != nil {
		change(&p)
	}
	return p
}

// Backend 1 takes ten times as long as backend 0, and has as many workers. What grpc-go knows of
// the load is the same on both sides: averages since the process began. No call begins as the
// shares are computed, each second after all are READY. Where weights change at each of them the
// play is short, so that a seed of lbsim can be found that does the same.
func TestWeightedRoundRobin(t *testing.T) {
	slowSecond := at(10, 100)
	playAll(t, []scenario{
		{name: "no reports", policy: weighted(nil), service: slowSecond,
			clients: []client{{at: every(20, 0, 205)}}},
		{name: "reports in replies", policy: weighted(nil), service: slowSecond,
			loads: withReplies, clients: []client{{at: every(40, 0, 205)}}},
		{name: "reports in replies, overlapping calls", policy: weighted(nil),
			service: at(30, 100), loads: withReplies,
			clients: []client{{at: every(50, 0, 51)}}},
		{name: "a blackout", policy: weighted(func(p *policies.WeightedRoundRobin) {
			p.BlackoutPeriod = 3 * time.Second
		}), service: slowSecond, loads: withReplies,
			clients: []client{{at: every(40, 0, 205)}}},
		{name: "what is known expires", policy: weighted(func(p *policies.WeightedRoundRobin) {
			p.ExpirationPeriod = 3 * time.Second
		}), service: slowSecond, loads: withReplies,
			clients: []client{{at: append(every(15, 0, 205), every(20, 7000, 205)...)}}},
		{name: "a slow update", policy: weighted(func(p *policies.WeightedRoundRobin) {
			p.UpdatePeriod = 2500 * time.Millisecond
		}), service: slowSecond, loads: withReplies,
			clients: []client{{at: every(40, 0, 205)}}},
		{name: "a backend without a worker fails fast, and is punished", policy: weighted(nil),
			service: at(300, 20), workers: 1, loads: withReplies,
			clients: []client{{at: every(25, 0, 107)}}},
		{name: "not punished", policy: weighted(func(p *policies.WeightedRoundRobin) {
			p.ErrorPenalty = 0
		}), service: at(300, 20), workers: 1, loads: withReplies,
			clients: []client{{at: every(25, 0, 107)}}},
		{name: "a new connection is at the mean", policy: weighted(nil), service: slowSecond,
			loads: withReplies, clients: []client{{at: every(60, 0, 205)}},
			steps: []step{killed(4100, 0), restarted(4101, 0)}},
		{name: "an endpoint leaves and comes back", policy: weighted(nil), service: slowSecond,
			loads: withReplies, clients: []client{{at: every(60, 0, 205)}},
			steps: []step{resolved(4103, 1), resolved(6003, 0, 1)}},
		{name: "out of band, at a stock server", policy: weighted(outOfBand), service: slowSecond,
			loads: apart, clients: []client{{at: every(60, 0, 1205)}}},
		{name: "out of band, less often than the server would",
			policy: weighted(func(p *policies.WeightedRoundRobin) {
				p.EnableOOB, p.OOBPeriod = true, 45*time.Second
			}), service: slowSecond, loads: apart, clients: []client{{at: every(60, 0, 1205)}}},
		{name: "out of band, replies do not count", policy: weighted(outOfBand),
			service: slowSecond, loads: withReplies, clients: []client{{at: every(60, 0, 1205)}}},
		{name: "in replies, what comes apart does not count", policy: weighted(nil),
			service: slowSecond, loads: apart, clients: []client{{at: every(60, 0, 1205)}}},
		{name: "out of band, both ways are open", policy: weighted(outOfBand),
			service: slowSecond, loads: apart | withReplies,
			clients: []client{{at: every(60, 0, 1205)}}},
		{name: "out of band, and a connection is lost", policy: weighted(outOfBand),
			service: slowSecond, loads: apart, clients: []client{{at: every(80, 0, 1205)}},
			steps: []step{killed(40000, 0), restarted(40001, 0)}},
		{name: "out of band, GOAWAY", policy: weighted(outOfBand), service: slowSecond,
			loads: apart, clients: []client{{at: every(60, 0, 1205)}},
			steps: []step{stopped(40000, 0), restarted(50000, 0)}},
	})
}

func outOfBand(p *policies.WeightedRoundRobin) { p.EnableOOB = true }
