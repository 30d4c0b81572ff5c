package models_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/failures"
	"lbsim/policies"
	"lbsim/sim"

	"pgregory.net/rapid"
)

// dialled returns when the client's attempts to connect begin and when it is READY, in seconds. The
// client begins at 10 s; a black hole closes after some time. Backoff has no jitter. Messages take
// 1 ms.
func dialled(t *testing.T, hole, timeout time.Duration) (begun, ready []float64) {
	cfg := oneCaller(t, policies.PickFirst{}, 1, 1)
	cfg.Duration = 10 * time.Minute
	cfg.Clients[0].Start = 10 * time.Second
	cfg.Backends[0].Count = 1
	cfg.Network = models.Network{Delay: parse(t, "1ms")}
	backoff := models.DefaultBackoff()
	backoff.Jitter, backoff.MinConnectTimeout = 0, timeout
	cfg.Backoff = &backoff
	cfg.Failures = []models.Failure{failures.Blackhole{
		Backends: []string{"b"}, To: time.Duration(hole),
	}}
	cfg.Trace = &models.Trace{}
	_, _ = run(cfg, math.MaxInt)
	for _, e := range cfg.Trace.Entries {
		switch {
		case e.What == models.Dialled:
			begun = append(begun, e.At.Seconds())
		case e.What == models.SubConnChanged && e.State == policies.Ready:
			ready = append(ready, e.At.Seconds())
		}
	}
	return begun, ready
}

// SYNs of an attempt are sent 0, 1, 3, 7, 15, 31 and 63 s after its begin, as Linux does, while it
// lasts: 20 s, unless it may take longer. The first that gets through makes the connection, 3 ms
// later. After 127 s Linux gives up. The next attempt begins a backoff of 1 s later, then of 1.6 s.
func TestSYNsAreSentAgain(t *testing.T) {
	for _, row := range []struct {
		hole, timeout float64
		begun         []float64
		ready         float64
	}{
		{5, 20, []float64{10}, 10},
		{10.5, 20, []float64{10}, 11},
		{12, 20, []float64{10}, 13},
		{17.1, 20, []float64{10}, 25},
		{29, 20, []float64{10, 31}, 31},
		{35, 20, []float64{10, 31}, 38}, // 3 s late, not 17.6
		{47, 20, []float64{10, 31, 52.6}, 52.6},
		{60, 200, []float64{10}, 73},
		{80, 200, []float64{10, 138}, 138},
	} {
		seconds := func(s float64) time.Duration { return time.Duration(s * 1e9) }
		begun, ready := dialled(t, seconds(row.hole), seconds(row.timeout))
		if fmt.Sprint(begun) != fmt.Sprint(row.begun) || len(ready) != 1 ||
			math.Abs(ready[0]-row.ready-0.003) > 1e-9 {
			t.Errorf("hole of %v s, attempts of %v s: begun at %v, READY at %v; want %v, %v",
				row.hole, row.timeout, begun, ready, row.begun, row.ready)
		}
	}
}

// Delays of up to 292 years, of which two make no length of time any more, break nothing.
func TestDelaysWithoutBound(t *testing.T) {
	check(t, func(t *rapid.T) {
		cfg := drawConnections(t)
		d := drawn{T: t}
		cfg.Network.Delay = d.dist("pareto(alpha=0.1, min=1us)", "2562047h",
			"lognormal(p50=1ns, p99=2562047h)")
		if d.bool("connect") {
			cfg.Network.Connect = cfg.Network.Delay
		}
		if d.bool("think") {
			cfg.Clients[0].Think = cfg.Network.Delay
			cfg.Backends[0].Service = cfg.Network.Delay
		}
		if d.bool("no connect timeout") {
			cfg.Backoff.MinConnectTimeout = time.Duration(sim.Never)
		}
		cfg.Duration = rapid.SampledFrom([]time.Duration{
			time.Minute, time.Hour,
		}).Draw(t, "duration")
		run, _ := run(cfg, math.MaxInt)
		if run.In != run.Ended+run.Open || len(run.Broken) > 0 {
			t.Fatalf("%d began, %d ended, %d are open; %q", run.In, run.Ended, run.Open, run.Broken)
		}
	})
}
