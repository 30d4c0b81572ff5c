package conformance

import (
	"fmt"
	"strings"
	"testing"

	"lbsim/policies"
)

// Where a policy draws for each call, no seed of lbsim gives the very run that grpc-go has. Then
// the shares of the backends are compared, in two samples of the same size, by a chi-square of one
// degree of freedom less than there are backends. Its limits here are exceeded with a probability
// of 1e-9, so that a test whose one side is not seeded does not fail by chance.

// sharesOf counts the calls sent to each backend. The first call of each client, which finds the
// channel idle, does not count.
func sharesOf(lines []line, backends int) []int {
	shares := make([]int, backends)
	for _, l := range lines {
		var b int
		if _, err := fmt.Sscanf(l.what, "is sent to %d", &b); err == nil &&
			!strings.HasSuffix(l.who, "call 0") {
			shares[b]++
		}
	}
	return shares
}

func compareShares(t *testing.T, real, ours []int, limit float64) {
	t.Helper()
	x := 0.
	for b := range real {
		if n := real[b] + ours[b]; n > 0 {
			x += float64((real[b]-ours[b])*(real[b]-ours[b])) / float64(n)
		}
	}
	if x > limit {
		t.Errorf("shares %v of grpc-go, %v of lbsim: chi-square %.1f, at most %v",
			real, ours, x, limit)
	}
	t.Logf("shares %v of grpc-go, %v of lbsim: chi-square %.1f, at most %v", real, ours, x, limit)
}

// In one long run the calls that are open decide, too: the shares vary less than independent draws
// would, so the limit is on the safe side.
func TestSharesOfOneRun(t *testing.T) {
	for _, s := range []scenario{
		{name: "least_request, sequential", policy: policies.LeastRequest{ChoiceCount: 2},
			backends: 3,
			clients:  []client{{at: every(1500, 0, 50)}}},
		{name: "least_request, one slow", policy: policies.LeastRequest{ChoiceCount: 2},
			service: at(20, 20, 20, 300), clients: []client{{at: every(1500, 0, 7)}}},
		{name: "least_request, three choices, all busy",
			policy:  policies.LeastRequest{ChoiceCount: 3},
			service: at(40, 80, 160, 320), clients: []client{{at: every(1500, 0, 3)}}},
	} {
		s.withDefaults().note(t)
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s := s.withDefaults()
			limit := map[int]float64{3: 41.4, 4: 45.1}[s.backends]
			real := sharesOf(playReal(t, s), s.backends)
			compareShares(t, real, sharesOf(playOurs(s, 1), s.backends), limit)
		})
	}
}

// Many fresh channels make a call each, when they have been READY for a while.
func TestSharesOfFreshChannels(t *testing.T) {
	const runs = 120
	for _, s := range []scenario{
		{name: "round_robin", policy: policies.RoundRobin{}},
		{name: "pick_first, shuffled", policy: policies.PickFirst{ShuffleAddressList: true}},
	} {
		s.withDefaults().note(t)
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.backends, s.clients = 3, calls(0, 100)
			s := s.withDefaults()
			real, ours := make([]int, s.backends), make([]int, s.backends)
			for seed := range uint64(runs) {
				for b, n := range sharesOf(playReal(t, s), s.backends) {
					real[b] += n
				}
				for b, n := range sharesOf(playOurs(s, seed), s.backends) {
					ours[b] += n
				}
			}
			compareShares(t, real, ours, 41.4)
		})
	}
}
