package models_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/failures"
	"lbsim/models/serviceconfig"
	"lbsim/policies"
	"lbsim/sim"
)

// What servers say of further attempts, with the status of a failed one.
const later, nevermore = 500 * time.Millisecond, time.Duration(-1)

// The backoff would be 100 ms, 200 ms and so on.
func TestPushbackInPlaceOfBackoff(t *testing.T) {
	for _, row := range []struct {
		name   string
		push   time.Duration
		listed serviceconfig.Codes
		want   string
	}{
		{"exactly as long", later, unavailable, "sent 0s, sent 500ms, sent 1s, UNAVAILABLE 1s"},
		{"at once", 0, unavailable, "sent 0s, sent 0s, sent 0s, UNAVAILABLE 0s"},
		{"never", nevermore, unavailable, "sent 0s, UNAVAILABLE 0s"},
		{"another code", later, codes(policies.Aborted), "sent 0s, UNAVAILABLE 0s"},
	} {
		cfg := full(t, 2, 10*time.Second)
		cfg.Backends[0].Pushback = models.Pushback{Given: true, After: row.push}
		cfg.Clients[0].Retry = &serviceconfig.Retry{
			MaxAttempts: 3, InitialBackoff: 100 * time.Millisecond, MaxBackoff: time.Second,
			Multiplier: 2, Codes: row.listed,
		}
		if got := second(t, cfg); got != row.want {
			t.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
	}
}

// Only a full queue pushes back, not an error of the failure kind errors.
func TestNoPushbackWithInjectedErrors(t *testing.T) {
	cfg := full(t, 2, 10*time.Second)
	cfg.Backends[0].Pushback = models.Pushback{Given: true, After: nevermore}
	cfg.Backends[0].Queue = -1
	cfg.Failures = append(cfg.Failures, failures.Errors{
		Backends: []string{"b"}, From: time.Second, Ratio: 1, Code: "UNAVAILABLE",
	})
	cfg.Clients[0].Retry = &serviceconfig.Retry{
		MaxAttempts: 3, InitialBackoff: time.Millisecond, MaxBackoff: time.Second,
		Multiplier: 1, Codes: unavailable,
	}
	if got := attempts(t, cfg); got != "1 3:UNAVAILABLE" {
		t.Errorf("got %s, want three attempts of the second RPC", got)
	}
}

// Of two backends one pushes back. After each time that it does, the backoff begins anew: it is
// 1 ms, ±20 %, and never 10 ms.
func TestBackoffBeginsAnewAfterPushback(t *testing.T) {
	cfg := full(t, 3, 10*time.Second)
	cfg.Policy = policies.RoundRobin{}
	cfg.Network.Connect = parse(t, "0s")
	plain := cfg.Backends[0]
	plain.Name = "plain"
	cfg.Backends = append(cfg.Backends, plain)
	cfg.Backends[0].Pushback = models.Pushback{Given: true, After: later}
	cfg.Clients[0].Retry = &serviceconfig.Retry{
		MaxAttempts: 5, InitialBackoff: time.Millisecond, MaxBackoff: time.Second,
		Multiplier: 10, Codes: unavailable,
	}
	_ = traced(t, cfg)
	var gaps []time.Duration
	var last sim.Time
	for _, e := range cfg.Trace.Entries {
		// By the third RPC both are busy.
		if e.What == models.Sent && e.RPC == 2 {
			gaps = append(gaps, e.At.Sub(last))
			last = e.At
		}
	}
	pushed := 0
	for _, gap := range gaps[1:] {
		switch {
		case gap == later:
			pushed++
		case gap < 800*time.Microsecond || gap > 1200*time.Microsecond:
			t.Errorf("attempts came after %v, want 500ms or 1ms ±20 %%", gaps[1:])
		}
	}
	if len(gaps) != 5 || pushed != 2 {
		t.Errorf("attempts came after %v, want four, two of them pushed back", gaps[1:])
	}
}

// All backends are full. Their status takes 2 ms.
func TestPushbackOfHedges(t *testing.T) {
	const push = 50 * time.Millisecond
	for _, row := range []struct {
		name     string
		push     time.Duration
		nonFatal serviceconfig.Codes
		want     string
	}{
		{"later", push, unavailable, "sent 0s, sent 52ms, sent 104ms, UNAVAILABLE 106ms"},
		{"never", nevermore, unavailable, "sent 0s, UNAVAILABLE 2ms"},
		{"fatal", push, 0, "sent 0s, UNAVAILABLE 2ms"},
		{"fatal and never", nevermore, 0, "sent 0s, UNAVAILABLE 2ms"},
	} {
		cfg := fullOf(t, serviceconfig.Hedging{
			MaxAttempts: 3, Delay: time.Second, NonFatal: row.nonFatal,
		})
		for i := range cfg.Backends {
			cfg.Backends[i].Pushback = models.Pushback{Given: true, After: row.push}
		}
		if got := second(t, cfg); got != row.want {
			t.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
	}
}

// One of three backends is full, the others take for ever. The hedge after the one that was pushed
// back comes after the delay; after a never there is none.
func TestHedgesGoOnAfterPushback(t *testing.T) {
	for push, want := range map[time.Duration][]string{
		50 * time.Millisecond: {
			"sent 0s, sent 52ms, sent 1.052s, DEADLINE_EXCEEDED 5s",
			"sent 0s, sent 1s, sent 1.052s, DEADLINE_EXCEEDED 5s",
			"sent 0s, sent 1s, sent 2s, DEADLINE_EXCEEDED 5s",
		},
		nevermore: {
			"sent 0s, UNAVAILABLE 2ms",
			"sent 0s, sent 1s, DEADLINE_EXCEEDED 5s",
			"sent 0s, sent 1s, sent 2s, DEADLINE_EXCEEDED 5s",
		},
	} {
		seen := map[string]bool{}
		for seed := range uint64(30) {
			cfg := fullOf(t, serviceconfig.Hedging{
				MaxAttempts: 3, Delay: time.Second, NonFatal: unavailable,
			})
			cfg.Seed = seed
			cfg.Backends[0].Queue = -1
			cfg.Backends[1].Pushback = models.Pushback{Given: true, After: push}
			cfg.Clients[1].Callers = 20
			got := second(t, cfg)
			if !slices.Contains(want, got) {
				t.Fatalf("%v, seed %d: %s", push, seed, got)
			}
			seen[got] = true
		}
		if len(seen) != len(want) {
			t.Errorf("%v: of 30 seeds only these came out: %s", push, fmt.Sprint(seen))
		}
	}
}
