package validation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lbsim/experiments"
	"lbsim/experiments/runner"
)

// The suite makes its experiments in Go. As files they are the same, to the last event: so what
// holds in the suite holds for what users write, and loader and runner are on trial too.
func TestFilesMakeTheSameRuns(t *testing.T) {
	for _, test := range []struct{ family, parameters, label, clients, backends, policy string }{
		{"mm1_fifo", "lambda=0.8;mu=1", "", `rate = "80/s"`, ``, `pick_first`},
		{"mm1_fifo", "lambda=0.8;mu=1", "deadline of 3 mean T",
			"rate = \"80/s\"\ntimeout = \"150ms\"", ``, `pick_first`},
		{"mmc_fifo", "c=4;rho=0.7;mu=1;lambda=2.8", "", `rate = "280/s"`, `workers = 4`,
			`pick_first`},
		{"mm1k_fifo", "c=1;K=10;lambda=1.2;mu=1", "", `rate = "120/s"`, `queue = 9`, `pick_first`},
		{"mm1_d_deadline", "lambda=1.2;mu=1;queue_deadline=5", "",
			"rate = \"120/s\"\ntimeout = \"50ms\"", `on_expired = "drop"`, `pick_first`},
		{"mg1_fifo", "rho=0.7;S=Lognormal(mean 1, sigma=1)", "", `rate = "70/s"`,
			`service = "lognormal(mean=10ms, cv=1.31083249443)"`, `pick_first`},
		{"mg1_ps", "rho=0.5;S=Bimodal(0.5 w.p. 0.9; 5.5 w.p. 0.1; mean 1)", "", `rate = "50/s"`,
			"discipline = \"ps\"\nservice = \"mix(0.9 5ms, 0.1 55ms)\"", `pick_first`},
		{"mm1_lifo_preemptive_resume", "lambda=0.7;mu=1", "", `rate = "70/s"`,
			`discipline = "lifo_preemptive"`, `pick_first`},
		{"mm1_lifo_nonpreemptive", "lambda=0.7;mu=1", "", `rate = "70/s"`, `discipline = "lifo"`,
			`pick_first`},
		{"closed_repairman", "N=10 users;Z=9 mean think;c=1 servers;mu=1", "",
			"callers = 10\nthink = \"exp(mean=90ms)\"", ``, `pick_first`},
		{"dm1_fifo", "rho=0.8;mu=1;constant interarrivals", "",
			"rate = \"80/s\"\narrivals = \"even\"", ``, `pick_first`},
		{"random_split", "n=10;rho=0.8;mu=1", "", `rate = "800/s"`, `count = 10`, `random`},
		{"round_robin_split", "n=10;rho=0.8;mu=1", "", `rate = "800/s"`, `count = 10`,
			`round_robin`},
		{"po2_with_replacement", "n=3;rho=0.7;mu=1;FIFO;exponential", "", `rate = "210/s"`,
			`count = 3`, `least_request`},
	} {
		t.Run(test.family+" "+test.label, func(t *testing.T) {
			e := find(t, New(false), test.family, test.parameters, test.label)
			text := fmt.Sprintf(asFile, test.clients, test.backends, test.policy)
			if strings.Contains(test.backends, "service") {
				text = strings.Replace(text, "service = \"exp(mean=10ms)\"\n", "", 1)
			}
			config := e.station.config
			config.Seed, config.Duration = 20261130, 20*time.Second
			config.Warmup, config.Bin = 2*time.Second, config.Duration
			want := simulate(t.Context(), &config)
			got := runFile(t, text)
			if got.Digest != fmt.Sprintf("%016x", want.Digest) || got.Events != want.Events ||
				want.Events < 2500 {
				t.Errorf("the file has %d events, digest %s; the suite %d, %016x",
					got.Events, got.Digest, want.Events, want.Digest)
			}
			p90 := float64(want.Succeeded.Quantile(0.9)) / float64(time.Millisecond)
			if *got.LatencyOK.P90 != p90 {
				t.Errorf("the file's p90 is %v ms, the suite's %v ms", *got.LatencyOK.P90, p90)
			}
		})
	}
}

const asFile = `
seed     = 20261130
duration = "20s"
warmup   = "2s"
bin      = "20s"
[network]
delay = "0s"
[clients.c]
%s
[backends.b]
service = "exp(mean=10ms)"
%s
[policies.%s]
`

// runFile runs the only variant of an experiment.
func runFile(t *testing.T, text string) (m *experiments.Measures) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "my.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := experiments.Load(file, experiments.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = runner.NewPlan(e).Run(t.Context(), 1, func(_ int, got *experiments.Measures) { m = got })
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// find returns an experiment.
func find(t *testing.T, s *Suite, family, parameters, label string) *Experiment {
	t.Helper()
	for i := range s.Experiments {
		e := &s.Experiments[i]
		if e.Family == family && e.Parameters == parameters && e.Label == label {
			return e
		}
	}
	t.Fatalf("the suite has no %s of %s %s", family, parameters, label)
	return nil
}
