package models_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/serviceconfig"
	"lbsim/policies"
	"lbsim/sim"
)

// hedged is a client of three backends: two take an hour for a request, the third 10 ms. Messages
// take 1 ms. Its first RPC connects; the second, when all is READY, is the one that tests look at.
func hedged(t *testing.T, h serviceconfig.Hedging) *models.Config {
	cfg := oneCaller(t, policies.RoundRobin{}, 1, 2)
	cfg.Duration = time.Minute
	cfg.Clients[0].Timeout = 5 * time.Second
	cfg.Clients[0].Think = parse(t, "5s")
	cfg.Clients[0].Hedging = &h
	cfg.Network = models.Network{Delay: parse(t, "1ms"), Connect: parse(t, "0s")}
	slow := models.BackendGroup{
		Name: "slow", Count: 2, Workers: 1, Queue: -1,
		Speed: 1, Weight: 1, ZoneWeight: 1, Service: parse(t, "1h"),
		OnCancel: models.StopCancelled,
	}
	quick := slow
	quick.Name, quick.Count, quick.Service = "quick", 1, parse(t, "10ms")
	cfg.Backends = []models.BackendGroup{slow, quick}
	return cfg
}

// second returns when the second RPC of the first client was sent, and when and how it ended,
// counted from its beginning.
func second(t *testing.T, cfg *models.Config) string {
	t.Helper()
	_ = traced(t, cfg)
	var begin sim.Time
	var words []string
	for _, e := range cfg.Trace.Entries {
		if e.Client != 0 || e.RPC != 1 {
			continue
		}
		at := e.At.Sub(begin)
		switch e.What {
		case models.Began:
			begin = e.At
		case models.Sent:
			words = append(words, fmt.Sprint("sent ", at))
		case models.Ended:
			words = append(words, fmt.Sprint(e.Code, " ", at))
		}
	}
	return strings.Join(words, ", ")
}

// Attempts begin every 100 ms. Whichever of them meets the quick backend is answered 12 ms later,
// and no further one begins.
func TestHedgesBeginAfterTheDelay(t *testing.T) {
	want := map[string]bool{
		"sent 0s, OK 12ms":                          true,
		"sent 0s, sent 100ms, OK 112ms":             true,
		"sent 0s, sent 100ms, sent 200ms, OK 212ms": true,
	}
	seen := map[string]bool{}
	for seed := range uint64(30) {
		cfg := hedged(t, serviceconfig.Hedging{MaxAttempts: 3, Delay: 100 * time.Millisecond})
		cfg.Seed = seed
		got := second(t, cfg)
		if !want[got] {
			t.Fatalf("seed %d: %s", seed, got)
		}
		seen[got] = true
	}
	if len(seen) != len(want) {
		t.Errorf("of 30 seeds only these came out: %v", seen)
	}
}

func TestHedgesBeginAllAtOnceWithoutDelay(t *testing.T) {
	cfg := hedged(t, serviceconfig.Hedging{MaxAttempts: 3})
	if got, want := second(t, cfg), "sent 0s, sent 0s, sent 0s, OK 12ms"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The losers are cancelled: before the second RPC begins, every backend is free again.
func TestLosersAreCancelled(t *testing.T) {
	cfg := hedged(t, serviceconfig.Hedging{MaxAttempts: 3})
	cfg.Warmup = time.Second
	w := models.New(cfg)
	for !w.Run(1000) {
	}
	for i, b := range w.Finish().Backends {
		if b.HeldPeak != 1 {
			t.Errorf("backend %d held %d requests at once, want the one of the second RPC",
				i, b.HeldPeak)
		}
	}
}

// fullOf is the same with backends that are busy for good and have no queue: another client, whose
// calls fail until one has come through to each, sees to that. The first client begins later.
func fullOf(t *testing.T, h serviceconfig.Hedging) *models.Config {
	cfg := hedged(t, h)
	for i := range cfg.Backends {
		b := &cfg.Backends[i]
		b.OnFull, b.Queue = models.FullUnavailable, 0
		b.Service, b.OnCancel = parse(t, "1h"), models.FinishCancelled
	}
	busy := cfg.Clients[0]
	busy.Name, busy.Hedging, busy.Timeout = "busy", nil, 0
	busy.Callers, busy.Requests, busy.Think = 3, 100, parse(t, "10ms")
	cfg.Clients[0].Start = 2 * time.Second
	cfg.Clients = append(cfg.Clients, busy)
	return cfg
}

// Backends that are full answer UNAVAILABLE after 2 ms. If that is not fatal the next attempt
// begins at once, in place of the delay; if it is, the RPC ends.
func TestFailedHedges(t *testing.T) {
	for _, test := range []struct {
		name     string
		nonFatal serviceconfig.Codes
		want     string
	}{
		{"non-fatal", unavailable, "sent 0s, sent 2ms, sent 4ms, UNAVAILABLE 6ms"},
		{"fatal", 0, "sent 0s, UNAVAILABLE 2ms"},
	} {
		cfg := fullOf(t, serviceconfig.Hedging{
			MaxAttempts: 3, Delay: time.Second, NonFatal: test.nonFatal,
		})
		if got := second(t, cfg); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// Six tokens: the three failed attempts of the first RPC leave three, which is half, so the second
// is sent once.
func TestThrottledChannelDoesNotHedge(t *testing.T) {
	cfg := fullOf(t, serviceconfig.Hedging{
		MaxAttempts: 3, Delay: time.Second, NonFatal: unavailable,
	})
	cfg.Clients[0].Throttle = &serviceconfig.Throttle{MaxTokens: 6, TokenRatio: 0.1}
	if got, want := second(t, cfg), "sent 0s, UNAVAILABLE 2ms"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
