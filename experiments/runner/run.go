// Package runner makes the runs of an experiment: which there are, in what order they go, how they
// share the machine, and how each comes to an end.
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

// sliceEvents is how many events a run handles between two looks at its context: some 10 ms.
const sliceEvents = 1 << 17

// maxEventsAtOnce is how many events a run may have at one moment before it fails.
const maxEventsAtOnce = 100_000_000

// Run makes all runs, at most jobs concurrently, and fewer if they might not fit into memory. It
// calls emit with the number and the measures of each run as it ends, never concurrently. Runs go
// seed by seed, so that the runs that have ended when the context is done have the same seeds under
// all policies. The measures of a run that fails hold the failure; the other runs go on.
//
// With a precision, Run adds runs in rounds until the precision is reached.
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
			alone := *m
			alone.Series = nil // a sweep can have very many runs
			runs[i] = &alone
			emit(i, m)
		})
		from = p.Runs()
		if err != nil || p.Experiment.Precision == nil || !p.refine(runs) {
			return err
		}
	}
}

// round makes the runs from number from on.
func (p *Plan) round(
	ctx context.Context, jobs, from int, emit func(i int, m *analysis.Measures),
) error {
	order := p.schedule(from)
	type ended struct {
		i int
		m *analysis.Measures
	}
	results := make(chan ended)
	shared := newConcurrent(p.OnProgress, maxRecords)
	var next atomic.Int64
	var all sync.WaitGroup
	for range max(1, min(jobs, len(order))) {
		all.Go(func() {
			for n := next.Add(1); n <= int64(len(order)) && ctx.Err() == nil; n = next.Add(1) {
				i := order[n-1]
				if m := p.Variant(i).run(ctx, shared); m != nil {
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

// SimulatedSeconds returns the simulated time of all runs.
func (p *Plan) SimulatedSeconds() (sum float64) {
	for _, b := range p.blocks {
		one := p.Experiment.Point(b.point).Config.Duration.Seconds()
		sum += float64(one * float64(b.seeds*len(p.Experiment.Policies)))
	}
	return sum
}

// run makes one run. If it fails the measures hold the failure. They are nil if the context stopped
// it.
func (v *Variant) run(ctx context.Context, shared *concurrent) (m *analysis.Measures) {
	defer func() {
		if what := recover(); what != nil {
			m = v.failed(&bug{what: what, stack: panicStack()})
		}
	}()
	m, err := v.runAlone(ctx, shared)
	switch {
	case err == nil:
		return m
	case ctx.Err() != nil:
		return nil
	}
	return v.failed(err)
}

// failed returns the measures of a run that failed.
func (v *Variant) failed(why error) *analysis.Measures {
	var stack []string
	if b, ok := why.(*bug); ok {
		stack = b.stack
	}
	return analysis.FailedMeasures(v.Policy, v.Seed, v.PointValues(), why, stack)
}

// runAlone makes one run, within the companion of its policy if it has one.
func (v *Variant) runAlone(
	ctx context.Context, shared *concurrent,
) (m *analysis.Measures, err error) {
	c := config.CompanionOf(&v.Config)
	if c == nil {
		return v.runWorld(ctx, models.New(&v.Config), shared)
	}
	// Within a companion a run cannot wait for others.
	shared = newConcurrent(shared.onProgress, math.MaxInt)
	broken := c.Accompany(func(clock sim.Follower) {
		w := models.New(&v.Config)
		w.Follow(clock)
		m, err = v.runWorld(ctx, w, shared)
	})
	if err == nil {
		err = broken
	}
	return m, err
}

// runWorld runs a world to its end and measures it.
func (v *Variant) runWorld(
	ctx context.Context, w *models.World, shared *concurrent,
) (*analysis.Measures, error) {
	g := guard{w: w, others: shared}
	shared.begin(&g)
	defer shared.end(&g)
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

// guard stops a run that would not end or would take too much memory.
type guard struct {
	w           *models.World
	others      *concurrent // nil if the run shares no memory limit
	at          sim.Time    // simulated time at the end of the latest slice
	stillSlices int         // slices since time last advanced
	records     int         // records of RPCs at the end of the latest slice
}

// run runs a slice and reports whether the run is over.
func (g *guard) run() (over bool, err error) {
	over = g.w.Run(sliceEvents)
	p := g.w.Progress()
	if p.Now != g.at {
		if g.others != nil && g.others.onProgress != nil {
			g.others.onProgress(time.Duration(p.Now - g.at))
		}
		g.at, g.stillSlices = p.Now, 0
	}
	if over {
		return true, nil
	}
	if g.stillSlices++; g.stillSlices > maxEventsAtOnce/sliceEvents {
		return false, fmt.Errorf("time stands still at %v, after %d events there: does the "+
			"policy do something again and again without waiting?", g.at, maxEventsAtOnce)
	}
	if p.Held > cost.MaxHeldRPCs {
		return false, fmt.Errorf("%d RPCs are open at %v: the load is more than the backends can "+
			"serve; bound their queue or shorten the run", p.Held, g.at)
	}
	if g.others != nil {
		g.others.hold(g, p.Held)
	}
	return false, nil
}
