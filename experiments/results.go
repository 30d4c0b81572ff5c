package experiments

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Results writes what comes of an experiment into a folder, where what was there before stays until
// all is whole.
type Results struct {
	Summary Summary

	e      *Experiment
	plan   *Plan
	folder *Folder
	runs   map[int]*Measures // that have ended, by their numbers
	rows   *rowStore
}

// NewResults takes the folder for the results of an experiment, for which it must not hold what
// they would replace: results of another experiment, or files that no lbsim has written, of such
// names as table.csv or those that picture says a plot may have. By force it may.
func NewResults(
	dir string, plan *Plan, force bool, picture func(name string) bool,
) (*Results, error) {
	e := plan.e
	folder, err := OpenFolder(dir, force)
	if err != nil {
		return nil, err
	}
	r := &Results{e: e, plan: plan, folder: folder, runs: map[int]*Measures{}}
	r.Summary = Summary{
		SchemaVersion: SchemaVersion, Version: Version(), Name: e.Name, Question: e.Question,
		SweepKeys: append([]string{}, e.SweepKeys...), Policies: e.Policies, Seeds: plan.SeedList(),
		Baseline: e.Baseline, target: e.Precision, foundWarmup: e.FindWarmup,
		Runs: []*Measures{}, Failed: []FailedRun{},
	}
	if e.Precision != nil {
		r.Summary.Precision = e.Precision.Text
	}
	err = folder.claimFor(folder.sourceOf(e.Name, e.File.Name, e.File.Shipped), e.Resolved())
	if err == nil {
		err = folder.Claim(func(name string) bool {
			return slices.Contains(resultFiles, name) || picture(name)
		})
	}
	for _, name := range slices.Sorted(maps.Keys(e.DataFiles())) {
		if err == nil {
			err = folder.claimData(name, e.DataFiles()[name])
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

// Add takes in a run, by its number.
func (r *Results) Add(i int, m *Measures) {
	r.runs[i] = m
	if m.Failure() != nil {
		return
	}
	point, _, _ := r.plan.place(i)
	r.rows.add(i, func(t *tableWriter) { t.addRun(m, r.e.PointTexts(point)) })
	m.series = nil // a sweep can have very many runs
}

// Conclude draws up the summary of the runs that have ended.
func (r *Results) Conclude() {
	s := &r.Summary
	for _, i := range slices.Sorted(maps.Keys(r.runs)) {
		if m := r.runs[i]; m.Failure() != nil {
			s.Failed = append(s.Failed, m.failedRun())
		} else {
			s.Runs = append(s.Runs, m)
		}
	}
	s.Complete = len(r.runs) == r.plan.Runs()
	s.Seeds = r.plan.SeedList()
	s.conclude()
	everywhere, somewhere := FindingsOf(r.e, r.plan.Warmup)
	s.warnFirst(slices.Concat(everywhere, somewhere))
}

// Write makes all files but the plots, aside from their places, and returns the folder where they
// are, for the plots. Conclude comes before.
func (r *Results) Write() (dir string, err error) {
	dir = r.folder.Aside()
	doc, err := json.MarshalIndent(&r.Summary, "", "  ")
	if err != nil {
		return "", err
	}
	var text strings.Builder
	WriteText(&text, &r.Summary)
	files := maps.Clone(r.e.DataFiles())
	files[summaryFile] = append(doc, '\n')
	files[textFile] = []byte(text.String())
	files[resolvedFile] = []byte(r.e.Resolved())
	err = r.rows.writeTable(filepath.Join(dir, tableFile), &r.Summary)
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
		return "", cannotWrite(r.folder.dir, err)
	}
	return dir, nil
}

// Publish moves all files to their places, with the plots that were drawn, and returns the folder
// that they are in. An earlier result of which no run is missing, or fewer are, stays where it is:
// then that folder is one below.
func (r *Results) Publish(plots []string) (dir string, err error) {
	files := append(slices.Sorted(maps.Keys(r.e.DataFiles())), resultFiles...)
	files = append(files, plots...)
	f, s := r.folder, &r.Summary
	now := contents{
		Source: f.sourceOf(r.e.Name, r.e.File.Name, r.e.File.Shipped), Complete: s.Complete && len(s.Runs) > 0, Runs: len(s.Runs),
	}
	if !now.Complete && (f.has.Complete || f.has.Runs > now.Runs) {
		below := func(name string) bool { return strings.HasPrefix(name, partialFolder+"/") }
		return filepath.Join(f.dir, partialFolder),
			f.publish(files, partialFolder, f.has, below)
	}
	return f.dir, f.publish(files, "", now, func(string) bool { return true })
}

// Close gives the folder back. What has not been published is gone.
func (r *Results) Close() {
	r.rows.close()
	r.folder.Close()
}
