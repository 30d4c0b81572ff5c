package models_test

import (
	"flag"
	"math"
	"slices"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/record"
	"lbsim/policies"

	"pgregory.net/rapid"
)

// check runs a property on random worlds, the same in every run unless the command line asks for
// others.
func check(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	for _, o := range []struct{ name, value string }{
		{"rapid.seed", "1"}, {"rapid.checks", "200"},
	} {
		if f := flag.Lookup(o.name); f.Value.String() == f.DefValue {
			if err := f.Value.Set(o.value); err != nil {
				t.Fatal(err)
			}
		}
	}
	rapid.Check(t, property)
}

func run(cfg *models.Config, limit int) (*record.Run, models.Progress) {
	w := models.New(cfg)
	for !w.Run(limit) {
		continue
	}
	p := w.Progress()
	return w.Finish(), p
}

// A world in which nothing begins any more comes to rest: each RPC ended once and nobody holds one.
func TestWorldsComeToRest(t *testing.T) {
	check(t, func(t *rapid.T) {
		cfg := draw(t)
		want := uint64(0)
		for _, g := range cfg.Clients {
			want += uint64(g.Count) * g.Requests
		}
		cfg.Bin = cfg.Duration / 2
		run, p := run(cfg, math.MaxInt)
		if run.In != want || run.Ended != want || run.Open != 0 || p.Held != 0 {
			t.Fatalf("%d RPCs began, %d ended, %d are open, %d are held; want %d, %d, 0, 0",
				run.In, run.Ended, run.Open, p.Held, want, want)
		}
		addsUp(t, cfg, run)
		for i, n := range run.Bins[1].InFlight {
			if n != 0 {
				t.Fatalf("backend %d still holds %v requests on average half an hour later", i, n)
			}
		}
	})
}

// A run that is over in the middle of things has lost nothing.
func TestWorldsAddUpAtAnyMoment(t *testing.T) {
	check(t, func(t *rapid.T) {
		cfg := draw(t)
		// Moments of constant delays and even arrivals among them, where much happens at once.
		cfg.Duration = time.Duration(rapid.IntRange(1, 300).Draw(t, "duration")) * time.Millisecond
		cfg.Bin = time.Duration(rapid.IntRange(1, 300).Draw(t, "bin")) * time.Millisecond
		run, p := run(cfg, math.MaxInt)
		if run.In != run.Ended+run.Open || uint64(p.Held) < run.Open {
			t.Fatalf("%d RPCs began, %d ended, %d are open, %d are held",
				run.In, run.Ended, run.Open, p.Held)
		}
		addsUp(t, cfg, run)
	})
}

// addsUp checks what must hold in the record of every run without a warm-up.
func addsUp(t *rapid.T, cfg *models.Config, run *record.Run) {
	if len(run.Broken) > 0 {
		t.Fatalf("invariants violated: %q", run.Broken)
	}
	var codes, ended, errors, attempts uint64
	held := make([]float64, len(run.Backends))
	for _, n := range run.Codes {
		codes += n
	}
	for _, b := range run.Bins {
		ended += b.Ended
		errors += b.Errors
		waiting := 0.0
		for i, n := range b.Held {
			held[i] += n * b.Length.Seconds()
			waiting += b.InFlight[i]
		}
		if most := b.Open * float64(attemptsOf(cfg)); waiting > most+1e-6 {
			t.Fatalf("at %v clients wait for %v attempts, at most %v are open", b.Start, waiting,
				most)
		}
	}
	var groups []models.BackendGroup // of each backend
	for _, g := range cfg.Backends {
		groups = append(groups, slices.Repeat([]models.BackendGroup{g}, g.Count)...)
	}
	ok := run.Codes[policies.OK]
	if codes != run.Ended || ended != run.Ended || errors != run.Ended-ok {
		t.Fatalf("%d RPCs ended, %d of them OK; but the codes add up to %d, the bins to %d and "+
			"%d errors", run.Ended, ok, codes, ended, errors)
	}
	if n, m := run.Succeeded.Count(), run.Failed; uint64(n) != ok || m != codes-ok {
		t.Fatalf("%d latencies of %d that ended OK, %d of %d others", n, ok, m, codes-ok)
	}
	for i, b := range run.Backends {
		attempts += b.Attempts
		const round = 1e-9
		if b.Utilization < 0 || b.Utilization > 1+round || b.Queue < -round ||
			b.Held < b.Queue || float64(b.HeldPeak) < b.Held-round ||
			b.InFlight < 0 || float64(b.InFlightPeak) < b.InFlight-round {
			t.Fatalf("backend %d: %+v", i, b)
		}
		if room := groups[i].Queue; room >= 0 && b.QueuePeak > int64(room) {
			t.Fatalf("backend %d: %d queued, but there is room for %d", i, b.QueuePeak, room)
		}
		// Where the last RPC has ended before, only the bins have what is served for nobody.
		whole, off := b.Held*run.Measured.Seconds(), 1e-6*(1+held[i])
		if whole > held[i]+off || run.Makespan == nil && whole < held[i]-off {
			t.Fatalf("backend %d: held %v request-seconds, the bins %v", i, whole, held[i])
		}
	}
	if attempts < ok+run.Codes[policies.ResourceExhausted] || attempts > run.In*attemptsOf(cfg) {
		t.Fatalf("%d attempts for %d RPCs, of which %d were served and %d turned away",
			attempts, run.In, ok, run.Codes[policies.ResourceExhausted])
	}
}

// attemptsOf is how many attempts an RPC has at most.
func attemptsOf(cfg *models.Config) uint64 {
	most := 1
	for _, g := range cfg.Clients {
		if g.Retry != nil {
			most = max(most, g.Retry.MaxAttempts)
		}
		if g.Hedging != nil {
			most = max(most, g.Hedging.MaxAttempts)
		}
	}
	return uint64(most)
}

func TestRunsRepeat(t *testing.T) {
	check(t, func(t *rapid.T) {
		cfg := draw(t)
		one, _ := run(cfg, math.MaxInt)
		for _, limit := range []int{math.MaxInt, 1, 7} {
			two, _ := run(cfg, limit)
			if one.Digest != two.Digest || one.Events != two.Events || one.Ended != two.Ended {
				t.Fatalf("slices of %d events: digest %x, %d events, %d RPCs; in one go %x, %d, %d",
					limit, two.Digest, two.Events, two.Ended, one.Digest, one.Events, one.Ended)
			}
		}
	})
}
