package models_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/resolvers"
	"lbsim/models/serviceconfig"
	"lbsim/options"
	"lbsim/policies"

	"pgregory.net/rapid"
)

// Lists of backends change while RPCs that may be retried and that wait for ready are under way.
// Every backend is healthy and has room, and no list is empty: all RPCs end OK, after one attempt.
func TestListsThatChangeFailNoRPC(t *testing.T) {
	check(t, func(t *rapid.T) {
		d := drawn{T: t}
		waits := d.bool("wait for ready")
		cfg := &models.Config{
			Seed: 1, Duration: 10 * time.Second, Bin: 100 * time.Millisecond,
			Warmup: time.Duration(d.int("warm-up", 0, 1)) * time.Second,
			Clients: []models.ClientGroup{{
				Name: "c", Count: d.int("clients", 1, 3),
				Rate:     options.Rate(d.int("rate", 50, 500)),
				Requests: 50, WaitForReady: &waits,
				Arrivals: pick(d.bool("even"), models.EvenArrivals, models.PoissonArrivals),
				Timeout:  rapid.SampledFrom([]time.Duration{0, time.Hour}).Draw(t, "timeout"),
			}},
			Backends: []models.BackendGroup{{
				Name: "b", Count: 3, Workers: 1000, Queue: -1, Speed: 1, Weight: 1, ZoneWeight: 1,
				Service: d.dist("0s", "1ms", "exp(mean=5ms)"),
			}},
			Policy: sample(rapid.SampledFrom([]string{
				"pick_first", "round_robin", "least_request", "random",
			}).Draw(t, "policy")),
		}
		cfg.Network.Delay = d.dist("100us", "5ms", "exp(mean=2ms)")
		again := time.Millisecond
		switch d.int("again", 0, 2) {
		case 1:
			cfg.Clients[0].Retry = &serviceconfig.Retry{
				MaxAttempts: 3, InitialBackoff: again, MaxBackoff: again, Multiplier: 1,
				Codes: unavailable,
			}
		case 2:
			cfg.Clients[0].Hedging = &serviceconfig.Hedging{MaxAttempts: 2, Delay: time.Hour}
		}
		s := resolvers.Script{At: map[string][]string{"0s": {d.anyOf(3)}}}
		for range d.int("lists", 1, 8) {
			s.At[fmt.Sprintf("%dms", d.int("at", 1, 1000))] = []string{d.anyOf(3)}
		}
		cfg.Resolver = s
		run, _ := run(cfg, math.MaxInt)
		errors, attempts := uint64(0), uint64(0)
		for _, b := range run.Bins {
			errors += b.Errors
		}
		for _, b := range run.Backends {
			attempts += b.Attempts
		}
		if run.Ended != run.In || errors > 0 || len(run.Failures) > 0 {
			t.Fatalf("%d of %d RPCs ended, %d with errors: %v; want all, 0",
				run.Ended, run.In, errors, run.Failures)
		}
		if cfg.Warmup == 0 && (run.Codes[policies.OK] != run.In || attempts != run.In) {
			t.Fatalf("%d RPCs: %d ended OK, %d were sent", run.In, run.Codes[policies.OK], attempts)
		}
	})
}

// anyOf returns the name of the group b or of one of its n backends.
func (d *drawn) anyOf(n int) string {
	if d.bool("all") {
		return "b"
	}
	return fmt.Sprint("b/", d.int("backend", 0, n-1))
}
