package experiments_test

import (
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/runner"
)

func TestDisciplinesThatMakeNoSense(t *testing.T) {
	for _, test := range []struct{ lines, want string }{
		{`discipline = "fcfs"`,
			`16: backends.slow.discipline: unknown discipline "fcfs"; did you mean fifo?`},
		{`on_expired = "keep"`,
			`16: backends.slow.on_expired: unknown way "keep" (have serve, drop)`},
		{"discipline = \"ps\"\non_expired = \"drop\"",
			`17: backends.slow.on_expired: has no effect with discipline "ps", which begins each`},
	} {
		text := strings.Replace(good, "[backends.slow]", "[backends.slow]\n"+test.lines, 1)
		_, err := experiments.Load(write(t, map[string]string{"my.toml": text}),
			experiments.Options{})
		if err == nil || !strings.Contains(err.Error(), "my.toml:"+test.want) {
			t.Errorf("%s: got %v, want %s", test.lines, err, test.want)
		}
	}
}

// What a file says of a discipline gets to the backends. Three requests of 10ms come at once: they
// end at 10, 20 and 30ms whatever the order, but under processor sharing all at 30ms; and where
// those past their deadline, 17.5ms, are dropped, the first alone is answered, the second is begun
// and the third is not.
func TestDisciplinesFromAFile(t *testing.T) {
	for _, test := range []struct {
		lines  string
		meanMS float64
		served uint64
	}{
		{`discipline = "fifo"`, 20, 3},
		{`discipline = "lifo"`, 20, 3},
		{`discipline = "lifo_preemptive"`, 20, 3},
		{`discipline = "ps"`, 30, 3},
		{`on_expired = "drop"`, 10, 2},
	} {
		text := `
duration = "100ms"
[clients.c]
callers  = 3
requests = 3
TIMEOUT
[backends.b]
service = "10ms"
` + test.lines + `
[policies.pick_first]
`
		timeout := ""
		if strings.Contains(test.lines, "expired") {
			timeout = `timeout = "17.5ms"`
		}
		text = strings.Replace(text, "TIMEOUT", timeout, 1)
		var m *experiments.Measures
		err := runner.NewPlan(load(t, text)).Run(t.Context(), 1, func(_ int,
			got *experiments.Measures) {
			m = got
		})
		if err != nil {
			t.Fatal(err)
		}
		mean, served, busy := *m.LatencyOK.Mean, m.Backends[0].Served, m.Backends[0].Utilization
		if mean != test.meanMS || served != test.served || busy != 1 {
			t.Errorf("%s: mean %v ms, %d served, busy for %v of the time; want %v ms, %d, 1",
				test.lines, mean, served, busy, test.meanMS, test.served)
		}
	}
}
