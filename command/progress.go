package command

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"lbsim/experiments"
	"lbsim/experiments/report"
	"lbsim/experiments/runner"
)

// runAll makes the runs, with a progress bar if somebody can see it.
func (a *app) runAll(
	ctx context.Context, p *runner.Plan, r *report.Writer, f *runFlags,
) error {
	bar := a.progress(p.Runs(), r.Summary.Name, "runs", f.quiet)
	if a.terminal && !f.quiet {
		of := secondsText(p.SimulatedSeconds())
		reached := simulated{show: func(at string) {
			bar.Describe(fmt.Sprintf("%s (%s of %s s simulated)", r.Summary.Name, at, of))
		}}
		p.OnProgress = reached.add
	}
	err := p.Run(ctx, f.jobs, func(i int, m *experiments.Measures) {
		r.Add(i, m)
		bar.Add()
	})
	bar.Finish()
	return err
}

// simulated adds up the simulated time of all runs and shows it now and then: the bar itself moves
// only when a run ends.
type simulated struct {
	show func(text string)

	mu      sync.Mutex // guards what follows; runs are concurrent
	seconds float64    // simulated time of all runs so far
	shown   time.Time  // when it was last shown, in real time
}

// add counts simulated time of a run. Runs call it at the same time.
func (s *simulated) add(by time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seconds += by.Seconds()
	if now := time.Now(); now.Sub(s.shown) > 200*time.Millisecond {
		s.shown = now
		s.show(secondsText(s.seconds))
	}
}

// secondsText writes seconds with as many digits as are needed to see them move.
func secondsText(s float64) string {
	digits := 0
	if s < 1 {
		digits = 6
	} else if s < 1000 {
		digits = 1
	}
	return strconv.FormatFloat(s, 'f', digits, 64)
}

// progress returns a bar for a number of things; nil unless stderr is a terminal.
func (a *app) progress(many int, of, things string, quiet bool) *bar {
	if !a.terminal || quiet {
		return nil
	}
	return newBar(a.stderr, of, things, many)
}
