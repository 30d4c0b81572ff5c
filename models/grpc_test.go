package models_test

import (
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/failures"
	"lbsim/models/resolvers"
	"lbsim/options"
	"lbsim/policies"
	"lbsim/sim"
)

// What was measured of real grpc-go channels (v1.84.0 and v1.85.0: three backends on one machine,
// one sequential caller), played in simulated worlds of the same shape.

// The measured calls took some 0.1 ms: here 2 x 25 µs on the way and 50 µs of work.
const (
	wire = 25 * time.Microsecond
	work = 50 * time.Microsecond
	call = 2*wire + work
)

// oneCaller is a client that makes n calls, each when the one before has ended.
func oneCaller(tb testing.TB, policy policies.Policy, seed, n uint64) *models.Config {
	tb.Helper()
	return &models.Config{
		Seed: seed, Duration: time.Hour, Bin: time.Hour,
		Clients: []models.ClientGroup{{
			Name: "c", Count: 1, Callers: 1, Think: parse(tb, "0s"), Requests: n,
		}},
		Backends: []models.BackendGroup{{
			Name: "b", Count: 3, Workers: 8, Queue: -1,
			Speed: 1, Weight: 1, ZoneWeight: 1, Service: parse(tb, work.String()),
		}},
		Network:  models.Network{Delay: parse(tb, wire.String())},
		Resolver: resolvers.Static{},
		Policy:   policy,
	}
}

// inTurns makes the calls of a client begin at fixed times instead.
func inTurns(g *models.ClientGroup, every time.Duration) {
	g.Callers, g.Arrivals = 0, models.EvenArrivals
	g.Rate = options.Rate(float64(time.Second) / float64(every))
}

// played returns the calls of a world, which must all have ended.
func played(tb testing.TB, cfg *models.Config) []models.Call {
	tb.Helper()
	j := models.NewJournal(cfg)
	j.RunCalls(cfg.Clients[0].Requests * uint64(cfg.Clients[0].Count))
	for i, c := range j.Calls {
		if !c.Ended {
			tb.Fatalf("call %d of %d has not ended", i, len(j.Calls))
		}
	}
	return j.Calls
}

// served counts the calls that ended OK, by backend.
func served(calls []models.Call) [3]int {
	var n [3]int
	for _, c := range calls {
		if c.Code == policies.OK {
			n[c.Backend]++
		}
	}
	return n
}

func TestSequentialCallsOfOneChannel(t *testing.T) {
	for _, row := range []struct {
		policy  policies.Policy
		want    [3]int
		give    int // early pickers know fewer connections
		because string
	}{
		{policies.PickFirst{}, [3]int{300, 0, 0}, 0, "[300 0 0] measured"},
		{policies.RoundRobin{}, [3]int{100, 100, 100}, 1, "[100 99 101] measured"},
	} {
		for seed := range uint64(10) {
			got := served(played(t, oneCaller(t, row.policy, seed, 300)))
			for b := range got {
				if got[b] < row.want[b]-row.give || got[b] > row.want[b]+row.give {
					t.Errorf("%T, seed %d: 300 calls %v, want %v, each within %d (%s)",
						row.policy, seed, got, row.want, row.give, row.because)
				}
			}
		}
	}
}

// Measured of 6 fresh channels, 9 calls each: 120120120, 020120120, 020120120, 020120120,
// 201201201, 220120120. Whatever the first calls meet, once all connections are READY the turn is
// 0, 1, 2.
func TestFreshRoundRobinChannels(t *testing.T) {
	var first [3]int // of the calls after the last connection, by backend
	const seeds, channels = 50, 6
	for seed := range uint64(seeds) {
		cfg := oneCaller(t, policies.RoundRobin{}, seed, 9)
		cfg.Clients[0].Count = channels
		cfg.Network.Connect = parse(t, "exp(mean=100us)")
		j := models.NewJournal(cfg)
		j.RunCalls(9 * channels)
		for client := range int32(channels) {
			turn := afterLastReady(t, j, client)
			if len(turn) == 0 {
				continue // it connected too late
			}
			first[turn[0]]++
			for i, b := range turn {
				if want := (turn[0] + int32(i)) % 3; b != want {
					t.Errorf("seed %d, client %d: order %v, want a cyclic one", seed, client, turn)
				}
			}
		}
	}
	if x := chiSquare(first[:]); x > chiSquare2 || first[0] < seeds*channels/4 {
		t.Errorf("first backends of %d channels: %v, want equal shares "+
			"(chi-square %.1f, at most %v)", seeds*channels, first, x, chiSquare2)
	}
}

// afterLastReady checks that no call of a client met a connection that was not READY, and returns
// the backends of the calls after the last connection was.
func afterLastReady(t *testing.T, j *models.Journal, client int32) (order []int32) {
	t.Helper()
	ready := make(map[int32]sim.Time)
	var last sim.Time
	for _, c := range j.Changes {
		if c.Client == client && c.To == policies.Ready {
			ready[c.Backend], last = c.At, c.At
		}
	}
	for i, c := range j.Calls {
		if c.Client != client {
			continue
		}
		if at, is := ready[c.Backend]; !is || at > c.Sent {
			t.Errorf("client %d: call %d sent at %v to backend %d, which was READY from %v on (%v)",
				client, i, c.Sent, c.Backend, at, is)
		}
		if len(ready) == 3 && c.Sent > last {
			order = append(order, c.Backend)
		}
	}
	return order
}

// chiSquare2 is exceeded with probability 0.001 by a chi-square of 2 degrees of freedom. Seeds are
// fixed, so a test either always exceeds it or never.
const chiSquare2 = 13.82

// chiSquare compares counts with equal shares.
func chiSquare(counts []int) float64 {
	n := 0
	for _, c := range counts {
		n += c
	}
	share, x := float64(n)/float64(len(counts)), 0.
	for _, c := range counts {
		x += (float64(c) - share) * (float64(c) - share) / share
	}
	return x
}

// 8 calls, backend 0 stops, 50 ms to settle, 16 calls: no failure. Measured for pick_first: 8 x 0,
// 16 x 1; for round_robin: 11120120, then 12 eight times.
func TestBackendStopsAndTheChannelSettles(t *testing.T) {
	for _, policy := range []policies.Policy{policies.PickFirst{}, policies.RoundRobin{}} {
		for seed := range uint64(10) {
			cfg := oneCaller(t, policy, seed, 24)
			inTurns(&cfg.Clients[0], 60*time.Millisecond)
			// The eighth call begins at 420 ms and is over at 421, the ninth begins at 480 ms.
			cfg.Failures = []models.Failure{failures.Crash{
				Backends: []string{"b/0"}, From: time.Duration(421 * time.Millisecond),
			}}
			calls := played(t, cfg)
			before, after := served(calls[:8]), served(calls[8:])
			want := [3]int{0, 16, 0}
			if policy == (policies.RoundRobin{}) {
				want = [3]int{0, 8, 8}
				for i := 9; i < len(calls); i++ {
					if calls[i].Backend == calls[i-1].Backend {
						t.Errorf("round_robin, seed %d: calls %d and %d both to %d, want turns",
							seed, i-1, i, calls[i].Backend)
					}
				}
			} else if before != [3]int{8, 0, 0} {
				t.Errorf("pick_first, seed %d: %v before the stop, want [8 0 0]", seed, before)
			}
			if after != want {
				t.Errorf("%T, seed %d: %v served after the stop, want %v",
					policy, seed, after, want)
			}
		}
	}
}

// Backend 0 stops while the caller goes on at once. A call fails if it is at backend 0, or sent to
// it before the reset is read, 25 µs after the stop. The time in which a stop strikes a call is as
// long as the call, so pick_first has one failure each time (measured: 15 of 20 on macOS, 39 of 40
// on Linux), and round_robin, which has a call there for a third of the time, in a third of the
// tries (measured: 5 of 20, 5 of 40, 10 of 40). After one failure the channel knows: there is no
// second.
func TestBackendStopsUnderASequentialCaller(t *testing.T) {
	const tries = 300
	failed := func(policy policies.Policy) (n int) {
		for try := range uint64(tries) {
			cfg := oneCaller(t, policy, try, 30)
			stop := 10*call + time.Duration(try)*time.Microsecond // over one turn of three calls
			cfg.Failures = []models.Failure{failures.Crash{
				Backends: []string{"b/0"}, From: time.Duration(stop),
			}}
			errors := 0
			for _, c := range played(t, cfg) {
				if c.Code != policies.OK {
					errors++
				}
			}
			if errors > 1 {
				t.Errorf("%T, seed %d: %d calls failed, want at most one", policy, try, errors)
			}
			n += errors
		}
		return n
	}
	if got := failed(policies.PickFirst{}); got != tries {
		t.Errorf("pick_first: %d of %d tries failed, want all", got, tries)
	}
	// Binomial with a third: standard deviation 8.2, and four of them.
	if got := failed(policies.RoundRobin{}); got < 100-33 || got > 100+33 {
		t.Errorf("round_robin: %d of %d tries failed, want a third, 67 to 133", got, tries)
	}
}
