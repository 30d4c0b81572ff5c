package analysis_test

import (
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/analysis"
)

// A queue that 200 callers fill at once at the start takes 2 s to be worked off.
func TestWarmupIsFound(t *testing.T) {
	for _, row := range []struct {
		duration  string
		from, to  float64
		unsettled bool
	}{
		{"60s", 1, 20, false},
		{"2s", 1, 1, true},
	} {
		s := concluded(t, lone, "warmup=auto", "duration="+row.duration, "seeds=2",
			`policies.round_robin={}`, "clients.c.rate=50/s",
			`clients.burst={count=200, rate="100000/s", requests=1}`)
		first := s.Runs[0].WarmupS
		for _, m := range s.Runs {
			unsettled := false
			for _, w := range m.Warnings {
				unsettled = unsettled || w.Kind == analysis.Unsettled
			}
			if m.WarmupS < row.from || m.WarmupS > row.to || m.WarmupS != first ||
				unsettled != row.unsettled {
				t.Errorf("%s: warm-up of %v s, unsettled: %v; want %v to %v, %v, all alike",
					row.duration, m.WarmupS, unsettled, row.from, row.to, row.unsettled)
			}
		}
	}
	if _, err := experiments.Load("slow-node",
		experiments.Options{Set: []string{"warmup=later"}}); err == nil ||
		!strings.Contains(err.Error(), "warmup=later: ") {
		t.Errorf("got %v, want an error about the warm-up", err)
	}
}
