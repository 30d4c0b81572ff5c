package experiments_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/report/folder"
	"lbsim/experiments/runner"
)

// tree returns all files below a folder but what lbsim notes there, by their paths.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && name != ".lbsim.json" {
			var content []byte
			content, err = os.ReadFile(filepath.Join(dir, name))
			files[name] = string(content)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// runInto runs an experiment, until the context of its runs is cancelled after the given number of
// them, or to its end with 0.
func runInto(t *testing.T, dir string, e *experiments.Experiment, runs int) (in string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	plan := runner.NewPlan(e)
	r := open(t, dir, plan)
	n := 0
	err := plan.Run(ctx, 1, func(i int, m *experiments.Measures) {
		r.Add(i, m)
		if n++; n == runs {
			cancel()
		}
	})
	if err != nil && runs == 0 {
		t.Fatal(err)
	}
	return publish(t, r)
}

// An older result stays as it is until one is finished that has at least as much.
func TestLesserResultIsKeptBeside(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	file := write(t, map[string]string{"my.toml": good})
	seeds := func(n int) *experiments.Experiment {
		set := []string{fmt.Sprint("seeds=", n)}
		e, err := experiments.Load(file, experiments.Options{Set: set})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	if in := runInto(t, out, seeds(1), 2); in != out {
		t.Errorf("the first result, of two runs, is in %s", in)
	}
	if in := runInto(t, out, seeds(1), 0); in != out {
		t.Errorf("the whole result is in %s", in)
	}
	whole := tree(t, out)
	partial := filepath.Join(out, "partial")
	if in := runInto(t, out, seeds(9), 5); in != partial {
		t.Errorf("5 runs of 36 are in %s, want %s", in, partial)
	}
	beside := tree(t, partial)
	if len(beside) != 4 || !strings.Contains(beside["summary.txt"], "INCOMPLETE: stopped after ") {
		t.Errorf("beside it there are %v", slices.Sorted(maps.Keys(beside)))
	}
	for name := range beside {
		whole["partial/"+name] = beside[name]
	}
	if got := tree(t, out); !maps.Equal(got, whole) {
		t.Errorf("the whole result is not as it was: %v", slices.Sorted(maps.Keys(got)))
	}
	runInto(t, out, seeds(1), 0)
	if got := tree(t, out); len(got) != 4 {
		t.Errorf("the next whole result leaves %v", slices.Sorted(maps.Keys(got)))
	}
	if _, err := os.Stat(partial); err == nil {
		t.Error("the next whole result leaves an empty folder")
	}
}

// Two of which neither is whole: the one with more runs stays.
func TestMoreRunsStay(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	e := load(t, good, "seeds=9")
	runInto(t, out, e, 9)
	had := tree(t, out)
	if in := runInto(t, out, e, 2); in == out {
		t.Error("2 runs have replaced 9")
	}
	if tree(t, out)["table.csv"] != had["table.csv"] {
		t.Error("the table of 9 runs is not as it was")
	}
	if in := runInto(t, out, e, 20); in != out {
		t.Errorf("20 runs have not replaced 9: they are in %s", in)
	}
}

// What a process has left that was killed is removed by the next, which the lock tells from what a
// living one is making.
func TestWhatAKilledProcessLeftIsRemoved(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".lbsim-4711", ".lbsim-mine", "lbsim-4711"} {
		if err := os.MkdirAll(filepath.Join(dir, name, "below"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r := open(t, dir, runner.NewPlan(load(t, good)))
	_, err := folder.Open(dir, true)
	if err == nil || !strings.Contains(err.Error(), " is writing results there: wait for it") {
		t.Errorf("a second one meanwhile: error %v", err)
	}
	r.Close()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("left %v, want the two folders that are not lbsim's (%v)", left, err)
	}
}

// A folder may say what it likes of the files that lbsim has written: none outside is touched.
func TestContentsNameNoFilesOutside(t *testing.T) {
	top := t.TempDir()
	dir, mine := filepath.Join(top, "out"), filepath.Join(top, "mine")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	said := `{"files": ["../mine", "` + mine + `", ".", "gone/../../mine"]}`
	for name, content := range map[string]string{
		mine: "mine", filepath.Join(dir, ".lbsim.json"): said,
	} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	runInto(t, dir, load(t, good), 0)
	if content, err := os.ReadFile(mine); string(content) != "mine" {
		t.Errorf("a file outside has %q (%v)", content, err)
	}
}

// A file that somebody else has put there while the runs went on is not replaced.
func TestFileOfOthersThatComesMeanwhileStays(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, runner.NewPlan(load(t, good)))
	defer r.Close()
	mine := filepath.Join(dir, "summary.txt")
	if err := os.WriteFile(mine, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.Conclude()
	if _, err := r.Write(); err != nil {
		t.Fatal(err)
	}
	_, err := r.Publish(nil)
	if err == nil || !strings.Contains(err.Error(), "summary.txt is in the way") {
		t.Errorf("error %v", err)
	}
	if content, err := os.ReadFile(mine); string(content) != "mine" {
		t.Errorf("the file has %q (%v)", content, err)
	}
}
