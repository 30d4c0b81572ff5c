package models_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/policies"
)

// With one seed every policy meets the same RPCs: the n-th of a client begins at the same moment,
// has the same work and the same delays. Here nobody ever queues and connections take no time, so
// the latency is work and delays alone.
func TestPoliciesMeetTheSameRPCs(t *testing.T) {
	open := models.ClientGroup{Name: "c", Count: 5, Rate: 500}
	calls := func(policy policies.Policy, seed uint64, g models.ClientGroup) []models.Call {
		cfg := oneCaller(t, policy, seed, 40)
		g.Requests = 40
		cfg.Clients[0] = g
		cfg.Backends[0].Workers = 1000
		cfg.Backends[0].Service = parse(t, "lognormal(p50=5ms, p99=40ms)")
		cfg.Network = models.Network{
			Delay: parse(t, "exp(mean=1ms)"), Connect: parse(t, "0s"),
		}
		all := played(t, cfg)
		slices.SortFunc(all, func(a, b models.Call) int {
			return cmp.Or(cmp.Compare(a.Client, b.Client), cmp.Compare(a.Number, b.Number))
		})
		return all
	}
	same := func(a, b models.Call) bool { return a.Start == b.Start && a.End == b.End }
	want := calls(policies.RoundRobin{}, 1, open)
	for _, policy := range []policies.Policy{
		policies.PickFirst{}, policies.LeastRequest{ChoiceCount: 2}, policies.Random{},
	} {
		got, elsewhere := calls(policy, 1, open), 0
		for i := range want {
			if !same(got[i], want[i]) {
				t.Errorf("RPC %d of client %d: %v to %v under %T, but %v to %v under round_robin",
					want[i].Number, want[i].Client, got[i].Start, got[i].End, policy,
					want[i].Start, want[i].End)
			}
			if got[i].Backend != want[i].Backend {
				elsewhere++
			}
		}
		if elsewhere < len(want)/4 {
			t.Errorf("%T sends only %d of %d RPCs elsewhere: the test sees nothing",
				policy, elsewhere, len(want))
		}
	}
	// Nor does it matter how RPCs come to begin: the n-th of a client has the same luck.
	for _, g := range []models.ClientGroup{
		{Name: "even", Count: 5, Rate: 500, Arrivals: models.EvenArrivals},
		{Name: "closed", Count: 5, Callers: 3, Think: parse(t, "1ms")},
		{Name: "closed, random", Count: 5, Callers: 2, Think: parse(t, "exp(mean=20ms)")},
	} {
		got := calls(policies.RoundRobin{}, 1, g)
		for i := range want {
			if a, b := got[i].End.Sub(got[i].Start), want[i].End.Sub(want[i].Start); a != b {
				t.Errorf("RPC %d of client %d takes %v in a loop that is %s, but %v in an open one",
					want[i].Number, want[i].Client, a, g.Name, b)
			}
		}
	}
	// Another seed, other RPCs; other clients and other numbers, too.
	other := calls(policies.RoundRobin{}, 2, open)
	seen := make(map[time.Duration]bool)
	for i := range want {
		if same(want[i], other[i]) {
			t.Errorf("seeds 1 and 2: RPC %d of client %d is the same",
				want[i].Number, want[i].Client)
		}
		latency := want[i].End.Sub(want[i].Start)
		if seen[latency] {
			t.Errorf("RPC %d of client %d has another one's latency, %v", want[i].Number,
				want[i].Client, latency)
		}
		seen[latency] = true
	}
}
