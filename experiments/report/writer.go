// Package report writes results into a folder: summary.json, table.csv and a text for people.
package report

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lbsim/experiments/analysis"
	"lbsim/experiments/config"
	"lbsim/experiments/layout"
	"lbsim/experiments/report/folder"
	"lbsim/experiments/runner"
)

// Writer writes the results of an experiment into a folder. Earlier results stay there until all
// new files are complete.
type Writer struct {
	Collector

	e      *config.Experiment
	folder *folder.Folder
	rows   *rowStore
}

// NewWriter opens the folder for the results of an experiment. Unless force is set, it refuses a
// folder with results of another experiment, and one with files that lbsim has not written under
// the names of results or of plots; picture reports whether a name is one of a plot.
func NewWriter(
	dir string, plan *runner.Plan, force bool, picture func(name string) bool,
) (*Writer, error) {
	e := plan.Experiment
	folder, err := folder.Open(dir, force)
	if err != nil {
		return nil, err
	}
	w := &Writer{Collector: *NewCollector(plan), e: e, folder: folder}
	err = folder.ClaimFor(folder.SourceOf(e.Name, e.File.Name, e.File.Shipped), e.Resolved())
	if err == nil {
		err = folder.Claim(func(name string) bool {
			return slices.Contains(layout.ResultFiles, name) || picture(name)
		})
	}
	for _, name := range slices.Sorted(maps.Keys(e.DataFiles())) {
		if err == nil {
			err = folder.ClaimData(name, e.DataFiles()[name])
		}
	}
	if err == nil {
		w.rows, err = newRowStore(folder, e.SweepKeys)
	}
	if err != nil {
		folder.Close()
		return nil, err
	}
	return w, nil
}

// Add adds the run with number i. The writer stores the rows of its series, and not the series, for
// a sweep can have very many runs.
func (w *Writer) Add(i int, m *analysis.Measures) {
	if m.Failure() != nil {
		w.Collector.Add(i, m)
		return
	}
	w.rows.add(i, func(t *tableWriter) { t.addRun(m) })
	kept := *m
	kept.Series = nil
	w.Collector.Add(i, &kept)
}

// Write writes all files but the plots into a temporary folder and returns it, for the plots. Call
// Conclude first.
func (w *Writer) Write() (dir string, err error) {
	dir = w.folder.Aside()
	var doc, text bytes.Buffer
	if err := WriteJSON(&doc, &w.Summary); err != nil {
		return "", err
	}
	WriteText(&text, &w.Summary)
	files := maps.Clone(w.e.DataFiles())
	files[layout.SummaryFile] = doc.Bytes()
	files[layout.TextFile] = text.Bytes()
	files[layout.ResolvedFile] = []byte(w.e.Resolved())
	err = w.rows.writeTable(filepath.Join(dir, layout.TableFile), &w.Summary)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o755)
		}
		if err == nil {
			err = os.WriteFile(to, files[name], 0o644)
		}
	}
	if err != nil {
		return "", folder.CannotWrite(w.folder.Dir, err)
	}
	return dir, nil
}

// WriteJSON writes the content of summary.json. An error is one of w.
func WriteJSON(w io.Writer, s *analysis.Summary) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(s)
}

// Publish moves all files, with the plots that were drawn, to their places, and returns their
// folder. If the results are incomplete and the earlier ones are complete or have more runs, these
// stay, and the new ones go into the folder "partial" below.
func (w *Writer) Publish(plots []string) (dir string, err error) {
	files := append(slices.Sorted(maps.Keys(w.e.DataFiles())), layout.ResultFiles...)
	files = append(files, plots...)
	f, s := w.folder, &w.Summary
	now := folder.Contents{
		Source:   f.SourceOf(w.e.Name, w.e.File.Name, w.e.File.Shipped),
		Complete: s.Complete && len(s.Runs) > 0,
		Runs:     len(s.Runs),
	}
	if !now.Complete && (f.Earlier.Complete || f.Earlier.Runs > now.Runs) {
		below := func(name string) bool { return strings.HasPrefix(name, layout.PartialFolder+"/") }
		return filepath.Join(f.Dir, layout.PartialFolder),
			f.Move(files, layout.PartialFolder, f.Earlier, below)
	}
	return f.Dir, f.Move(files, "", now, func(string) bool { return true })
}

// Close unlocks the folder and removes what has not been published.
func (w *Writer) Close() {
	w.rows.close()
	w.folder.Close()
}
