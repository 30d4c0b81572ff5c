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
)

// results runs an experiment into a folder and returns its files by name.
func results(t *testing.T, e *experiments.Experiment, jobs int) map[string][]byte {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	r, err := experiments.NewResults(dir, e)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run(t.Context(), jobs, r.Add); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files[name], err = os.ReadFile(filepath.Join(dir, name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
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

func TestStoppedRunKeepsWhatIsFinished(t *testing.T) {
	e := load(t, good, "seeds=50")
	ctx, cancel := context.WithCancel(t.Context())
	r, err := experiments.NewResults(t.TempDir(), e)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = e.Run(ctx, 2, func(i int, m *experiments.Measures) {
		r.Add(i, m)
		if n++; n == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	// Those that had ended behind a slower one are kept too.
	if got := len(r.Summary.Runs); got < 3 || got == e.Runs() || r.Summary.Complete {
		t.Errorf("%d of %d runs kept (complete: %v), want 3 or more, not all, incomplete",
			got, e.Runs(), r.Summary.Complete)
	}
	var text strings.Builder
	experiments.WriteText(&text, &r.Summary)
	if !strings.Contains(text.String(), "INCOMPLETE") {
		t.Errorf("the text does not say so:\n%s", text.String())
	}
}

func TestClosedLoopWithoutAnyTimeIsRefused(t *testing.T) {
	e := load(t, `
[clients.spin]
callers = 1
[backends.b]
service = "0s"
[policies.random]
`)
	err := e.Run(t.Context(), 1, func(int, *experiments.Measures) {})
	if err == nil || !strings.Contains(err.Error(), "time stands still at 0s") {
		t.Errorf("got %v, want an error that says that time stands still", err)
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	e := load(t, good)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := experiments.NewResults(filepath.Join(file, "out"), e)
	if err == nil || !strings.Contains(err.Error(), "cannot write results there: not a directory") {
		t.Errorf("got %v", err)
	}
}

func TestFailedRunLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	r, err := experiments.NewResults(dir, load(t, good))
	if err != nil {
		t.Fatal(err)
	}
	r.Discard()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
