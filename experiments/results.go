package experiments

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// SchemaVersion is the version of the shape of summary.json.
const SchemaVersion = 3

// Summary is the content of summary.json: one document, every field always present.
type Summary struct {
	SchemaVersion int    `json:"schema_version"`
	Version       string `json:"version"` // of lbsim
	Name          string `json:"name"`
	Question      string `json:"question"`
	// Complete says that no run is missing but those that failed.
	Complete  bool     `json:"complete"`
	SweepKeys []string `json:"sweep_keys"`
	Policies  []string `json:"policies"`
	// Baseline is the policy that the others are compared with.
	Baseline string   `json:"baseline"`
	Seeds    []uint64 `json:"seeds"`
	// Points has what the runs say together, Runs what each says, Warnings what weakens all of it.
	Points   []*PointResults `json:"points"`
	Runs     []*Measures     `json:"runs"`
	Warnings []Warning       `json:"warnings"`
	// Precision is how tightly a figure should be known, as in the file; "" for none.
	Precision string `json:"precision"`
	// Failed are runs of which there are no results.
	Failed []FailedRun `json:"failed"`

	precision  *precision
	autoWarmup bool
}

// FailedRun is a run that its policy broke.
type FailedRun struct {
	Policy string            `json:"policy"`
	Seed   uint64            `json:"seed"`
	Point  map[string]string `json:"point"`
	Reason string            `json:"reason"`
}

// String says in a line which run it was, and why.
func (f FailedRun) String() string {
	at := ""
	for _, key := range sortedKeys(f.Point) {
		at += fmt.Sprintf(", %s = %s", key, f.Point[key])
	}
	return fmt.Sprintf("%s, seed %d%s: %s", f.Policy, f.Seed, at, f.Reason)
}

const resolvedFile = "config.resolved.toml"

// resultFiles are those in a results folder, but for plots and data files.
var resultFiles = []string{"table.csv", "summary.json", "summary.txt", resolvedFile}

// Results writes what comes of an experiment into a folder. Each file is written under another name
// and renamed when it is whole.
type Results struct {
	Summary Summary

	e     *Experiment
	dir   string
	file  *os.File
	buf   *bufio.Writer
	table *tableWriter
}

// NewResults makes the folder, if there is none, and begins the table.
func NewResults(dir string, e *Experiment) (*Results, error) {
	r := &Results{e: e, dir: dir}
	r.Summary = Summary{
		SchemaVersion: SchemaVersion, Version: Version(), Name: e.Name, Question: e.Question,
		SweepKeys: append([]string{}, e.SweepKeys...), Policies: e.Policies, Seeds: e.SeedList(),
		Baseline: e.Baseline, Precision: e.base.top.Precision, precision: e.precision,
		autoWarmup: e.base.top.Warmup == autoWarmup,
		Runs:       []*Measures{}, Failed: []FailedRun{},
	}
	for _, name := range resultFiles {
		if _, taken := e.source.data[name]; taken {
			return nil, fmt.Errorf("%s: the data file %s has the name of a file with results; "+
				"call it otherwise", e.source.name, name)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, cannotWrite(dir, err)
	}
	file, err := os.CreateTemp(dir, ".table-*.tmp")
	if err != nil {
		return nil, cannotWrite(dir, err)
	}
	r.file, r.buf = file, bufio.NewWriterSize(file, 1<<20)
	r.table = newTableWriter(r.buf, e.SweepKeys)
	return r, nil
}

func cannotWrite(dir string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: cannot write results there: %w; choose another folder with -out",
		dir, err)
}

// Add writes the rows of a run. Runs come in the order of their numbers.
func (r *Results) Add(i int, m *Measures) {
	if m.failure != nil {
		r.Summary.Failed = append(r.Summary.Failed,
			FailedRun{m.Policy, m.Seed, m.Point, m.failure.Error()})
		return
	}
	point, _, _ := r.e.place(i)
	r.table.addRun(m, r.e.points.texts(point))
	m.series = nil // a sweep can have very many runs
	r.Summary.Runs = append(r.Summary.Runs, m)
}

// Discard takes back what has been written.
func (r *Results) Discard() {
	r.file.Close()
	os.Remove(r.file.Name())
}

// Close finishes all files.
func (r *Results) Close() error {
	r.Summary.Complete = len(r.Summary.Runs)+len(r.Summary.Failed) == r.e.Runs()
	r.Summary.Seeds = r.e.SeedList()
	r.Summary.conclude()
	r.table.addPoints(&r.Summary)
	err := errors.Join(r.table.flush(), r.buf.Flush(), r.file.Chmod(0o644), r.file.Close())
	if err == nil {
		err = os.Rename(r.file.Name(), filepath.Join(r.dir, "table.csv"))
	}
	if err != nil {
		os.Remove(r.file.Name())
		return cannotWrite(r.dir, err)
	}
	doc, err := json.MarshalIndent(&r.Summary, "", "  ")
	if err != nil {
		return err
	}
	var text strings.Builder
	WriteText(&text, &r.Summary)
	for _, f := range []struct{ name, content string }{
		{"summary.json", string(doc) + "\n"},
		{"summary.txt", text.String()},
		{resolvedFile, r.e.Resolved()},
	} {
		if err := writeFile(filepath.Join(r.dir, f.name), f.content); err != nil {
			return cannotWrite(r.dir, err)
		}
	}
	return r.writeData()
}

// writeData writes the files that the experiment names by a path from its own, so that the resolved
// one finds them.
func (r *Results) writeData() error {
	for _, name := range sortedKeys(r.e.source.data) {
		to := filepath.Join(r.dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(to), 0o755)
		if err == nil {
			err = writeFile(to, string(r.e.source.data[name]))
		}
		if err != nil {
			return cannotWrite(r.dir, err)
		}
	}
	return nil
}

// writeFile writes a file under another name and renames it.
func writeFile(name, content string) error {
	tmp := name + ".tmp"
	err := os.WriteFile(tmp, []byte(content), 0o644)
	if err == nil {
		err = os.Rename(tmp, name)
	}
	if err != nil {
		os.Remove(tmp)
	}
	return err
}
