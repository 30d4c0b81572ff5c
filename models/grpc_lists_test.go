package models_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/resolvers"
	"lbsim/policies"
)

// 60 calls to each list of backends: 0 1, then 0 1 2, then 1 2.
func TestListsChange(t *testing.T) {
	at := func(ms int) string { return fmt.Sprintf("%dms", ms) }
	for _, row := range []struct {
		policy policies.Policy
		want   [][3]int
	}{
		{policies.PickFirst{}, [][3]int{{60, 0, 0}, {60, 0, 0}, {0, 60, 0}}},
		{policies.RoundRobin{}, [][3]int{{30, 30, 0}, {20, 20, 20}, {0, 30, 30}}},
	} {
		cfg := oneCaller(t, row.policy, 1, 181)
		// One call every 10 ms. The first only wakes the channel up; the 60 of a list begin 5 ms
		// after it came, when its connections have long been READY.
		inTurns(&cfg.Clients[0], 10*time.Millisecond)
		cfg.Resolver = resolvers.Script{At: map[string][]string{
			at(0): {"b/0-1"}, at(605): {"b/0-2"}, at(1205): {"b/1-2"},
		}}
		calls := played(t, cfg)
		for i, want := range row.want {
			if got := served(calls[1+60*i : 61+60*i]); got != want {
				t.Errorf("%T, list %d: %v, want %v", row.policy, i, got, want)
			}
		}
	}
}

// 30 sequential calls; one backend takes 100 ms, the others 0.1 ms. Measured: 3042 ms, 1015 ms, 3.4
// ms, 1016 ms.
func TestOneSlowBackend(t *testing.T) {
	const quick, slow = 60 * time.Microsecond, 100 * time.Millisecond
	group := func(count int, service time.Duration) models.BackendGroup {
		return models.BackendGroup{Name: service.String(), Count: count, Workers: 8, Queue: -1,
			Speed: 1, Weight: 1, ZoneWeight: 1, Service: parse(t, service.String())}
	}
	for _, row := range []struct {
		policy policies.Policy
		slow   int // which backend
		want   [3]int
		give   int
		about  time.Duration
	}{
		{policies.PickFirst{}, 0, [3]int{30, 0, 0}, 0, 3 * time.Second},
		{policies.RoundRobin{}, 0, [3]int{10, 10, 10}, 1, time.Second},
		{policies.PickFirst{}, 2, [3]int{30, 0, 0}, 0, 3400 * time.Microsecond},
		{policies.RoundRobin{}, 2, [3]int{10, 10, 10}, 1, time.Second},
	} {
		cfg := oneCaller(t, row.policy, 1, 30)
		cfg.Backends = []models.BackendGroup{group(1, slow), group(2, quick)}
		if row.slow == 2 {
			slices.Reverse(cfg.Backends)
		}
		calls := played(t, cfg)
		got := served(calls)
		for b := range got {
			if got[b] < row.want[b]-row.give || got[b] > row.want[b]+row.give {
				t.Errorf("%T, %d slow: calls %v, want %v, each within %d", row.policy, row.slow,
					got, row.want, row.give)
			}
		}
		// One call more or less to the slow one is 10 % of ten.
		took := calls[len(calls)-1].End.Seconds()
		if off := took / row.about.Seconds(); off < 0.89 || off > 1.11 {
			t.Errorf("%T, %d slow: took %.4f s, want about %v",
				row.policy, row.slow, took, row.about)
		}
	}
}

// 30 fresh channels make one call each: all to the first backend, [30 0 0]. With shuffling each
// channel has a first of its own; measured once: [12 9 9].
func TestOneCallOfEachFreshChannel(t *testing.T) {
	calls := func(policy policies.Policy, seed uint64) [3]int {
		cfg := oneCaller(t, policy, seed, 1)
		cfg.Clients[0].Count = 30
		return served(played(t, cfg))
	}
	if got := calls(policies.PickFirst{}, 1); got != [3]int{30, 0, 0} {
		t.Errorf("pick_first: %v, want [30 0 0]", got)
	}
	const seeds = 100
	var all [3]int
	spread := 0.
	for seed := range uint64(seeds) {
		got := calls(policies.PickFirst{ShuffleAddressList: true}, seed)
		spread += chiSquare(got[:])
		for b := range all {
			all[b] += got[b]
		}
	}
	if x := chiSquare(all[:]); x > chiSquare2 {
		t.Errorf("shuffled: %v of %d, want equal shares (chi-square %.1f, at most %v)",
			all, 30*seeds, x, chiSquare2)
	}
	// The sum of 100 chi-squares of 2 degrees of freedom: mean 200, standard deviation 20, and four
	// of them. Less would be too even to be chance.
	if spread < 120 || spread > 280 {
		t.Errorf("shuffled: chi-squares of 30 channels add up to %.0f, want 200 ± 80", spread)
	}
}
