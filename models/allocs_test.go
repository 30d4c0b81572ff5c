package models_test

import (
	"math"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/policies"
)

// Once slabs and queues have grown, an RPC allocates nothing, whatever becomes of it. Bins are
// longer than the run: the end of one writes down a sample of each backend.
func TestNoAllocationPerRPC(t *testing.T) {
	for _, row := range []struct {
		name   string
		change func(cfg *models.Config)
		ends   policies.Code // what at least a tenth of the RPCs come to
	}{
		{"served or queued", func(*models.Config) {}, policies.OK},
		{"round_robin", func(cfg *models.Config) {
			cfg.Policy = policies.RoundRobin{}
		}, policies.OK},
		{"the deadline comes first", func(cfg *models.Config) {
			cfg.Clients[0].Timeout = 10 * time.Millisecond
		}, policies.DeadlineExceeded},
		{"and the backend stops", func(cfg *models.Config) {
			cfg.Clients[0].Timeout = 10 * time.Millisecond
			cfg.Backends[0].OnCancel = models.StopCancelled
		}, policies.DeadlineExceeded},
		{"the queue is full", func(cfg *models.Config) {
			cfg.Clients[0].Rate *= 2
			cfg.Backends[0].Queue = 1
		}, policies.ResourceExhausted},
		{"a closed loop", func(cfg *models.Config) {
			cfg.Clients[0].Rate, cfg.Clients[0].Callers = 0, 10
			cfg.Clients[0].Think = parse(t, "exp(mean=10ms)")
		}, policies.OK},
		// No connection ever comes about: an attempt takes longer than what is measured.
		{"waiting for a connection", func(cfg *models.Config) {
			cfg.Network.Connect = parse(t, "1h")
			cfg.Clients[0].Timeout = 10 * time.Millisecond
		}, policies.DeadlineExceeded},
		{"waiting for ready", func(cfg *models.Config) {
			cfg.Network.Connect = parse(t, "1h")
			cfg.Clients[0].Timeout = 10 * time.Millisecond
			cfg.Clients[0].WaitForReady = new(true)
		}, policies.DeadlineExceeded},
		{"waiting for a stream", func(cfg *models.Config) {
			cfg.Clients[0].Timeout = 20 * time.Millisecond
			cfg.Backends[0].MaxStreams = 1
		}, policies.DeadlineExceeded},
		{"health is checked", func(cfg *models.Config) {
			cfg.Policy, cfg.Clients[0].HealthCheck = policies.RoundRobin{}, true
		}, policies.OK},
		{"replies report load", func(cfg *models.Config) { listenToLoad(cfg, false) }, policies.OK},
		{"load is reported out of band", func(cfg *models.Config) { listenToLoad(cfg, true) },
			policies.OK},
		{"connections with limits and keepalive", func(cfg *models.Config) {
			cfg.Clients[0].KeepaliveTime = 10 * time.Second
			cfg.Clients[0].KeepaliveTimeout = 20 * time.Second
			cfg.Backends[0].MaxConnectionAge = time.Hour
			cfg.Backends[0].MaxConnectionIdle = time.Minute
			cfg.Backends[0].MaxStreams = 100
		}, policies.OK},
	} {
		t.Run(row.name, func(t *testing.T) {
			cfg := benchConfig(t, policies.LeastRequest{ChoiceCount: 2})
			cfg.Bin = 2 * cfg.Duration
			cfg.Clients[0].Count, cfg.Backends[0].Count = 10, 10
			cfg.Clients[0].Rate /= 5
			row.change(cfg)
			w := models.New(cfg)
			w.Run(200_000) // grow
			const events = 10_000
			before := w.Progress()
			// The mean of ten slices, rounded down: the runtime itself may allocate now and then.
			n := testing.AllocsPerRun(10, func() { w.Run(events) })
			rpcs := w.Progress().Ended - before.Ended
			if n != 0 || rpcs < events {
				t.Errorf("%v allocations in %d events, want 0 (%d RPCs ended in all)",
					n, events, rpcs)
			}
			run := w.Finish()
			if got := run.Codes[row.ends]; got < run.Ended/10 {
				t.Errorf("%d of %d RPCs came to %v, want a tenth at least",
					got, run.Ended, row.ends)
			}
		})
	}
}

// Nothing grows with the length of a run: an RPC that has ended is forgotten by all, also by a list
// that no picker empties.
func TestEndedRPCsAreForgotten(t *testing.T) {
	cfg := benchConfig(t, policies.PickFirst{})
	cfg.Network.Connect = parse(t, "1h")
	cfg.Clients[0].Count, cfg.Clients[0].Rate = 1, 10_000
	cfg.Clients[0].Timeout = 10 * time.Millisecond
	cfg.Duration = 19 * time.Second // before the first attempt to connect has failed
	w := models.New(cfg)
	w.Run(math.MaxInt)
	// Some 100 wait at a time, and the list may be half full of such as have ended.
	if p := w.Progress(); p.Held > 300 || p.Ended < 100_000 {
		t.Errorf("%d RPCs have ended, %d are held, want some 100 to 200", p.Ended, p.Held)
	}
}
