package experiments

import (
	"context"
	"encoding/json"
	"io"
	"runtime"

	"lbsim/experiments/report"
	"lbsim/experiments/runner"
)

// RunOptions say how the runs of an experiment are made.
type RunOptions struct {
	// Jobs is the number of concurrent runs; 0 for one on each CPU. Results do not depend on it.
	Jobs int
	// Ended, if not nil, is called with each run when it has ended, one at a time.
	Ended func(m *Measures)
}

// Results are the results of an experiment, in memory.
type Results struct {
	*Summary

	plan *runner.Plan
	runs map[int]*Measures // by number
}

// Run makes all runs of an experiment. Runs that fail are in the summary's Failed; the others go
// on. If the context is done first, the error is its cause, and the results are of the runs that
// have ended.
func Run(ctx context.Context, e *Experiment, opt RunOptions) (*Results, error) {
	jobs := opt.Jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	plan := runner.NewPlan(e)
	c := report.NewCollector(plan)
	r := &Results{Summary: &c.Summary, plan: plan, runs: map[int]*Measures{}}
	err := plan.Run(ctx, jobs, func(i int, m *Measures) {
		r.runs[i] = m
		c.Add(i, m)
		if opt.Ended != nil {
			opt.Ended(m)
		}
	})
	c.Conclude()
	return r, err
}

// WriteText writes the comparison for people.
func (r *Results) WriteText(w io.Writer) { report.WriteText(w, r.Summary) }

// WriteTable writes table.csv.
func (r *Results) WriteTable(w io.Writer) error { return report.WriteTable(w, r.Summary) }

// WriteJSON writes summary.json.
func (r *Results) WriteJSON(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(r.Summary)
}

// WriteFolder writes all files into a folder, as the program does but without plots, and returns
// the folder in which they are. It replaces no files that lbsim has not written and no results of
// another experiment.
func (r *Results) WriteFolder(dir string) (in string, err error) {
	w, err := report.NewWriter(dir, r.plan, false, func(string) bool { return false })
	if err != nil {
		return "", err
	}
	defer w.Close()
	for i, m := range r.runs {
		w.Add(i, m)
	}
	w.Conclude()
	if _, err := w.Write(); err != nil {
		return "", err
	}
	return w.Publish(nil)
}
