package experiments

import (
	"context"
	"io"
	"runtime"

	"lbsim/experiments/report"
	"lbsim/experiments/runner"
)

// RunOptions are how the runs of an experiment are made. Results do not depend on them.
type RunOptions struct {
	// Jobs is the number of concurrent runs; 0 or less for one on each CPU. There are fewer if they
	// might not fit into memory.
	Jobs int
	// Ended, if not nil, is called with each run when the run has ended, never concurrently.
	Ended func(m *Measures)
}

// Results are the results of an experiment, in memory.
type Results struct {
	*Summary

	plan      *runner.Plan
	collector *report.Collector
}

// Run makes all runs of an experiment. A run that fails is in Failed of the results; the others go
// on. If the context is done first, the error is its cause, and the results are those of the runs
// that have ended. There is no other error, and the results are never nil.
func Run(ctx context.Context, e *Experiment, opt RunOptions) (*Results, error) {
	jobs := opt.Jobs
	if jobs < 1 {
		jobs = runtime.GOMAXPROCS(0)
	}
	plan := runner.NewPlan(e)
	c := report.NewCollector(plan)
	r := &Results{Summary: &c.Summary, plan: plan, collector: c}
	err := plan.Run(ctx, jobs, func(i int, m *Measures) {
		c.Add(i, m)
		if opt.Ended != nil {
			opt.Ended(m)
		}
	})
	c.Conclude()
	return r, err
}

// WriteText writes the comparison of the policies, as in summary.txt. It ignores errors of w.
func (r *Results) WriteText(w io.Writer) { report.WriteText(w, r.Summary) }

// WriteTable writes the content of table.csv. An error is one of w.
func (r *Results) WriteTable(w io.Writer) error { return report.WriteTable(w, r.Summary) }

// WriteJSON writes the content of summary.json. An error is one of w.
func (r *Results) WriteJSON(w io.Writer) error { return report.WriteJSON(w, r.Summary) }

// WriteFolder writes the files of the command, without plots, into a folder, which it makes if
// there is none. It returns the folder in which they are: "partial" below dir if the results are
// incomplete and dir has more complete ones. It replaces no files that lbsim has not written and no
// results of another experiment; these are errors.
func (r *Results) WriteFolder(dir string) (in string, err error) {
	w, err := report.NewWriter(dir, r.plan, false, func(string) bool { return false })
	if err != nil {
		return "", err
	}
	defer w.Close()
	for i, m := range r.collector.Ended() {
		w.Add(i, m)
	}
	w.Conclude()
	if _, err := w.Write(); err != nil {
		return "", err
	}
	return w.Publish(nil)
}
