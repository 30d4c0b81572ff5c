package record

import (
	"strings"
	"testing"

	"lbsim/sim"
)

// playRun plays a run of two RPCs, of which one ends, and of a service, of which 10 ns are warm-up.
// What is done otherwise violates an invariant.
func playRun(otherwise string) *Run {
	r := NewRecorder([]int{1}, 1, 15, 0, 100)
	r.Begin(5)
	r.Loads[0].Add(5, 1)
	r.Loads[0].Work(5, 1)
	r.WarmedUp(15)
	r.Begin(20)
	start := sim.Time(5)
	if otherwise == "ends with another start" {
		start = 6
	}
	r.End(40, start, 0, 0, 0)
	if otherwise == "ends twice" {
		r.End(40, start, 0, 0, 0)
	}
	if otherwise == "is sent unseen" {
		r.Attempts[0]++
	}
	if otherwise == "is wasted without being served" {
		r.Loads[0].wasted++
	}
	if otherwise == "has two latencies" {
		r.run.Succeeded.add(35)
	}
	if otherwise == "is in no bin" {
		r.bin.Ended--
	}
	r.Loads[0].Add(40, -1)
	if otherwise == "works on without a request" {
		r.Loads[0].Work(50, -1)
	} else {
		r.Loads[0].Work(40, -1)
	}
	if otherwise == "rests although there is a request" {
		r.Loads[0].Add(40, 1)
	}
	if otherwise != "is lost" {
		r.StillOpen(60, 20, 0)
	}
	return r.Finish(60, 0, 0)
}

func TestBrokenInvariantsAreReported(t *testing.T) {
	if run := playRun(""); len(run.Broken) > 0 || run.Bins[0].Open != (35+40)/60.0 {
		t.Errorf("broken: %q, open %v; want no invariant violated, 1.25 RPCs open",
			run.Broken, run.Bins[0].Open)
	}
	for _, row := range []struct{ otherwise, want string }{
		{"ends with another start", "Little's law: RPCs were open for 75 ns, but their latencies"},
		{"ends twice", "conservation: 2 RPCs began, but 2 ended and 1 are open"},
		{"is lost", "conservation: 2 RPCs began, but 1 ended and 0 are open"},
		{"is sent unseen", "attempts: 1 were sent, but the RPCs that ended or are open have 0"},
		{"is wasted without being served", "number 0 served 1 requests for nobody, but 0 in all"},
		{"has two latencies", "1 of them OK, but there are 2 latencies and 0 failures"},
		{"is in no bin", "bins: 1 RPCs ended, 1 of them after the warm-up"},
		{"works on without a request", "were busy for 25 ns, but services took 35 ns"},
		{"rests although there is a request", "were busy for 45 ns, but services took 25 ns"},
	} {
		got := strings.Join(playRun(row.otherwise).Broken, "; ")
		if !strings.Contains(got, row.want) {
			t.Errorf("an RPC that %s: %q, want %q", row.otherwise, got, row.want)
		}
	}
}
