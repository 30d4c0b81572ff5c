package analysis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/analysis"
	"lbsim/experiments/report"
)

// lone is one worker with Poisson arrivals.
const lone = `# Is it too much?
duration = "60s"
warmup   = "5s"
[clients.c]
rate = "100/s"
[backends.b]
service = "exp(mean=10ms)"
[policies.random]
`

// unstableRuns counts the runs of 100 seeds whose queue grows without bound.
func unstableRuns(t *testing.T, set ...string) (n int) {
	t.Helper()
	for _, m := range concluded(t, lone, append(set, "seeds=100")...).Runs {
		if m.Unstable() {
			n++
		}
	}
	return n
}

// Overload of a tenth: in 55 s the queue grows by 550 with a deviation of about √(2·6000) = 110,
// five of them, and with that of a fifth by ten. Up to 95 % of what the worker can do no queue is
// taken for one that grows; hardly any is at 100 %, where it grows as √t, and at 102 %, where that
// still outweighs the drift.
func TestUnstable(t *testing.T) {
	for _, row := range []struct {
		name, set   string
		least, most int
	}{
		{"half", "clients.c.rate=50/s", 0, 0},
		{"95 %", "clients.c.rate=95/s", 0, 0},
		{"100 %", "clients.c.rate=100/s", 0, 1},
		{"102 %", "clients.c.rate=102/s", 0, 3},
		{"120 %", "clients.c.rate=120/s", 95, 100},
		{"200 %", "clients.c.rate=200/s", 100, 100},
		{"120 % with a deadline", "clients.c={rate=\"120/s\", timeout=\"100ms\"}", 0, 0},
		{"a closed loop", "clients.c={callers=50}", 0, 0},
		{"a crash in the middle",
			`failures={f={kind="crash", backends=["b"], from="30s", to="33s"}}`, 0, 5},
	} {
		set := []string{row.set}
		if strings.HasPrefix(row.set, "failures") {
			set = append(set, "clients.c.rate=50/s")
		}
		if n := unstableRuns(t, set...); n < row.least || n > row.most {
			t.Errorf("%s: %d of 100 runs are unstable, want %d to %d",
				row.name, n, row.least, row.most)
		}
	}
}

func TestUnstableLatenciesHaveNoValue(t *testing.T) {
	s := concluded(t, lone, "seeds=2", `backends.b={count=2, service="exp(mean=10ms)"}`,
		"policies.pick_first={}", "baseline=random", "clients.c.rate=150/s")
	var text strings.Builder
	report.WriteText(&text, s)
	for _, want := range []string{
		"unstable  unstable", "unstable: the queue grows without bound, by ",
		"pick_first, 2 seeds: unstable: ", "worse",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, text.String())
		}
	}
}

func TestPercentilesOfTooFewGoodRPCsAreRefused(t *testing.T) {
	s := concluded(t, lone, "clients.c={rate=\"100/s\", timeout=\"10ms\"}",
		"duration=1100s", `backends.b.service="exp(mean=5ms)"`)
	m := s.Runs[0]
	if m.LatencyAll.P9999 == nil || m.LatencyOK.P999 == nil || m.LatencyOK.P9999 != nil {
		t.Fatalf("%d RPCs ended, %d OK: want 100000 of which fewer are OK",
			m.LatencyAll.Count, m.LatencyOK.Count)
	}
	want := fmt.Sprintf("%d RPCs ended OK, too few for some percentiles of these: "+
		"p99.99 needs 100000", m.LatencyOK.Count)
	if !slices.Contains(m.Warnings, experiments.Warning{analysis.FewSamples, want}) {
		t.Errorf("warnings %q, want %q", m.Warnings, want)
	}
}

func TestPercentilesOfTooFewRPCsAreRefused(t *testing.T) {
	s := concluded(t, lone, "clients.c={rate=\"100/s\", requests=1000}", "warmup=0s",
		`backends.b.service="exp(mean=5ms)"`)
	p := s.Runs[0].LatencyAll
	if p.Count != 1000 || p.P99 == nil || p.P999 != nil || p.P9999 != nil {
		t.Errorf("of %d RPCs: p99 %v, p99.9 %v, p99.99 %v; want of 1000 the first alone",
			p.Count, p.P99, p.P999, p.P9999)
	}
	want := "1000 RPCs ended, too few for some percentiles: p99.9 needs 10000, p99.99 needs 100000"
	if w := s.Runs[0].Warnings; len(w) != 1 || w[0] != (experiments.Warning{analysis.FewSamples,
		want}) {
		t.Errorf("warnings %q, want %q", w, want)
	}
}
