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
	"testing/fstest"

	"lbsim/experiments"
	"lbsim/options"
)

// Results in memory are what the program writes into files, to the byte.
func TestResultsInMemoryAreThoseInFiles(t *testing.T) {
	e, err := experiments.Parse("good.toml", []byte(good), experiments.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	r, err := experiments.Run(t.Context(), e, experiments.RunOptions{
		Jobs: -1, Ended: func(*experiments.Measures) { ended++ },
	})
	if err != nil || !r.Complete || ended != len(r.Runs) || ended == 0 {
		t.Fatalf("%v, complete: %v, %d of %d runs", err, r.Complete, ended, len(r.Runs))
	}
	want := results(t, e, 1)
	var text, table, doc bytes.Buffer
	r.WriteText(&text)
	if err := errors.Join(r.WriteTable(&table), r.WriteJSON(&doc)); err != nil {
		t.Fatal(err)
	}
	dir, err := r.WriteFolder(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]byte{
		"summary.txt": text.Bytes(), "table.csv": table.Bytes(), "summary.json": doc.Bytes(),
	} {
		if !bytes.Equal(got, want[name]) {
			t.Errorf("%s in memory:\n%s\nin a file:\n%s", name, got, want[name])
		}
		if kept, err := os.ReadFile(filepath.Join(dir, name)); !bytes.Equal(kept, want[name]) {
			t.Errorf("%s written of what was in memory (%v):\n%s", name, err, kept)
		}
	}
}

// Of runs that are stopped there are the results of those that have ended.
func TestResultsInMemoryOfStoppedRuns(t *testing.T) {
	e, err := experiments.Parse("good.toml", []byte(good), experiments.Options{
		Set: []string{"seeds=50"},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, err := experiments.Run(ctx, e, experiments.RunOptions{
		Jobs: 1, Ended: func(*experiments.Measures) { cancel() },
	})
	if !errors.Is(err, context.Canceled) || r.Complete || len(r.Runs) == 0 {
		t.Errorf("%v, complete: %v, %d runs", err, r.Complete, len(r.Runs))
	}
}

// An experiment in a file system has its data there; one that is a text alone has none.
func TestExperimentsFromFileSystemsAndTexts(t *testing.T) {
	text := strings.Replace(small, `"1ms"`, `"file(data/times.csv)"`, 1)
	fsys := fstest.MapFS{
		"in/my.toml":          {Data: []byte(text)},
		"in/data/times.csv":   {Data: []byte("1ms\n2ms\n")},
		"in/other/wrong.toml": {Data: []byte("seeds = true\n" + small)},
	}
	e, err := experiments.LoadFS(fsys, "in/my.toml", experiments.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if e.Name != "my" || len(e.DataFiles()["data/times.csv"]) == 0 {
		t.Errorf("%s with %v", e.Name, e.DataFiles())
	}
	for _, row := range []struct{ got, want string }{
		{errorText(experiments.LoadFS(fsys, "in/other/wrong.toml", experiments.Options{})),
			"in/other/wrong.toml:1: seeds: must be a whole number (is true)"},
		{errorText(experiments.LoadFS(fsys, "in/none.toml", experiments.Options{})),
			"in/none.toml: "},
		{errorText(experiments.Parse("text.toml", []byte(text), experiments.Options{})),
			"text.toml:5: backends.b.service: file: data/times.csv: this experiment can name no"},
	} {
		if !strings.HasPrefix(row.got, row.want) {
			t.Errorf("got  %s\nwant %s", row.got, row.want)
		}
	}
}

// A program can tell what an error is about.
func TestErrorsOfExperimentsWrap(t *testing.T) {
	_, err := experiments.Load("none.toml", experiments.Options{})
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such file: %v", err)
	}
	text := strings.Replace(good, `"100/s"`, `"fast"`, 1)
	_, err = experiments.Parse("my.toml", []byte(text), experiments.Options{})
	var ke *options.KeyError
	if !errors.As(err, &ke) || strings.Join(ke.Key, ".") != "clients.web.rate" {
		t.Errorf("a wrong rate: %v", err)
	}
}

func errorText(_ *experiments.Experiment, err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
