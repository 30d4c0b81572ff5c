package report

import (
	"maps"
	"slices"

	"lbsim/experiments/analysis"
	"lbsim/experiments/config/findings"
	"lbsim/experiments/runner"
	"lbsim/internal/version"
)

// Collector collects the runs of a plan as they end, and computes their summary.
type Collector struct {
	Summary analysis.Summary

	plan *runner.Plan
	runs map[int]*analysis.Measures // by number: the runs that have ended
}

// NewCollector returns a collector without runs.
func NewCollector(plan *runner.Plan) *Collector {
	e := plan.Experiment
	c := &Collector{plan: plan, runs: map[int]*analysis.Measures{}}
	c.Summary = analysis.Summary{
		SchemaVersion: analysis.SchemaVersion, Version: version.String(),
		Name: e.Name, Question: e.Question, SweepKeys: append([]string{}, e.SweepKeys...),
		Policies: e.Policies, Seeds: plan.SeedList(), Baseline: e.Baseline,
		Target: e.Precision, FoundWarmup: e.FindWarmup,
		Runs: []*analysis.Measures{}, Failed: []analysis.FailedRun{},
	}
	if e.Precision != nil {
		c.Summary.Precision = e.Precision.Text
	}
	return c
}

// Add adds the run with number i.
func (c *Collector) Add(i int, m *analysis.Measures) { c.runs[i] = m }

// Ended returns the runs that have ended, by number. The map must not be changed.
func (c *Collector) Ended() map[int]*analysis.Measures { return c.runs }

// Conclude computes the summary from the runs that have ended. No run may be added after it.
func (c *Collector) Conclude() {
	s := &c.Summary
	for _, i := range slices.Sorted(maps.Keys(c.runs)) {
		if m := c.runs[i]; m.Failure() != nil {
			s.Failed = append(s.Failed, m.FailedRun())
		} else {
			s.Runs = append(s.Runs, m)
		}
	}
	s.Complete = len(c.runs) == c.plan.Runs()
	s.Seeds = c.plan.SeedList()
	s.Conclude()
	everywhere, somewhere := findings.Of(c.plan.Experiment, c.plan.Warmup)
	s.WarnFirst(slices.Concat(everywhere, somewhere))
}
