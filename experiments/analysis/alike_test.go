package analysis_test

import (
	"fmt"
	"slices"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/analysis"
)

// clockwork is an experiment in which nothing is drawn that matters: one client, one backend.
const clockwork = `
duration = "60s"
seeds    = 5
[clients.c]
rate     = "10/s"
arrivals = "even"
[backends.b]
service = "10ms"
[policies.round_robin]
`

func TestSeedsThatAreAlike(t *testing.T) {
	brief := func(from string, n int) (text string) { // failures every 10 s
		for i := range n {
			text += fmt.Sprintf("\n[failures.hang%d]\nkind = \"slow\"\nbackends = [\"b\"]\n"+
				"from = \"%d%s\"\nto = \"%d.5s\"\nfactor = 20.0\n", i, 10*(i+1), from, 10*(i+1))
		}
		return text
	}
	for _, row := range []struct {
		name, more string
		set        []string
		alike      bool
		inStep     string
	}{
		{"clockwork", "", nil, true, ""},
		{"one seed", "", []string{"seeds=1"}, false, ""},
		{"Poisson", "", []string{"clients.c.arrivals=poisson"}, false, ""},
		{"drawn work", "", []string{`backends.b.service="exp(mean=10ms)"`}, false, ""},
		{"hangs in step", brief("s", 3), []string{"clients.c.arrivals=poisson"}, false,
			"Failures come every 10s, under all seeds at the same moments: intervals hold for " +
				"these moments alone."},
		{"one of them in the warm-up", brief("s", 3),
			[]string{"clients.c.arrivals=poisson", "warmup=15s"}, false, ""},
		{"two hangs", brief("s", 2), []string{"clients.c.arrivals=poisson"}, false, ""},
		{"out of step", brief("s", 3),
			[]string{"clients.c.arrivals=poisson", "failures.hang2.from=30.1s"}, false, ""},
	} {
		s := concluded(t, clockwork+row.more, row.set...)
		alike, inStep := false, ""
		for _, w := range s.Warnings {
			alike = alike || w.Kind == analysis.SeedsAlike
			if w.Kind == analysis.InStep {
				inStep = w.Text
			}
		}
		if alike != row.alike || inStep != row.inStep {
			t.Errorf("%s: alike %v, in step %q; want %v, %q; warnings %v", row.name, alike, inStep,
				row.alike, row.inStep, s.Warnings)
		}
	}
	for _, row := range []struct{ set, of string }{
		{"seeds=5", ""},
		{`sweep={"backends.b.service"=["10ms", "exp(mean=10ms)", "5ms"]}`, " (at 2 of 3 points)"},
	} {
		want := "Of round_robin" + row.of + " all seeds give the same values: nothing that a " +
			"seed draws plays a part, so their intervals say nothing."
		s := concluded(t, clockwork, row.set)
		if !slices.ContainsFunc(s.Warnings,
			func(w experiments.Warning) bool { return w.Text == want }) {
			t.Errorf("warnings %v, want %s", s.Warnings, want)
		}
	}
}
