package models

import (
	"fmt"
	"testing"
	"time"

	"lbsim/models/dist"
	"lbsim/policies"
	"lbsim/sim"
)

// backoffs are the reconnect backoffs of grpc-go v1.85.0 without jitter, in seconds, by the number
// of failures before: 1.6 times as long each time, from 120 s on no longer.
var backoffs = []float64{
	1, 1.6, 2.56, 4.096, 6.5536, 10.48576, 16.777216, 26.8435456, 42.94967296, 68.719476736,
	109.9511627776, 120, 120, 120,
}

// The jitter comes after the cap: up to 144 s. The first backoff has none.
func TestBackoff(t *testing.T) {
	b := DefaultBackoff()
	const never = 255 // failures are counted up to this
	for n := range never + 1 {
		base := backoffs[min(n, len(backoffs)-1)]
		for _, u := range []float64{0.001, 0.25, 0.5, 0.75, 0.999} {
			want := base * (0.8 + 0.4*u)
			if n == 0 {
				want = 1
			}
			got := b.after(uint8(n), u)
			if off := got.Seconds() - want; off > 1e-8 || off < -1e-8 {
				t.Errorf("backoff after %d failures, u = %v: %v, want %v s", n, u, got, want)
			}
		}
	}
	if got := b.after(0, 0.001); got != time.Second {
		t.Errorf("first backoff %v, want 1s exactly", got)
	}
}

// An attempt gets 20 s, or as long as the backoff after it if that is longer.
func TestConnectDeadline(t *testing.T) {
	c := &channel{w: &World{backoff: DefaultBackoff()}}
	for _, row := range []struct {
		failures    uint8
		least, most float64 // seconds
	}{
		{0, 20, 20},
		{5, 20, 20},
		{6, 20, 20.1326592},          // 16.8 s ± 20 %
		{7, 21.47483648, 32.2122548}, // 26.8 s ± 20 %
		{11, 96, 144},
		{255, 96, 144},
	} {
		for luck := range uint64(100) {
			s := &subConn{luck: sim.Mix(luck, 0), failures: row.failures}
			if got := c.deadline(s).Seconds(); got < row.least || got > row.most {
				t.Errorf("%d failures, luck %d: %v s to connect, want %v to %v",
					row.failures, luck, got, row.least, row.most)
			}
			if got := c.deadline(s); got != max(20*time.Second, c.backoff(s)) {
				t.Errorf("%d failures, luck %d: %v to connect, but a backoff of %v",
					row.failures, luck, got, c.backoff(s))
			}
		}
	}
}

// listed is a Resolver for tests that cannot import package resolvers, which imports this one.
type listed struct{}

func (listed) Doc() string         { return "a list" }
func (listed) Check(*Config) error { return nil }
func (listed) Start(to ResolverConn) Resolution {
	_ = to.UpdateState(nil)
	return nil
}

// An attempt to a backend that is down takes 2 x 100ms; its backoff runs from then on. A connection
// that was made begins the row anew.
func TestAttemptsOfAWorld(t *testing.T) {
	const refusal, handshake = 0.2, 0.3 // seconds
	for seed := range uint64(20) {
		j := NewJournal(&Config{
			Seed: seed, Duration: time.Hour, Bin: time.Hour,
			Clients: []ClientGroup{{
				Name: "c", Count: 1, Rate: 1, Arrivals: EvenArrivals, Requests: 1,
			}},
			Backends: []BackendGroup{{Name: "b", Count: 1, Workers: 1,
				Speed: 1, Weight: 1, ZoneWeight: 1, Service: ms(1)}},
			Network:  Network{Delay: ms(100)},
			Resolver: listed{},
			Policy:   policies.RoundRobin{},
		})
		j.w.Crash(0)
		const back, again = 400, 600 // seconds
		j.w.AfterFunc(back*time.Second, func() { j.w.Restart(0) })
		j.w.AfterFunc(again*time.Second, func() { j.w.Crash(0) })
		j.Run(sim.Time(700 * time.Second))
		failed, since, wasReady := 0, sim.Time(0), false
		for _, c := range j.Changes {
			took := c.At.Sub(since).Seconds()
			since = c.At
			switch c.To {
			case policies.Connecting:
				want, jitter := backoffs[max(0, failed-1)], 0.2
				if failed <= 1 {
					jitter = 0
				}
				if failed == 0 {
					want = 0 // at once: at the start, and when a connection was lost
				}
				if off := took - want; off > jitter*want+1e-8 || off < -jitter*want-1e-8 {
					t.Errorf("seed %d: attempt at %v, %v s after %d failures, want %v ± %v %%",
						seed, c.At, took, failed, want, 100*jitter)
				}
			case policies.TransientFailure:
				failed++
				if fmt.Sprintf("%.6f", took) != fmt.Sprintf("%.6f", refusal) {
					t.Errorf("seed %d: refused at %v, after %v s, want %v",
						seed, c.At, took, refusal)
				}
			case policies.Ready:
				failed, wasReady = 0, true
				if fmt.Sprintf("%.6f", took) != fmt.Sprintf("%.6f", handshake) {
					t.Errorf("seed %d: READY at %v, after %v s, want %v",
						seed, c.At, took, handshake)
				}
			}
		}
		if !wasReady || failed < 4 {
			t.Errorf("seed %d: was READY: %v, %d failures since: the run shows too little",
				seed, wasReady, failed)
		}
	}
}

func ms(n int) dist.Distribution { return dist.Constant(time.Duration(n) * time.Millisecond) }
