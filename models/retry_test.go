package models_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/failures"
	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// codes returns a set of status codes.
func codes(list ...policies.Code) serviceconfig.Codes {
	var set serviceconfig.Codes
	for _, c := range list {
		set |= 1 << c
	}
	return set
}

var unavailable = codes(policies.Unavailable)

// full is a world in which one backend is busy for good with its first request and has no queue, so
// each attempt after that fails with UNAVAILABLE as soon as it arrives. There is no delay.
func full(t *testing.T, requests uint64, every time.Duration) *models.Config {
	cfg := oneCaller(t, policies.PickFirst{}, 1, requests)
	cfg.Duration = time.Minute
	cfg.Network.Delay = parse(t, "0s")
	cfg.Backends[0] = models.BackendGroup{
		Name: "b", Count: 1, Workers: 1, Queue: 0, OnFull: models.FullUnavailable,
		Speed: 1, Weight: 1, ZoneWeight: 1,
		Service: parse(t, "1h"),
	}
	inTurns(&cfg.Clients[0], every)
	return cfg
}

// attempts returns for each RPC of a traced run how often it was sent and, behind a colon, its end.
func attempts(t *testing.T, cfg *models.Config) string {
	t.Helper()
	_ = traced(t, cfg)
	sent := map[uint64]int{}
	end := map[uint64]string{}
	var last uint64
	for _, e := range cfg.Trace.Entries {
		last = max(last, e.RPC)
		switch e.What {
		case models.Sent:
			sent[e.RPC]++
		case models.Ended:
			end[e.RPC] = ":" + e.Code.String()
		}
	}
	var words []string
	for n := range last + 1 {
		words = append(words, fmt.Sprint(sent[n], end[n]))
	}
	return strings.Join(words, " ")
}

func TestRetriesUntilAttemptsAreUsedUp(t *testing.T) {
	for most, want := range map[int]string{
		2: "1 2:UNAVAILABLE 2:UNAVAILABLE", 4: "1 4:UNAVAILABLE 4:UNAVAILABLE",
	} {
		cfg := full(t, 3, 10*time.Second)
		cfg.Clients[0].Retry = &serviceconfig.Retry{
			MaxAttempts: most, InitialBackoff: 100 * time.Millisecond, MaxBackoff: time.Second,
			Multiplier: 2, Codes: unavailable,
		}
		if got := attempts(t, cfg); got != want {
			t.Errorf("%d attempts: got %s, want %s", most, got, want)
		}
	}
}

func TestOtherCodesAreNotRetried(t *testing.T) {
	cfg := full(t, 3, time.Second)
	cfg.Clients[0].Retry = &serviceconfig.Retry{
		MaxAttempts: 4, InitialBackoff: 1, MaxBackoff: 1, Multiplier: 1,
		Codes: codes(policies.ResourceExhausted, policies.Aborted),
	}
	if got, want := attempts(t, cfg), "1 1:UNAVAILABLE 1:UNAVAILABLE"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Measured of grpc-go: 10 tokens, ratio 0.5, two attempts, always failing: 2 2 1 1 1. The tokens
// go 9, 8, 7, 6, 5: with 5 or less there is no retry.
func TestThrottlingStopsRetries(t *testing.T) {
	cfg := full(t, 6, time.Second)
	cfg.Clients[0].Retry = &serviceconfig.Retry{
		MaxAttempts: 2, InitialBackoff: 1, MaxBackoff: 1, Multiplier: 1, Codes: unavailable,
	}
	cfg.Clients[0].Throttle = &serviceconfig.Throttle{MaxTokens: 10, TokenRatio: 0.5}
	want := "1" + strings.Repeat(" 2:UNAVAILABLE", 2) + strings.Repeat(" 1:UNAVAILABLE", 3)
	if got := attempts(t, cfg); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A backend crashes under an RPC: the retry picks anew and succeeds on the next backend.
func TestRetryPicksAnew(t *testing.T) {
	cfg := oneCaller(t, policies.RoundRobin{}, 1, 1)
	cfg.Duration = time.Minute
	cfg.Clients[0].Start = 100 * time.Millisecond
	cfg.Backends[0].Service = parse(t, "200ms")
	cfg.Failures = []models.Failure{
		failures.Crash{Backends: []string{"b/0", "b/1"}, From: time.Duration(200e6)},
	}
	cfg.Clients[0].Retry = &serviceconfig.Retry{
		MaxAttempts: 5, InitialBackoff: 50 * time.Millisecond, MaxBackoff: time.Second,
		Multiplier: 1, Codes: unavailable,
	}
	for seed := range uint64(20) {
		cfg.Seed = seed
		got := attempts(t, cfg)
		// Whatever was picked first, what is left in the end is backend 2.
		if got != "1:OK" && got != "2:OK" {
			t.Errorf("seed %d: got %s, want an answer at the first or second attempt", seed, got)
		}
	}
}

// All backends refuse: each attempt fails in the picker, and four picks are made.
func TestFailFastInTransientFailureIsRetried(t *testing.T) {
	cfg := oneCaller(t, policies.PickFirst{}, 1, 2)
	cfg.Duration = time.Minute
	cfg.Failures = []models.Failure{failures.Crash{Backends: []string{"b"}}}
	inTurns(&cfg.Clients[0], time.Second)
	cfg.Clients[0].Retry = &serviceconfig.Retry{
		MaxAttempts: 4, InitialBackoff: time.Millisecond, MaxBackoff: time.Second, Multiplier: 1,
		Codes: unavailable,
	}
	picks := &dropper{Policy: policies.PickFirst{}}
	cfg.Policy = picks
	if got, want := attempts(t, cfg), "0:UNAVAILABLE 0:UNAVAILABLE"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// The first RPC waits while the channel connects, and is then picked four times too.
	if picks.failed != 8 {
		t.Errorf("%d picks failed, want 4 of each RPC", picks.failed)
	}
}

func TestDropsAreNotRetried(t *testing.T) {
	cfg := oneCaller(t, &dropper{Policy: policies.PickFirst{}, drop: true}, 1, 2)
	cfg.Duration = time.Minute
	cfg.Clients[0].WaitForReady = new(true)
	cfg.Clients[0].Retry = &serviceconfig.Retry{
		MaxAttempts: 4, InitialBackoff: 1, MaxBackoff: 1, Multiplier: 1, Codes: unavailable,
	}
	if got, want := attempts(t, cfg), "0:UNAVAILABLE 0:UNAVAILABLE"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The deadline spans all attempts and the backoff between them.
func TestDeadlineDuringBackoff(t *testing.T) {
	cfg := full(t, 2, time.Second)
	cfg.Clients[0].Timeout = 500 * time.Millisecond
	cfg.Clients[0].Retry = &serviceconfig.Retry{
		MaxAttempts: 5, InitialBackoff: 10 * time.Second, MaxBackoff: 10 * time.Second,
		Multiplier: 1, Codes: unavailable,
	}
	want := "1:DEADLINE_EXCEEDED 1:DEADLINE_EXCEEDED"
	if got := attempts(t, cfg); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, e := range cfg.Trace.Entries {
		if e.What == models.Ended && e.At%1e9 != 500e6 {
			t.Errorf("RPC %d ended at %v, want 500ms after a full second", e.RPC, e.At)
		}
	}
}

// dropper counts the picks that fail, and drops all if its field says so.
type dropper struct {
	policies.Policy
	drop   bool
	failed int
}

func (d *dropper) Build(h policies.Host) policies.Balancer {
	return d.Policy.Build(&frontHost{h, func(p policies.Picker) policies.Picker {
		return &dropperPicker{p, d}
	}})
}

type dropperPicker struct {
	policies.Picker
	d *dropper
}

func (p *dropperPicker) Pick(c policies.Call) policies.Pick {
	if p.d.drop {
		return policies.Pick{
			Verdict: policies.Dropped, Status: &policies.Status{Code: policies.Unavailable},
		}
	}
	pick := p.Picker.Pick(c)
	if pick.Verdict == policies.Failed {
		p.d.failed++
	}
	return pick
}
