package models_test

import (
	"math"
	"testing"
	"time"

	"lbsim/policies"
)

// One caller without delays whose RPCs take a second: they end at 1 s, 2 s and so on, each at the
// first moment of a bin. That is in the bin that begins, as it is for what backends hold.
func TestMomentsBelongToTheBinThatBegins(t *testing.T) {
	cfg := oneCaller(t, policies.PickFirst{}, 1, 0)
	cfg.Duration, cfg.Warmup, cfg.Bin = 5*time.Second, 2*time.Second, time.Second
	cfg.Clients[0].Think = parse(t, "0s")
	cfg.Network.Delay = parse(t, "0s")
	cfg.Backends[0].Service = parse(t, "1s")
	run, _ := run(cfg, math.MaxInt)
	for i, b := range run.Bins {
		want := uint64(1)
		if i == 0 {
			want = 0
		}
		if b.Ended != want || b.InFlight[0] != 1 || b.Open != 1 {
			t.Errorf("bin %d: %d ended, %v in flight, %v open; want %d, 1, 1",
				i, b.Ended, b.InFlight[0], b.Open, want)
		}
	}
	b := run.Backends[0]
	if len(run.Bins) != 5 || run.In != 5 || run.Ended != 4 || run.Open != 1 ||
		run.Codes[policies.OK] != 3 || b.Attempts != 3 || b.Served != 3 || run.Attempts != 3 {
		t.Errorf("%d bins, %d began, %d ended, %d open; behind the warm-up %d OK, %+v; want 5, "+
			"5, 4, 1; 3 of all", len(run.Bins), run.In, run.Ended, run.Open,
			run.Codes[policies.OK], b)
	}
}
