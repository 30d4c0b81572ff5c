package experiments

import (
	"context"
	"fmt"
	"sync"

	"lbsim/models"
	"lbsim/policies"
	"lbsim/sim"
)

// slice is how many events a run handles before it looks whether it shall stop: some 10 ms' worth.
const slice = 1 << 17

// Limits that end a run which would not end, or not on this machine.
const (
	mostEventsAtOnce = 100_000_000 // events at one moment
	mostHeld         = 40_000_000  // RPCs
)

// Run makes all runs, at most jobs at a time, and hands each result to emit, in the order of their
// numbers, whatever the order in which they end. It stops early when the context is done, and at
// the first run that fails, of which it returns the error.
//
// Where there is a precision, it adds variants in rounds until that is reached.
func (e *Experiment) Run(ctx context.Context, jobs int, emit func(i int, m *Measures)) error {
	if err := e.findWarmups(ctx, jobs); err != nil {
		return err
	}
	var runs []*Measures
	for from := 0; ; {
		err := e.round(ctx, jobs, from, func(i int, m *Measures) {
			runs = append(runs, m)
			emit(i, m)
		})
		from = e.Runs()
		if err != nil || e.precision == nil || !e.refine(runs) {
			return err
		}
	}
}

// round makes all runs from one on.
func (e *Experiment) round(
	ctx context.Context, jobs, from int, emit func(i int, m *Measures),
) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mu sync.Mutex
	order, next, emitted := e.longestFirst(from), 0, from
	done := make([]*Measures, e.Runs())
	work := func() {
		for {
			mu.Lock()
			n := next
			next++
			mu.Unlock()
			if n >= len(order) || ctx.Err() != nil {
				return
			}
			i := order[n]
			m, err := e.Variant(i).run(ctx)
			if err != nil {
				stop(err)
				return
			}
			mu.Lock()
			if e.Ended != nil {
				e.Ended()
			}
			for done[i] = m; emitted < len(done) && done[emitted] != nil; emitted++ {
				emit(emitted, done[emitted])
				done[emitted] = nil
			}
			mu.Unlock()
		}
	}
	var all sync.WaitGroup
	for range max(1, min(jobs, len(order))) {
		all.Go(work)
	}
	all.Wait()
	for i := emitted; i < len(done); i++ { // finished ones behind one that was stopped
		if done[i] != nil {
			emit(i, done[i])
		}
	}
	return context.Cause(ctx)
}

// Companion is a policy with a clock and surroundings of its own, in which each run with it has to
// take place.
type Companion interface {
	policies.Policy
	// Accompany makes the surroundings of one run and calls run in them, with the policy for it and
	// with what is to be told before the time of the run moves on. An error says that the policy,
	// or what it has left behind, broke the run.
	Accompany(run func(p policies.Policy, follow func(to sim.Time) bool)) error
	// Warning says what such runs are worth, for those who read their results.
	Warning() string
}

// run makes one run. That of a companion may fail alone, which the measures say.
func (v *Variant) run(ctx context.Context) (m *Measures, err error) {
	c, ok := v.config.Policy.(Companion)
	if !ok {
		return v.runWorld(ctx, models.New(&v.config))
	}
	broken := c.Accompany(func(p policies.Policy, follow func(to sim.Time) bool) {
		config := v.config
		config.Policy = p
		w := models.New(&config)
		w.Follow(follow)
		m, err = v.runWorld(ctx, w)
	})
	if broken != nil && err == nil {
		m = &Measures{Policy: v.Policy, Seed: v.Seed, Point: v.values(), failure: broken}
	}
	return m, err
}

// runWorld runs a world that is set up.
func (v *Variant) runWorld(ctx context.Context, w *models.World) (*Measures, error) {
	g := guard{v: v, w: w}
	for over := false; !over; {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var err error
		if over, err = g.run(); err != nil {
			return nil, err
		}
	}
	return v.measure(w.Finish()), nil
}

// guard sees to it that a run comes to an end.
type guard struct {
	v     *Variant
	w     *models.World
	at    sim.Time
	still int // slices in which time has not moved on from there
}

// run goes on for a slice and says whether the run is over.
func (g *guard) run() (over bool, err error) {
	if g.w.Run(slice) {
		return true, nil
	}
	p := g.w.Progress()
	if p.Now != g.at {
		g.at, g.still = p.Now, 0
	}
	if g.still++; g.still > mostEventsAtOnce/slice {
		return false, fmt.Errorf("policy %s, seed %d: time stands still at %v, after %d events "+
			"there: do callers without think time meet RPCs that take no time, for want of "+
			"delay and work or because they fail at once?",
			g.v.Policy, g.v.Seed, g.at, mostEventsAtOnce)
	}
	if p.Held > mostHeld {
		return false, fmt.Errorf("policy %s, seed %d: %d RPCs are open at %v: the load is more "+
			"than the backends can serve; bound their queue or shorten the run",
			g.v.Policy, g.v.Seed, p.Held, g.at)
	}
	return false, nil
}
