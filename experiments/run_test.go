package experiments_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/report"
	"lbsim/experiments/runner"
	"lbsim/policies"
)

// results runs an experiment into a folder and returns its files by name.
func results(t *testing.T, e *experiments.Experiment, jobs int) map[string][]byte {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	plan := runner.NewPlan(e)
	r := open(t, dir, plan)
	if err := plan.Run(t.Context(), jobs, r.Add); err != nil {
		t.Fatal(err)
	}
	publish(t, r)
	files := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name()[0] != '.' {
			files[name], err = os.ReadFile(filepath.Join(dir, name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// open takes a folder for results without plots.
func open(t *testing.T, dir string, plan *runner.Plan) *report.Writer {
	t.Helper()
	r, err := report.NewWriter(dir, plan, false, func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// publish writes what the runs say, and returns the folder where that is.
func publish(t *testing.T, r *report.Writer) (dir string) {
	t.Helper()
	r.Conclude()
	if _, err := r.Write(); err != nil {
		t.Fatal(err)
	}
	dir, err := r.Publish(nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	return dir
}

func load(t *testing.T, text string, set ...string) *experiments.Experiment {
	t.Helper()
	file := write(t, map[string]string{"my.toml": text})
	e, err := experiments.Load(file, experiments.Options{Set: set})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestResultsDoNotDependOnTheNumberOfJobs(t *testing.T) {
	one := results(t, load(t, good, "seeds=3"), 1)
	eight := results(t, load(t, good, "seeds=3"), 8)
	if len(one) != 4 {
		t.Errorf("%d files, want a table, two summaries and the resolved config", len(one))
	}
	for name, content := range one {
		if !bytes.Equal(content, eight[name]) {
			t.Errorf("%s differs between 1 and 8 jobs", name)
		}
	}
}

func TestSeedChangesResults(t *testing.T) {
	one, two := results(t, load(t, good), 2), results(t, load(t, good, "seed=2"), 2)
	if bytes.Equal(one["table.csv"], two["table.csv"]) {
		t.Error("seeds 1 and 2 give the same table")
	}
}

// Runs that have ended when the context is done are kept, and have the same seeds under all
// policies and at all points: with one job, none is more than one seed ahead of another.
func TestStoppedRunKeepsWhatIsFinished(t *testing.T) {
	e := load(t, good, "seeds=50")
	ctx, cancel := context.WithCancel(t.Context())
	plan := runner.NewPlan(e)
	r := open(t, t.TempDir(), plan)
	n := 0
	err := plan.Run(ctx, 1, func(i int, m *experiments.Measures) {
		r.Add(i, m)
		if n++; n == 7 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	publish(t, r)
	got := len(r.Summary.Runs)
	if got < 7 || got == runner.NewPlan(e).Runs() || r.Summary.Complete {
		t.Errorf("%d of %d runs kept (complete: %v), want 7 or more, not all, incomplete",
			got, runner.NewPlan(e).Runs(), r.Summary.Complete)
	}
	for _, p := range r.Summary.Points {
		for _, policy := range p.Policies {
			// Of four runs with each seed.
			if n := len(policy.Seeds); n < got/4 || n > (got+3)/4 {
				t.Errorf("%s at %v has %d seeds of %d runs in all", policy.Policy, p.Point, n, got)
			}
		}
	}
	var text strings.Builder
	report.WriteText(&text, &r.Summary)
	if !strings.Contains(text.String(), "INCOMPLETE") {
		t.Errorf("the text does not say so:\n%s", text.String())
	}
}

// spinner is random, and does something again and again without waiting.
type spinner struct {
	Spins bool `toml:"spins"`
}

func (spinner) Doc() string { return "" }

func (s spinner) Build(h policies.Host) policies.Balancer {
	var again func()
	again = func() { h.AfterFunc(0, again) }
	if s.Spins {
		again()
	}
	return policies.Random{}.Build(h)
}

// A run that cannot be made says why, and where of the sweep; the others go on.
func TestRunThatFailsLeavesTheOthers(t *testing.T) {
	file := write(t, map[string]string{"my.toml": `
duration = "2s"
[clients.c]
callers = 1
[backends.b]
service = "1ms"
[policies.spinner]
[policies.random]
[sweep]
"policies.spinner.spins" = [false, true]
`})
	e, err := experiments.Load(file, experiments.Options{
		Kinds: experiments.Kinds{Policies: map[string]policies.Policy{"spinner": spinner{}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	plan := runner.NewPlan(e)
	r := open(t, t.TempDir(), plan)
	if err := plan.Run(t.Context(), 1, r.Add); err != nil {
		t.Fatal(err)
	}
	publish(t, r)
	if s := &r.Summary; len(s.Runs) != 3 || len(s.Failed) != 1 || !s.Complete {
		t.Fatalf("%d runs, %d failed, complete: %v; want 3, 1, true", len(s.Runs), len(s.Failed),
			s.Complete)
	}
	const want = "spinner, seed 1, policies.spinner.spins = true: time stands still at 0s"
	if got := r.Summary.Failed[0].String(); !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want it to begin with %q", got, want)
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	e := load(t, good)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := report.NewWriter(filepath.Join(file, "out"), runner.NewPlan(e), false, nil)
	if err == nil || !strings.Contains(err.Error(), "cannot write results there: not a directory") {
		t.Errorf("got %v", err)
	}
}

func TestWhatIsNotPublishedLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	open(t, dir, runner.NewPlan(load(t, good))).Close()
	if left, err := os.Stat(dir); err == nil {
		t.Errorf("%v is left", left)
	}
}

// fileOf writes an experiment to a file and returns its name.
func fileOf(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.toml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}
