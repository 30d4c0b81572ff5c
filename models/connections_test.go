package models_test

import (
	"math"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/failures"
	"lbsim/policies"

	"pgregory.net/rapid"
)

// drawConnections is a random small world in which connections have limits, backends are cut off,
// stop, go mute and become NOT_SERVING, and clients connect again quickly.
func drawConnections(t *rapid.T) *models.Config {
	cfg := draw(t)
	d := drawn{T: t, Config: *cfg}
	cfg.Duration, cfg.Bin = time.Minute, 30*time.Second
	cfg.Network.Connect = nil // it may be longer than the attempts below last
	cfg.Backoff = &models.Backoff{
		Base: 10 * time.Millisecond, Multiplier: 1.6, Max: 100 * time.Millisecond, Jitter: 0.2,
		MinConnectTimeout: 100 * time.Millisecond,
	}
	length := func(what string, ms ...int) time.Duration {
		return time.Duration(rapid.SampledFrom(ms).Draw(t, what)) * time.Millisecond
	}
	cfg.Network.GiveUp = length("give up", 0, 50, 1000)
	for i := range cfg.Backends {
		g := &cfg.Backends[i]
		g.MaxConnectionAge, g.AgeJitter = length("age", 0, 500), 0.1
		if g.MaxConnectionAge > 0 {
			g.MaxConnectionAgeGrace = length("grace", 0, 0, 10)
		}
		g.MaxConnectionIdle = length("idle", 0, 400)
		if g.MaxConnectionAge+g.MaxConnectionIdle == 0 { // else there is such work to the end
			g.ConnectCost = d.dist("1ms", "exp(mean=2ms)")
		}
		g.GoAwayChance = rapid.SampledFrom([]float64{0, 0.1, 1}).Draw(t, "goaway chance")
		g.MaxStreams = d.int("streams", 0, 3)
		if w, ok := cfg.Policy.(policies.WeightedRoundRobin); ok && g.MaxStreams > 0 {
			w.EnableOOB = w.EnableOOB && g.MaxStreams > 2 // likewise, see below
			cfg.Policy = w
		}
		g.PingMinTime = length("ping", 1, 300_000)
	}
	for i := range cfg.Clients {
		g := &cfg.Clients[i]
		g.IdleTimeout = length("idle timeout", 0, 100, 1000)
		g.KeepaliveTime, g.KeepaliveTimeout = length("keepalive", 0, 10_000), 2*time.Second
		g.KeepaliveWithoutStream = d.bool("always")
		g.HealthCheck = d.bool("health check")
		for _, b := range cfg.Backends {
			// The watch takes the only stream: then RPCs without a timeout wait for ever.
			g.HealthCheck = g.HealthCheck && b.MaxStreams != 1
		}
	}
	for range d.int("outages", 0, 4) {
		from := time.Duration(d.int("from", 0, 600)) * time.Millisecond
		to := from + time.Duration(d.int("for", 1, 300))*time.Millisecond
		backends := []string{d.some()}
		cfg.Failures = append(cfg.Failures, rapid.SampledFrom([]models.Failure{
			failures.Blackhole{Backends: backends, From: from, To: to},
			failures.Crash{Backends: backends, From: from, To: to},
			failures.Mute{Backends: backends, From: from, To: to},
			failures.Stop{Backends: backends, From: from, To: to},
			failures.Unhealthy{Backends: backends, From: from, To: to},
		}).Draw(t, "outage"))
	}
	return cfg
}

// Whatever happens to its connection, each RPC ends once, each pick is Done once, and nobody keeps
// anything.
func TestConnectionsComeToRest(t *testing.T) {
	check(t, func(t *rapid.T) {
		cfg := drawConnections(t)
		c := &counted{Policy: cfg.Policy, t: t, open: make(map[uint64]sentPick)}
		cfg.Policy = c
		want := uint64(0)
		for _, g := range cfg.Clients {
			want += uint64(g.Count) * g.Requests
		}
		w := models.New(cfg)
		for !w.Run(500) {
			w.Transports()
		}
		streams, pending, waiting := w.Transports()
		p := w.Progress()
		run := w.Finish()
		if run.In != want || run.Ended != want || p.Held != 0 {
			t.Fatalf("%d RPCs began, %d ended, %d are held; want %d, %d, 0",
				run.In, run.Ended, p.Held, want, want)
		}
		if len(c.open) > 0 || c.last < run.Codes[policies.OK] {
			t.Fatalf("%d of %d picks are not Done at rest", len(c.open), c.last)
		}
		if streams != 0 || pending != 0 || waiting != 0 {
			t.Fatalf("at rest there are %d streams, %d pending requests, %d that wait",
				streams, pending, waiting)
		}
	})
}

func TestRunsWithConnectionsRepeat(t *testing.T) {
	check(t, func(t *rapid.T) {
		cfg := drawConnections(t)
		cfg.Duration = 2 * time.Second
		one, _ := run(cfg, math.MaxInt)
		two, _ := run(cfg, 7)
		if one.Digest != two.Digest || one.Events != two.Events {
			t.Fatalf("in slices of 7 events: digest %x, %d events; in one go %x, %d",
				two.Digest, two.Events, one.Digest, one.Events)
		}
	})
}

// l4 puts some of the backend groups behind balancers of connections.
func (d *drawn) l4() {
	for i := range d.Backends {
		if !d.bool("behind a balancer") {
			continue
		}
		name := d.Backends[i].Name
		if n := len(d.L4); n > 0 && d.bool("the same") {
			d.L4[n-1].Backends = append(d.L4[n-1].Backends, name)
			continue
		}
		d.L4 = append(d.L4, models.L4Balancer{
			Name: "vip " + name, Backends: []string{name},
			Choice: models.L4Choice(d.int("choice", 0, 2)),
		})
	}
}
