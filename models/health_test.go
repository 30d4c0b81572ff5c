package models_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/failures"
	"lbsim/policies"
)

// watching is a client of one backend whose health it checks, and calls at these milliseconds.
func watching(t *testing.T, calls ...int) *models.Config {
	t.Helper()
	cfg := oneCaller(t, policies.RoundRobin{}, 1, 0)
	cfg.Duration, cfg.Bin = 10*time.Second, time.Second
	cfg.Backends[0].Count = 1
	cfg.Network.Delay = parse(t, "10ms")
	g := &cfg.Clients[0]
	g.Callers, g.HealthCheck = 0, true
	for _, at := range calls {
		g.At = append(g.At, time.Duration(at)*time.Millisecond)
	}
	return cfg
}

func ill(from, to time.Duration) models.Failure {
	return failures.Unhealthy{
		Backends: []string{"b"}, From: time.Duration(from), To: time.Duration(to),
	}
}

// channelStates are the lines of a trace about the state of the channel.
func channelStates(t *testing.T, cfg *models.Config) string {
	t.Helper()
	var lines []string
	for _, l := range strings.Split(traced(t, cfg), "\n") {
		if at, state, ok := strings.Cut(l, " channel "); ok {
			lines = append(lines, at+" "+state)
		}
	}
	return strings.Join(lines, ", ")
}

func TestHealthInABlackHole(t *testing.T) {
	const ms = time.Millisecond
	hole := func(from, to time.Duration) models.Failure {
		return failures.Blackhole{
			Backends: []string{"b"}, From: time.Duration(from), To: time.Duration(to),
		}
	}
	for _, row := range []struct {
		name     string
		failures []models.Failure
		want     string
	}{
		{"news comes with the next retransmission", // of 200 ms, 600 ms and so on after it
			[]models.Failure{ill(600*ms, 3*time.Second), hole(500*ms, 700*ms)},
			"0s CONNECTING, 50ms READY, 810ms TRANSIENT_FAILURE, 3.01s READY"},
		{"news that is outdated comes before that which outdates it",
			[]models.Failure{ill(600*ms, 650*ms), hole(500*ms, 700*ms)},
			"0s CONNECTING, 50ms READY, 810ms TRANSIENT_FAILURE, 810ms READY"},
		{"the question waits", []models.Failure{hole(25*ms, 100*ms)},
			"0s CONNECTING, 250ms READY"},
		{"NOT_SERVING and dead, and nobody hears of either",
			[]models.Failure{ill(600*ms, 3*time.Second), hole(500*ms, 20*time.Second),
				failures.Crash{Backends: []string{"b"}, From: time.Duration(700 * ms)}},
			"0s CONNECTING, 50ms READY"},
	} {
		cfg := watching(t, 0)
		cfg.Failures = row.failures
		if got := channelStates(t, cfg); got != row.want {
			t.Errorf("%s:\ngot  %s\nwant %s", row.name, got, row.want)
		}
	}
}

// However much delays vary, answers of one stream do not overtake each other: the last one counts.
func TestHealthIsInOrder(t *testing.T) {
	for seed := range uint64(50) {
		cfg := watching(t, 0)
		cfg.Seed = seed
		cfg.Network.Delay = parse(t, "exp(mean=50ms)")
		for i := range 100 {
			from := time.Second + time.Duration(i)*10*time.Millisecond
			cfg.Failures = append(cfg.Failures, ill(from, from+5*time.Millisecond))
		}
		states := channelStates(t, cfg)
		if n := strings.Count(states, "FAILURE"); n != 100 || !strings.HasSuffix(states, " READY") {
			t.Fatalf("seed %d: %d times NOT_SERVING, want 100, and SERVING at the end: %s",
				seed, n, states)
		}
	}
}

// A watch costs nothing where nobody asks for it: a run is the same whether backends are
// NOT_SERVING.
func TestNobodyAsksForHealth(t *testing.T) {
	for name := range policies.Catalog {
		policy := sample(name)
		ended := func(check bool, failures ...models.Failure) [2]uint64 {
			cfg := watching(t, 0, 500, 600)
			cfg.Policy, cfg.Failures = policy, failures
			for i := range cfg.Backends {
				cfg.Backends[i] = placed(cfg.Backends[i])
			}
			cfg.Clients[0].HealthCheck = check
			cfg.Clients[0].Keys, cfg.Clients[0].KeyHeader = keys(t, "client"), keyHeader
			w := models.New(cfg)
			w.Run(math.MaxInt)
			run := w.Finish()
			return [2]uint64{run.Ended, run.Codes[policies.OK]}
		}
		if got := ended(false, ill(0, 0)); got != [2]uint64{3, 3} {
			t.Errorf("%s: %d RPCs ended, OK; want 3, 3", name, got)
		}
		want := [2]uint64{3, 0}
		switch policy.(type) {
		case policies.PickFirst, policies.BaseRoundRobin, policies.GRPCLB:
			want = [2]uint64{3, 3} // they never ask
		}
		if got := ended(true, ill(0, 0)); got != want {
			t.Errorf("%s, asking: %d RPCs ended, OK; want %d", name, got, want)
		}
	}
}
