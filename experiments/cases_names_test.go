package experiments_test

import (
	"math"
	"testing"
	"time"

	"lbsim/experiments"
	"lbsim/experiments/runner"
	"lbsim/models"
	"lbsim/models/record"
	"lbsim/policies"
	"lbsim/sim"
)

// Cases from the world, with what was seen there as pass conditions: those about names.

// variants loads a case with changes.
func variants(t *testing.T, name string, set ...string) []runner.Variant {
	t.Helper()
	e, err := experiments.Load("cases/"+name+".toml", experiments.Options{Set: set})
	if err != nil {
		t.Fatal(err)
	}
	var all []runner.Variant
	plan := runner.NewPlan(e)
	for i := range plan.Runs() {
		all = append(all, *plan.Variant(i))
	}
	return all
}

// runOf runs a variant and returns its record.
func runOf(v runner.Variant) *record.Run {
	w := models.New(&v.Config)
	for !w.Run(1 << 17) {
	}
	return w.Finish()
}

func TestC01ScaledUpPodsAreNeverSeen(t *testing.T) {
	for i, v := range variants(t, "c01-scaled-up-behind-dns") {
		least, most := uint64(math.MaxUint64), uint64(0)
		run := runOf(v)
		for b, got := range run.Backends {
			if i == 0 && b >= 3 && got.Attempts > 0 {
				t.Errorf("stock resolver: new pod %d got %d RPCs, want 0", b, got.Attempts)
			}
			least, most = min(least, got.Attempts), max(most, got.Attempts)
		}
		if i == 1 && float64(most) > 1.1*float64(least) {
			t.Errorf("asking each 15 s: from %d to %d RPCs a pod after 120 s, want within 1.1",
				least, most)
		}
	}
}

func TestC01WhoAsksSeesTheNewPodsWithin15s(t *testing.T) {
	// 60 s, 15 s, and a second for the connection: 40 RPCs a pod in the second after that.
	v := variants(t, "c01-scaled-up-behind-dns", "duration=77s", "warmup=76s")[1]
	for b, got := range runOf(v).Backends {
		if got.Attempts == 0 {
			t.Errorf("asking each 15 s: pod %d got no RPC from 76 s to 77 s", b)
		}
	}
}

// ended is how an RPC did.
type ended struct {
	start, end sim.Time
	code       policies.Code
}

// rpcsOf runs a variant and returns its RPCs that ended, in the order in which they did.
func rpcsOf(v runner.Variant) (all []ended) {
	trace := &models.Trace{}
	v.Config.Trace = trace
	runOf(v)
	began := make(map[[2]uint64]sim.Time)
	for _, e := range trace.Entries {
		id := [2]uint64{uint64(e.Client), e.RPC}
		switch e.What {
		case models.Began:
			began[id] = e.At
		case models.Ended:
			all = append(all, ended{began[id], e.At, e.Code})
		}
	}
	return all
}

func at(seconds float64) sim.Time { return sim.Time(seconds * 1e9) }

func TestC02FailingFastUntilTheFloorIsOver(t *testing.T) {
	failed := 0
	for _, r := range rpcsOf(variants(t, "c02-rolled-within-the-floor")[0]) {
		inGap := r.start >= at(110) && r.start < at(130)
		if inGap != (r.code == policies.Unavailable) {
			t.Errorf("RPC of %v: %v, want UNAVAILABLE from 110 s to 130 s and OK else",
				r.start, r.code)
		}
		if inGap {
			failed++
		}
	}
	if failed != 200 {
		t.Errorf("%d RPCs failed, want 200: 10 a second for 20 s", failed)
	}
}

func TestC02WithAFloorOf5s(t *testing.T) {
	first, last := sim.Never, sim.Time(0)
	v := variants(t, "c02-rolled-within-the-floor", "resolver.min_resolution_interval=5s")[0]
	for _, r := range rpcsOf(v) {
		if r.code != policies.OK {
			first, last = min(first, r.start), max(last, r.end)
		}
	}
	if gap := last.Sub(first); gap > 6*time.Second {
		t.Errorf("RPCs failed for %v, want at most 6s", gap)
	}
}

func TestC02WaitingForReady(t *testing.T) {
	var longest time.Duration
	all := rpcsOf(variants(t, "c02-rolled-within-the-floor",
		"clients.web.wait_for_ready=true", "clients.web.timeout=60s")[0])
	for _, r := range all {
		if r.code != policies.OK {
			t.Errorf("RPC of %v: %v, want OK", r.start, r.code)
		}
		longest = max(longest, r.end.Sub(r.start))
	}
	if longest < 19*time.Second || longest > 21*time.Second {
		t.Errorf("the longest of %d RPCs took %v, want about 20s", len(all), longest)
	}
}
