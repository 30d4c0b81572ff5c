package runner

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"lbsim/experiments/analysis"
	"lbsim/experiments/config"
	"lbsim/experiments/config/cost"
	"lbsim/models"
	"lbsim/sim"
)

// slice is how many events a run handles before it looks whether it shall stop: some 10 ms' worth.
const slice = 1 << 17

// mostEventsAtOnce is how many events a run handles at one moment before it fails.
const mostEventsAtOnce = 100_000_000

// Run makes all runs, at most jobs at a time, fewer where they might not fit into memory, and hands
// each result to emit as it comes, with its number. Runs go seed by seed, so that those that have
// ended when the context is done, which stops all others, have the same seeds under all policies.
// Of a run that fails the measures say so; the others go on.
//
// Where there is a precision, it adds runs in rounds until that is reached.
func (p *Plan) Run(ctx context.Context, jobs int, emit func(i int, m *analysis.Measures)) error {
	if !p.Experiment.Force {
		jobs = p.Experiment.Estimate.Jobs(jobs)
	}
	if err := p.findWarmups(ctx, jobs); err != nil {
		return err
	}
	var runs []*analysis.Measures
	for from := 0; ; {
		runs = append(runs, make([]*analysis.Measures, p.Runs()-from)...)
		err := p.round(ctx, jobs, from, func(i int, m *analysis.Measures) {
			runs[i] = m
			emit(i, m)
		})
		from = p.Runs()
		if err != nil || p.Experiment.Precision == nil || !p.refine(runs) {
			return err
		}
	}
}

// round makes all runs from one on.
func (p *Plan) round(
	ctx context.Context, jobs, from int, emit func(i int, m *analysis.Measures),
) error {
	order := p.schedule(from)
	type ended struct {
		i int
		m *analysis.Measures
	}
	results := make(chan ended)
	t := newTogether(p.Moved, mostHeldTogether)
	var next atomic.Int64
	var all sync.WaitGroup
	for range max(1, min(jobs, len(order))) {
		all.Go(func() {
			for n := next.Add(1); n <= int64(len(order)) && ctx.Err() == nil; n = next.Add(1) {
				i := order[n-1]
				if m := p.Variant(i).run(ctx, t); m != nil {
					results <- ended{i, m}
				}
			}
		})
	}
	go func() {
		all.Wait()
		close(results)
	}()
	missing := len(order)
	for r := range results {
		emit(r.i, r.m)
		missing--
	}
	if missing > 0 {
		return context.Cause(ctx)
	}
	return nil
}

// SimulatedSeconds is how much time all runs simulate.
func (p *Plan) SimulatedSeconds() (sum float64) {
	for _, b := range p.blocks {
		one := p.Experiment.Point(b.point).Config.Duration.Seconds()
		sum += float64(one * float64(b.seeds*len(p.Experiment.Policies)))
	}
	return sum
}

// run makes one run beside others. What makes it fail the measures say. They are nil if it was
// stopped.
func (v *Variant) run(ctx context.Context, t *together) (m *analysis.Measures) {
	defer func() {
		if what := recover(); what != nil {
			m = v.failed(&bug{what: what, stack: panicked()})
		}
	}()
	m, err := v.runAlone(ctx, t)
	switch {
	case err == nil:
		return m
	case ctx.Err() != nil:
		return nil
	}
	return v.failed(err)
}

// failed are the measures of a run that has none.
func (v *Variant) failed(why error) *analysis.Measures {
	var stack []string
	if b, ok := why.(*bug); ok {
		stack = b.stack
	}
	return analysis.FailedMeasures(v.Policy, v.Seed, v.PointValues(), why, stack)
}

// runAlone makes one run, in surroundings of its own if its policy needs them.
func (v *Variant) runAlone(ctx context.Context, t *together) (m *analysis.Measures, err error) {
	c := config.CompanionOf(&v.Config)
	if c == nil {
		return v.runWorld(ctx, models.New(&v.Config), t)
	}
	t = newTogether(t.moved, math.MaxInt) // for in such surroundings it cannot wait for others
	broken := c.Accompany(func(clock sim.Follower) {
		w := models.New(&v.Config)
		w.Follow(clock)
		m, err = v.runWorld(ctx, w, t)
	})
	if err == nil {
		err = broken
	}
	return m, err
}

// runWorld runs a world that is set up.
func (v *Variant) runWorld(
	ctx context.Context, w *models.World, t *together,
) (*analysis.Measures, error) {
	g := guard{w: w, beside: t}
	t.begin(&g)
	defer t.end(&g)
	for over := false; !over; {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var err error
		if over, err = g.run(); err != nil {
			return nil, err
		}
	}
	return v.RunInfo().Measure(w.Finish()), nil
}

// guard sees to it that a run comes to an end.
type guard struct {
	w      *models.World
	beside *together // the other runs; nil for none
	at     sim.Time
	still  int // slices in which time has not moved on from there
	held   int // records of RPCs
}

// run goes on for a slice and says whether the run is over.
func (g *guard) run() (over bool, err error) {
	over = g.w.Run(slice)
	p := g.w.Progress()
	if p.Now != g.at {
		if g.beside != nil && g.beside.moved != nil {
			g.beside.moved(time.Duration(p.Now - g.at))
		}
		g.at, g.still = p.Now, 0
	}
	if over {
		return true, nil
	}
	if g.still++; g.still > mostEventsAtOnce/slice {
		return false, fmt.Errorf("time stands still at %v, after %d events there: does the "+
			"policy do something again and again without waiting?", g.at, mostEventsAtOnce)
	}
	if p.Held > cost.MaxHeldRPCs {
		return false, fmt.Errorf("%d RPCs are open at %v: the load is more than the backends can "+
			"serve; bound their queue or shorten the run", p.Held, g.at)
	}
	if g.beside != nil {
		g.beside.hold(g, p.Held)
	}
	return false, nil
}
