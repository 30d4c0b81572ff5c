package experiments_test

import (
	"fmt"
	"testing"
	"time"

	"lbsim/experiments/runner"
	"lbsim/models"
	"lbsim/policies"
	"lbsim/sim"
)

// Cases from the world, with what was seen there as pass conditions: those about trying again.

// afterFailure returns when the only client of a run, which fails to connect once and again, began
// each further attempt, and when it was READY again, in seconds after the first failure.
func afterFailure(v runner.Variant) (attempts []float64, ready float64) {
	failed := sim.Never
	for _, e := range traced(v) {
		switch {
		case e.What == models.SubConnChanged && e.State == policies.TransientFailure:
			failed = min(failed, e.At)
		case failed == sim.Never:
		case e.What == models.Dialled:
			attempts = append(attempts, e.At.Sub(failed).Seconds())
		case e.What == models.SubConnChanged && e.State == policies.Ready:
			ready = e.At.Sub(failed).Seconds()
		}
	}
	return attempts, ready
}

func TestC05AttemptsDuringAnOutage(t *testing.T) {
	want := []float64{1, 2.6, 5.16, 9.26, 15.81, 26.29, 43.07, 69.91, 112.86, 181.58, 291.53}
	v := variants(t, "c05-back-after-a-restart", "failures.restart.to=400s", "duration=400s")[0]
	got, _ := afterFailure(v)
	if len(got) != len(want) {
		t.Fatalf("attempts %v s after the first failure, want %v", got, want)
	}
	for i := range want {
		near(t, "seconds until an attempt", got[i], want[i], 0.01)
	}
}

func TestC05BackAfterAMinute(t *testing.T) {
	_, ready := afterFailure(variants(t, "c05-back-after-a-restart")[0])
	near(t, "seconds until READY", ready, 69.91, 0.01)
}

// lateness returns how long after the moment to, in seconds, each client was READY again.
func lateness(v runner.Variant, to float64) (list []float64) {
	for _, e := range traced(v) {
		if s := time.Duration(e.At).Seconds(); s >= to &&
			e.What == models.SubConnChanged && e.State == policies.Ready {
			list = append(list, s-to)
		}
	}
	return list
}

func TestC05LatenessAfterALongOutage(t *testing.T) {
	const clients = 1000
	// round_robin connects without being asked, so one RPC of each client will do.
	all := []string{"clients.web.count=1000", "clients.web.rate=100/s", "clients.web.requests=1",
		"clients.web.idle_timeout=0s"}
	for _, row := range []struct {
		set  []string
		to   float64 // end of the outage, seconds; waits of 10 s mix in less than an hour
		most float64 // seconds
		wait float64 // without jitter: 0 where all clients are in step
	}{
		{nil, 3620, 120, 0},
		{[]string{"backoff.jitter=0.2"}, 3620, 144, 120},
		{[]string{"backoff.jitter=0.2", "backoff.max=10s"}, 620, 12, 10},
	} {
		set := append(row.set, fmt.Sprintf("failures.restart.to=%vs", row.to),
			fmt.Sprintf("duration=%vs", row.to+200))
		late := lateness(variants(t, "c05-back-after-a-restart", append(set, all...)...)[0], row.to)
		var fifths [8]float64 // of the wait, and what jitter adds
		for _, s := range late {
			if s > row.most+0.01 {
				t.Errorf("%v: a client is back %v s late, want at most %v", row.set, s, row.most)
			}
			if row.wait > 0 {
				fifths[min(7, int(5*s/row.wait))]++
			}
		}
		if len(late) != clients {
			t.Errorf("%v: %d clients are back, want %d", row.set, len(late), clients)
		}
		// Uniform up to the shortest wait, 0.8 of that: 200 in each fifth, give or take three
		// standard deviations.
		for i, n := range fifths[:4] {
			if row.wait > 0 {
				near(t, fmt.Sprintf("%v: clients back in fifth %d", row.set, i), n, 200, 38)
			}
		}
	}
}

func TestC05WhoDidNotAskIsBackAtOnce(t *testing.T) {
	// RPCs at 0 s, 100 s and 200 s: none while the server is away.
	v := variants(t, "c05-back-after-a-restart", "clients.web.rate=0.01/s")[1]
	all := rpcsOf(v)
	if len(all) != 3 {
		t.Fatalf("%d RPCs ended, want 3", len(all))
	}
	// Three delays to connect, two for the RPC, and its work.
	r := all[1]
	if d := r.end.Sub(r.start); r.code != policies.OK || d != 1500*time.Microsecond {
		t.Errorf("the RPC after the outage: %v after %v, want OK after 1.5ms", r.code, d)
	}
}

// sentAndRPCs returns how many attempts and how many RPCs a run had.
func sentAndRPCs(v runner.Variant) (attempts, rpcs uint64) {
	run := runOf(v)
	for _, b := range run.Backends {
		attempts += b.Attempts
	}
	return attempts, run.In
}

func TestC23RetryBudgetBoundsTheTraffic(t *testing.T) {
	// Attempts for each RPC, by the share of errors. Up to half of the 1/11 at which the budget
	// neither grows nor shrinks nearly all errors are tried again; near it chance now and then
	// empties the budget; far above it is soon empty for good.
	want := []struct {
		ratio       string
		least, most float64
	}{
		{"0", 1, 1}, {"0.02", 1.018, 1.022}, {"0.05", 1.048, 1.055}, {"0.08", 1.04, 1.09},
		{"0.1", 1, 1.05}, {"0.15", 1, 1.002}, {"0.5", 1, 1.0005}, {"1", 1, 1.0001},
	}
	all := variants(t, "c23-retry-budget")
	if len(all) != len(want) {
		t.Fatalf("%d variants, want %d", len(all), len(want))
	}
	for i, row := range want {
		attempts, rpcs := sentAndRPCs(all[i])
		got := float64(attempts) / float64(rpcs)
		if all[i].Point[0] != row.ratio || got < row.least || got > row.most {
			t.Errorf("%s of errors: %v attempts for each RPC, want %v to %v of %s",
				all[i].Point[0], got, row.least, row.most, row.ratio)
		}
	}
}

func TestC23EachChannelHasItsFirstFourRetries(t *testing.T) {
	for _, row := range []struct {
		count string
		want  uint64
	}{{"1", 4}, {"10", 40}} {
		all := variants(t, "c23-retry-budget", "duration=5s", "clients.web.count="+row.count)
		attempts, rpcs := sentAndRPCs(all[len(all)-1])
		if attempts-rpcs != row.want {
			t.Errorf("%s channels: %d retries when all RPCs fail, want %d",
				row.count, attempts-rpcs, row.want)
		}
	}
}
