// Package report writes results into a folder: summary.json, table.csv and a text for people.
package report

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lbsim/experiments/analysis"
	"lbsim/experiments/config"
	"lbsim/experiments/config/findings"
	"lbsim/experiments/layout"
	"lbsim/experiments/report/folder"
	"lbsim/experiments/runner"
	"lbsim/internal/version"
)

// Results writes the results of an experiment into a folder. Earlier results stay there until all
// new files are complete.
type Results struct {
	Summary analysis.Summary

	e      *config.Experiment
	plan   *runner.Plan
	folder *folder.Folder
	runs   map[int]*analysis.Measures // by number: the runs that have ended
	rows   *rowStore
}

// NewResults opens the folder for the results of an experiment. Unless force is set, it refuses a
// folder with results of another experiment, and one with files that lbsim has not written under
// the names of results or of plots; picture reports whether a name is one of a plot.
func NewResults(
	dir string, plan *runner.Plan, force bool, picture func(name string) bool,
) (*Results, error) {
	e := plan.Experiment
	folder, err := folder.Open(dir, force)
	if err != nil {
		return nil, err
	}
	r := &Results{e: e, plan: plan, folder: folder, runs: map[int]*analysis.Measures{}}
	r.Summary = analysis.Summary{
		SchemaVersion: analysis.SchemaVersion, Version: version.String(), Name: e.Name,
		Question:  e.Question,
		SweepKeys: append([]string{}, e.SweepKeys...), Policies: e.Policies, Seeds: plan.SeedList(),
		Baseline: e.Baseline, Target: e.Precision, FoundWarmup: e.FindWarmup,
		Runs: []*analysis.Measures{}, Failed: []analysis.FailedRun{},
	}
	if e.Precision != nil {
		r.Summary.Precision = e.Precision.Text
	}
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
		r.rows, err = newRowStore(folder)
	}
	if err != nil {
		folder.Close()
		return nil, err
	}
	return r, nil
}

// Add adds the run with number i.
func (r *Results) Add(i int, m *analysis.Measures) {
	r.runs[i] = m
	if m.Failure() != nil {
		return
	}
	point, _, _ := r.plan.Place(i)
	r.rows.add(i, func(t *tableWriter) { t.addRun(m, r.e.PointTexts(point)) })
	m.Series = nil // a sweep can have very many runs
}

// Conclude computes the summary from the runs that have ended.
func (r *Results) Conclude() {
	s := &r.Summary
	for _, i := range slices.Sorted(maps.Keys(r.runs)) {
		if m := r.runs[i]; m.Failure() != nil {
			s.Failed = append(s.Failed, m.FailedRun())
		} else {
			s.Runs = append(s.Runs, m)
		}
	}
	s.Complete = len(r.runs) == r.plan.Runs()
	s.Seeds = r.plan.SeedList()
	s.Conclude()
	everywhere, somewhere := findings.Of(r.e, r.plan.Warmup)
	s.WarnFirst(slices.Concat(everywhere, somewhere))
}

// Write writes all files but the plots into a temporary folder and returns it, for the plots. Call
// Conclude first.
func (r *Results) Write() (dir string, err error) {
	dir = r.folder.Aside()
	doc, err := json.MarshalIndent(&r.Summary, "", "  ")
	if err != nil {
		return "", err
	}
	var text strings.Builder
	WriteText(&text, &r.Summary)
	files := maps.Clone(r.e.DataFiles())
	files[layout.SummaryFile] = append(doc, '\n')
	files[layout.TextFile] = []byte(text.String())
	files[layout.ResolvedFile] = []byte(r.e.Resolved())
	err = r.rows.writeTable(filepath.Join(dir, layout.TableFile), &r.Summary)
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
		return "", folder.CannotWrite(r.folder.Dir, err)
	}
	return dir, nil
}

// Publish moves all files, with the plots that were drawn, to their places, and returns their
// folder. If the results are incomplete and the earlier ones are complete or have more runs, these
// stay, and the new ones go into the folder "partial" below.
func (r *Results) Publish(plots []string) (dir string, err error) {
	files := append(slices.Sorted(maps.Keys(r.e.DataFiles())), layout.ResultFiles...)
	files = append(files, plots...)
	f, s := r.folder, &r.Summary
	now := folder.Contents{
		Source: f.SourceOf(r.e.Name, r.e.File.Name, r.e.File.Shipped), Complete: s.Complete &&
			len(s.Runs) > 0, Runs: len(s.Runs),
	}
	if !now.Complete && (f.Earlier.Complete || f.Earlier.Runs > now.Runs) {
		below := func(name string) bool { return strings.HasPrefix(name, layout.PartialFolder+"/") }
		return filepath.Join(f.Dir, layout.PartialFolder),
			f.Move(files, layout.PartialFolder, f.Earlier, below)
	}
	return f.Dir, f.Move(files, "", now, func(string) bool { return true })
}

// Close unlocks the folder and removes what has not been published.
func (r *Results) Close() {
	r.rows.close()
	r.folder.Close()
}
