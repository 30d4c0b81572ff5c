package experiments

import (
	"strings"
	"testing"

	"lbsim/sim"
)

// A series that comes down to its noise is cut where it has; one that does not, not in its half.
func TestMSER(t *testing.T) {
	r := sim.NewRand(1, "series")
	for _, row := range []struct {
		name     string
		start    int // the length of the start
		from, to int
		settled  bool
		perStep  float64
	}{
		{"none", 0, 0, 100, true, 0},
		{"200 steps", 200, 180, 320, true, 0.2},
		{"never", 1000, 500, 500, false, 0.2},
	} {
		series := make([]float64, 1000)
		for i := range series {
			series[i] = sim.NormalQuantile(r.Unit())
			series[i] += float64(row.perStep * float64(max(0, row.start-i)))
		}
		cut, settled := mser(series)
		if cut < row.from || cut > row.to || settled != row.settled {
			t.Errorf("%s: cut at %d, settled: %v; want %d to %d, %v",
				row.name, cut, settled, row.from, row.to, row.settled)
		}
	}
}

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
				unsettled = unsettled || w.Kind == Unsettled
			}
			if m.WarmupS < row.from || m.WarmupS > row.to || m.WarmupS != first ||
				unsettled != row.unsettled {
				t.Errorf("%s: warm-up of %v s, unsettled: %v; want %v to %v, %v, all alike",
					row.duration, m.WarmupS, unsettled, row.from, row.to, row.unsettled)
			}
		}
	}
	if _, err := Load("slow-node", Options{Set: []string{"warmup=later"}}); err == nil ||
		!strings.Contains(err.Error(), "warmup=later: ") {
		t.Errorf("got %v, want an error about the warm-up", err)
	}
}
