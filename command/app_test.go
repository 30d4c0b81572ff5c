package command

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/policies"
)

// call runs the command in an empty folder.
func call(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	a := &app{stdout: &out, stderr: &errs, jobs: 2}
	code = a.main(context.Background(), args)
	return code, out.String(), errs.String()
}

func TestExitCodes(t *testing.T) {
	tests := []struct {
		args   []string
		code   int
		stderr string // a part of it; nothing for none at all
	}{
		{[]string{"help"}, exitDone, ""},
		{[]string{"run", "-h"}, exitDone, ""},
		{[]string{"version"}, exitDone, ""},
		{[]string{"list"}, exitDone, ""},
		{[]string{"list", "policies", "plots"}, exitDone, ""},
		{[]string{"check", "slow-node"}, exitDone, ""},
		{nil, exitUsage, "lbsim: nothing to do: name an experiment, a file or a shipped one"},
		{[]string{"rnu"}, exitUsage, `unknown command or experiment "rnu"; did you mean run?`},
		{[]string{"-cofnig", "x"}, exitUsage, "flag provided but not defined: -cofnig"},
		{[]string{"run"}, exitUsage, "which experiment? name a file or a shipped one"},
		{[]string{"-config", "none.toml"}, exitUsage, "none.toml: no such file or directory"},
		{[]string{"-config", "slow-nod"}, exitUsage, "did you mean slow-node?"},
		{[]string{"slow-nod"}, exitUsage, "did you mean slow-node?"},
		{[]string{"none.toml", "-quiet"}, exitUsage, "none.toml: no such file or directory"},
		{[]string{"slow-node", "idle"}, exitUsage, "name one experiment (has slow-node, idle)"},
		{[]string{"check", "slow-node", "-set", "seeds=2"}, exitDone, ""},
		{[]string{"check", "slow-node", "-set", "seed"}, exitUsage, "-set"},
		{[]string{"check", "--", "slow-node", "-set"}, exitUsage, "(has slow-node, -set)"},
		{[]string{"-config", "slow-node", "-seed", "x"}, exitUsage, "must be a whole number"},
		{[]string{"-config", "slow-node", "-jobs", "0"}, exitUsage, "-jobs must be at least 1"},
		{[]string{"-config", "slow-node", "-format", "yaml"}, exitUsage, `unknown "yaml"`},
		{[]string{"-config", "slow-node", "-policies", "p2c"}, exitUsage, `has no policy "p2c"`},
		{[]string{"-config", "slow-node", "-out", "/dev/null/x"}, exitUsage, "cannot write"},
		{[]string{"list", "policy"}, exitUsage, `unknown family "policy"; did you mean policies?`},
		{[]string{"check"}, exitUsage, "check: name one experiment"},
		{[]string{"plot", "nowhere"}, exitUsage, "nowhere"},
		{[]string{"validate", "-jobs", "0"}, exitUsage, "-jobs must be at least 1"},
		{[]string{"validate", "all"}, exitUsage, `unexpected "all"`},
		{[]string{"validate", "-quick"}, exitUsage, "docs"}, // there is no such folder
		{[]string{"-config", "pick-first-or-round-robin", "-quiet"}, exitDone, ""},
	}
	for _, test := range tests {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			code, _, stderr := call(t, test.args...)
			if code != test.code {
				t.Errorf("exit code %d, want %d; stderr: %s", code, test.code, stderr)
			}
			if (test.stderr == "") != (stderr == "") || !strings.Contains(stderr, test.stderr) {
				t.Errorf("stderr %q, want it to contain %q", stderr, test.stderr)
			}
		})
	}
}

func TestWrongUseLeavesNoFiles(t *testing.T) {
	call(t, "-config", "slow-node", "-set", "clients.web.rate=0/s")
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("%v is left (%v)", left, err)
	}
}

func TestInterruptKeepsFinishedRunsAndFails(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a := &app{stdout: &out, stderr: &errs, jobs: 1}
	code := a.main(ctx, []string{"-config", "slow-node"})
	if code != exitFailed || errs.String() != "lbsim: stopped\n" {
		t.Errorf("exit code %d, stderr %q", code, errs.String())
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("%v is left (%v)", left, err)
	}
}

// What does not look whether it shall stop is left alone.
func TestAwaitEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	never := make(chan int)
	_, err := await(ctx, func() (int, error) {
		cancel()
		return <-never, nil
	})
	if err != context.Canceled {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

func TestPanicIsABugOfLbsim(t *testing.T) {
	var out, errs bytes.Buffer
	a := &app{stdout: &out, stderr: &errs}
	a.further.Policies = map[string]policies.Policy{"undocumented": undocumented{}}
	code := a.main(context.Background(), []string{"list", "policies"})
	if code != exitBug || !strings.Contains(errs.String(), "lbsim: a bug of lbsim: ") ||
		!strings.Contains(errs.String(), "list.go:") {
		t.Errorf("exit code %d, stderr %q", code, errs.String())
	}
}

// undocumented panics when it is listed.
type undocumented struct{ policies.Random }

func (undocumented) Doc() string { panic("none") }

// breaks panics with some seeds.
type breaks struct{}

func (breaks) Doc() string { return "breaks" }

func (breaks) Build(h policies.Host) policies.Balancer {
	if h.Rand().Uint64()%2 == 0 {
		panic("oh")
	}
	return policies.Random{}.Build(h)
}

// A panic in a run costs that run alone. It is said which run it was, and where in the code.
func TestPanicInARunCostsThatRunAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = `seeds = 6
duration = "2s"
[clients.c]
rate = "100/s"
[backends.b]
service = "1ms"
[policies.random]
[policies.p]
kind = "breaks"
`
	if err := os.WriteFile("x.toml", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	a := &app{stdout: &out, stderr: &errs, jobs: 2}
	a.further.Policies = map[string]policies.Policy{"breaks": breaks{}}
	code := a.main(context.Background(), []string{"x.toml"})
	if code != exitBug || !strings.Contains(errs.String(), "a bug of lbsim: oh\n") ||
		!strings.Contains(errs.String(), "Build (app_test.go:") {
		t.Errorf("exit code %d, stderr %q", code, errs.String())
	}
	var s experiments.Summary
	doc, err := os.ReadFile("results/x/summary.json")
	if err == nil {
		err = json.Unmarshal(doc, &s)
	}
	if n := len(s.Failed); err != nil || n == 0 || n == 6 || len(s.Runs) != 12-n || !s.Complete {
		t.Errorf("%d runs kept, %d failed of 12 (%v)", len(s.Runs), n, err)
	}
}
