package record

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lbsim/sim"
)

// change is how the number of requests at a backend changes at a moment.
type change struct {
	at sim.Time
	by int64
}

// drawn makes changes up to a moment, several at a time now and then, never below 0 requests.
func drawn(r *rand.Rand, until sim.Time) (changes []change) {
	var now sim.Time
	var n int64
	for {
		now += sim.Time(r.IntN(30))
		if now > until {
			return changes
		}
		by := r.Int64N(4) - 1
		if n < 8 && r.IntN(50) == 0 {
			by = -n // a crash
		} else if n > 8 {
			by = -1
		}
		by = max(by, -n)
		n += by
		changes = append(changes, change{now, by})
	}
}

// slow is a backend's load between two moments, computed nanosecond by nanosecond.
func slow(changes []change, workers int64, from, to sim.Time) (held, busy, peak int64) {
	var n int64
	for len(changes) > 0 && changes[0].at < from {
		n += changes[0].by
		changes = changes[1:]
	}
	peak = n
	for t := from; t < to; t++ {
		for len(changes) > 0 && changes[0].at == t {
			n += changes[0].by
			peak = max(peak, n)
			changes = changes[1:]
		}
		held += n
		busy += min(n, workers)
	}
	return held, busy, peak
}

// The integrals of a load, over the whole run, behind a warm-up and bin by bin, beside sums in
// steps of a nanosecond. Bins lie across the end of the warm-up.
func TestLoadsBesideSlowSums(t *testing.T) {
	const until, bin = 5000, 700
	for seed := range uint64(20) {
		for _, warmup := range []sim.Time{0, 1400, 1750, 4999} {
			workers := []int{1, 3}
			r := NewRecorder(workers, 1, warmup, 0, bin)
			rng := rand.New(rand.NewPCG(seed, uint64(warmup)))
			all := [][]change{drawn(rng, until), drawn(rng, until)}
			play(r, slices.Clone(all), warmup, bin, until)
			run := r.Finish(until, 0, 0)
			for i, b := range run.Backends {
				held, busy, peak := slow(all[i], int64(workers[i]), warmup, until)
				length := float64(until - warmup)
				near(t, seed, "held", b.Held, float64(held)/length)
				near(t, seed, "in flight", b.InFlight, float64(held)/length)
				near(t, seed, "queue", b.Queue, float64(held-busy)/length)
				near(t, seed, "utilisation", b.Utilization,
					float64(busy)/length/float64(workers[i]))
				if b.HeldPeak != peak || b.InFlightPeak != peak ||
					b.QueuePeak != max(0, peak-int64(workers[i])) {
					t.Errorf("seed %d, warm-up %d, backend %d: peaks %d and %d, want %d in flight",
						seed, warmup, i, b.HeldPeak, b.QueuePeak, peak)
				}
			}
			if len(run.Bins) != 8 { // 7 of 700 ns and one of 100
				t.Fatalf("%d bins, want 8", len(run.Bins))
			}
			for _, b := range run.Bins {
				for i := range all {
					held, _, _ := slow(all[i], 1, b.Start, b.Start.Add(b.Length))
					near(t, seed, "bin", b.Held[i], float64(held)/float64(b.Length))
					near(t, seed, "bin", b.InFlight[i], float64(held)/float64(b.Length))
				}
			}
		}
	}
}

// Work that is over before the run is measured to its end, but what is served later is counted.
func TestWorkThatIsOver(t *testing.T) {
	for _, row := range []struct {
		warmup, start sim.Time
		measured      time.Duration
		utilization   float64
	}{
		{0, 0, 40, 25. / 40}, {0, 10, 30, 25. / 30}, {20, 10, 20, 1},
		{50, 10, 50, 10. / 50}, {40, 10, 60, 20. / 60},
	} {
		r := NewRecorder([]int{1}, 2, row.warmup, row.start, 100)
		if row.warmup == 0 {
			r.WarmedUp(0)
		}
		r.Begin(15)
		r.Attempts[0]++
		r.Loads[0].Add(15, 1)
		r.Loads[0].Work(15, 1)
		if row.warmup == 20 {
			r.WarmedUp(20)
		}
		if row.warmup == 40 {
			r.WarmedUp(40)
		}
		r.End(40, 15, 1, 1, 0)
		r.WorkOver(40)
		if row.warmup == 50 {
			r.WarmedUp(50)
		}
		r.Loads[0].Done(true) // at last, for nobody
		r.Loads[0].Add(60, -1)
		r.Loads[0].Work(60, -1)
		run := r.Finish(100, 0, 0)
		b := run.Backends[0]
		if len(run.Broken) > 0 || run.Measured != row.measured || *run.Makespan != 25 {
			t.Errorf("%+v: measured %v, makespan %v, broken %q",
				row, run.Measured, *run.Makespan, run.Broken)
		}
		near(t, 0, "utilisation", b.Utilization, row.utilization)
		if b.Served != 1 || b.Wasted != 1 {
			t.Errorf("%+v: %d served, %d for nobody; want 1, 1", row, b.Served, b.Wasted)
		}
	}
}

// play hands the changes to a recorder in their order, with what the world does in between: at one
// moment, the world comes first.
func play(r *Recorder, all [][]change, warmup sim.Time, bin, until sim.Time) {
	for now := sim.Time(0); now < until; now++ {
		if now == warmup {
			r.WarmedUp(now)
		}
		if now > 0 && now%bin == 0 {
			r.EndBin(now)
		}
		for i := range all {
			for len(all[i]) > 0 && all[i][0].at == now {
				r.Loads[i].Add(now, all[i][0].by)
				r.InFlights[i].Add(now, all[i][0].by)
				all[i] = all[i][1:]
			}
		}
	}
}

func near(t *testing.T, seed uint64, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*(1+want) {
		t.Errorf("seed %d, %s: got %v, want %v", seed, what, got, want)
	}
}

// Failures are counted by code and reason, in order, and not those of the warm-up.
func TestFailures(t *testing.T) {
	r := NewRecorder(nil, 5, 10, 0, 100)
	for i, f := range []Failure{{4, 7, 0}, {2, 9, 0}, {2, 3, 0}, {0, 0, 0}, {2, 9, 0}} {
		r.End(50, sim.Time(10+i), 0, f.Code, f.Reason)
	}
	r.End(9, 5, 0, 4, 7)
	got := r.Finish(100, 0, 0).Failures
	if want := []Failure{{2, 3, 1}, {2, 9, 2}, {4, 7, 1}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// What is measured covers the RPCs that ended after the warm-up; bins cover all, by the moment at
// which they ended, whatever their code.
func TestWarmup(t *testing.T) {
	const warmup, bin = 100, 60
	r := NewRecorder([]int{1}, 3, warmup, 0, bin)
	end := func(start, now sim.Time, code uint8) {
		r.Begin(start)
		r.End(now, start, 1, code, 0)
	}
	end(10, 20, 0)
	end(10, 59, 2)
	r.EndBin(60)
	r.Attempts[0] = 5
	end(95, 99, 0) // a nanosecond too early
	r.WarmedUp(100)
	r.Attempts[0]++
	end(90, 110, 1)
	end(100, 115, 0)
	r.EndBin(120)
	r.Begin(140)
	end(105, 150, 2)
	r.StillOpen(150, 140, 0)
	run := r.Finish(150, 77, 88)
	if run.In != 7 || run.Ended != 6 || run.Open != 1 || run.Digest != 77 || run.Events != 88 {
		t.Errorf("in %d, ended %d, open %d, digest %d, events %d; want 7, 6, 1, 77, 88",
			run.In, run.Ended, run.Open, run.Digest, run.Events)
	}
	if c := run.Codes; c[0] != 1 || c[1] != 1 || c[2] != 1 {
		t.Errorf("codes %v, want those of the RPCs that end at 110, 115 and 150: [1 1 1]", c)
	}
	if run.Succeeded.Count() != 1 || run.Succeeded.Mean() != 15 || run.Failed != 2 {
		t.Errorf("%d succeeded in %v, %d failed; want 1 in 15ns, 2",
			run.Succeeded.Count(), run.Succeeded.Mean(), run.Failed)
	}
	if run.Measured != 50 || run.Backends[0].Attempts != 1 {
		t.Errorf("measured %v, %d attempts; want 50ns, 1", run.Measured, run.Backends[0].Attempts)
	}
	want := []Bin{
		{Start: 0, Length: 60, Ended: 2, Errors: 1, P50: 10, P99: Never},
		{Start: 60, Length: 60, Ended: 3, Errors: 1, P50: 15, P99: Never},
		{Start: 120, Length: 30, Ended: 1, Errors: 1, P50: Never, P99: Never},
	}
	for i, b := range run.Bins {
		b.InFlight = nil
		if w := want[i]; b.Start != w.Start || b.Length != w.Length || b.Ended != w.Ended ||
			b.Errors != w.Errors || b.P50 != w.P50 || b.P99 != w.P99 {
			t.Errorf("bin %d: got %+v, want %+v", i, b, w)
		}
	}
	if len(run.Bins) != len(want) || run.Bin != time.Duration(bin) {
		t.Errorf("%d bins of %v, want %d of 60ns", len(run.Bins), run.Bin, len(want))
	}
}
