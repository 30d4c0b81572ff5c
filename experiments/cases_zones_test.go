package experiments_test

import (
	"testing"
	"time"

	"lbsim/experiments/runner"
	"lbsim/models"
	"lbsim/policies"
	"lbsim/sim"
)

// Cases from the world, with what was seen there as pass conditions: those about groups of backends
// and zones.

// toFirst is the share of the RPCs sent from one moment to another, in seconds, that went to the
// first n backends.
func toFirst(all []models.TraceEntry, n int32, from, to float64) float64 {
	first, sent := 0, 0
	for _, e := range all {
		if s := time.Duration(e.At).Seconds(); e.What == models.Sent && from <= s && s < to {
			sent++
			if e.Backend < n {
				first++
			}
		}
	}
	return float64(first) / float64(sent)
}

func TestC19FailoverIsAllOrNothing(t *testing.T) {
	all := traced(variants(t, "c19-failover")[0])
	for _, row := range []struct {
		what           string
		from, to, want float64
	}{
		{"all are well", 0, 10, 1},
		{"half", 10, 20, 1},
		{"a quarter", 20, 30, 1},
		{"one of a hundred", 30, 40, 1},
		{"none, when the clients have noticed", 40.01, 50, 0},
		// A host is tried again when its backoff is over: 15 s after 40 s, ± 20 %.
		{"some are back, as clients have noticed", 65, 100, 1},
	} {
		if got := toFirst(all, 100, row.from, row.to); got != row.want {
			t.Errorf("%s: the primary has %.4f, want %v", row.what, got, row.want)
		}
	}
	for _, e := range all {
		// What was under way to the last host fails, and what comes before its refusal waits.
		s := time.Duration(e.At).Seconds()
		if e.What == models.Ended && e.Code != policies.OK && s > 40.01 {
			t.Errorf("an RPC fails at %.3f s", s)
		}
	}
}

func TestC19HangingPrimaryHas10Seconds(t *testing.T) {
	v := variants(t, "c19-primary-that-flaps", "failures.first.kind=blackhole",
		"failures.first.from=0s", "failures.first.to=40s", "failures.second.kind=blackhole",
		"failures.third.kind=blackhole")[0]
	for _, e := range traced(v) {
		if e.What == models.Sent {
			near(t, "the first RPC is sent at", time.Duration(e.At).Seconds(), 10.0006, 1e-6)
			return
		}
	}
	t.Error("no RPC is sent")
}

// Connecting takes 0.6 ms, being refused 0.4 ms.
func TestC19FlappingPrimaryIsNotNoticed(t *testing.T) {
	began := make(map[uint64]sim.Time)
	waited := make([]time.Duration, 41) // the longest, by second
	all := traced(variants(t, "c19-primary-that-flaps")[0])
	for _, e := range all {
		switch e.What {
		case models.Began:
			began[e.RPC] = e.At
		case models.Sent:
			s := int(time.Duration(e.At).Seconds())
			waited[s] = max(waited[s], e.At.Sub(began[e.RPC]))
		}
	}
	for s, w := range waited {
		limit := 600 * time.Microsecond
		if s == 0 || s == 5 {
			limit = time.Millisecond // the standby connects when the primary is refused
		}
		if w > limit {
			t.Errorf("second %d: an RPC waited %v for a connection, want %v at most", s, w, limit)
		}
	}
	for _, row := range []struct{ second, want float64 }{
		{6, 0}, {14, 1}, {16, 0}, {24, 1}, {26, 0}, {34, 1},
	} {
		if got := toFirst(all, 3, row.second, row.second+0.9); got != row.want {
			t.Errorf("second %v: the primary has %v, want %v", row.second, got, row.want)
		}
	}
}

// cells returns the share of each of four replicas and how much crosses cells; the third client and
// the last two replicas are in one cell.
func cells(v runner.Variant) (share [4]float64, crossing float64) {
	sent := 0.0
	for _, e := range traced(v) {
		if e.What == models.Sent {
			sent++
			share[e.Backend]++
			if min(e.Backend, 2) != e.Client {
				crossing++
			}
		}
	}
	for i := range share {
		share[i] /= sent
	}
	return share, crossing / sent
}

func TestC24ThreeCells(t *testing.T) {
	vs := variants(t, "c24-three-cells")
	vs = append(vs, variants(t, "c24-flow")...)
	for i, row := range []struct {
		share     [4]float64
		crossing  float64
		tolerance float64
	}{
		{[4]float64{1. / 3, 1. / 3, 1. / 6, 1. / 6}, 0, 0.003},
		{[4]float64{0.25, 0.25, 0.25, 0.25}, 2. / 3, 0.003},
		// Drawn: 3.4 standard deviations of 540,000 RPCs are 0.002.
		{[4]float64{0.25, 0.25, 0.25, 0.25}, 1. / 6, 0.003},
	} {
		share, crossing := cells(vs[i])
		for b, got := range share {
			near(t, vs[i].Policy+": share", got, row.share[b], row.tolerance)
		}
		near(t, vs[i].Policy+": crossing", crossing, row.crossing, row.tolerance)
	}
}
