package validation

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"lbsim/models"
	"lbsim/models/record"
	"lbsim/sim"
)

// Replications is how many runs with seeds of their own each experiment has.
const Replications = 32

// FamilyError is the chance that a simulator which is right fails any row of a suite.
const FamilyError = 0.01

// Suite is the experiments of the table, or of its quick part.
type Suite struct {
	Experiments []Experiment
	// Quick says that it is the quick part, in which each experiment has fewer RPCs.
	Quick  bool
	spread float64
}

// Experiment is a system of the table and what is known of it.
type Experiment struct {
	Family     string
	Parameters string
	// Label sets apart experiments with the same parameters, else it is "".
	Label string
	// Seed is the first of its seeds.
	Seed uint64
	// Events is how many events its runs had, RPCs how many RPCs they measured.
	Events, RPCs uint64
	Rows         []Row

	station station
}

// Row is a value that is known, and what the experiment says of it.
type Row struct {
	Metric string
	// Exact is the value, in units of the mean service time or without a unit; Known is how far it
	// may itself be off, with the confidence of the suite: 0 where it is exact.
	Exact, Known float64
	// Estimate is the mean over the replications, and Half half of its interval.
	Estimate, Half float64
	// Holds says whether the value lies in the interval.
	Holds bool

	values [Replications]float64
}

// New returns the suite, or its quick part, not run yet.
func New(quick bool) *Suite {
	s := &Suite{Quick: quick, spread: 0.02}
	if quick {
		s.spread = 0.03
	}
	build := make(map[string]func(params) []station)
	for _, f := range families {
		build[f.name] = f.build
	}
	all := table()
	for len(all) > 0 {
		system := all[0]
		other := func(e entry) bool {
			return e.family != system.family || e.parameters != system.parameters
		}
		n := slices.IndexFunc(all, other)
		if n < 0 {
			n = len(all)
		}
		if system.quick || !quick {
			s.add(all[:n], build[system.family](system.parameters))
		}
		all = all[n:]
	}
	return s
}

// add adds the experiments of a system.
func (s *Suite) add(entries []entry, stations []station) {
	var special []string // metrics with an experiment of their own
	for _, st := range stations {
		special = append(special, st.metric)
	}
	for _, st := range stations {
		e := Experiment{
			Family: entries[0].family, Parameters: string(entries[0].parameters), Label: st.label,
			station: st,
		}
		e.Seed = seedOf(e.Family + e.Parameters + e.Label)
		for _, x := range entries {
			if x.metric == st.metric || st.metric == "" && !slices.Contains(special, x.metric) {
				e.Rows = append(e.Rows, Row{Metric: x.metric, Exact: x.value, Known: x.half95})
			}
		}
		if len(e.Rows) > 0 {
			s.Experiments = append(s.Experiments, e)
		}
	}
}

// seedOf gives each experiment seeds of its own, so that none shares its luck with another and none
// changes with the table.
func seedOf(name string) uint64 {
	h := uint64(0)
	for i := range len(name) {
		h = sim.Mix(h, uint64(name[i]))
	}
	return 1 + h%1e7*100
}

// config is that of a replication, 0 to Replications-1.
func (s *Suite) config(e *Experiment, replication int) models.Config {
	c := e.station.config
	length := e.station.length(s.spread) / e.station.rpcs * float64(unit)
	c.Warmup = time.Duration(length / 10)
	c.Duration = c.Warmup + time.Duration(length)
	c.Bin = c.Duration
	c.Seed = e.Seed + uint64(replication)
	return c
}

// Run makes all runs, at most jobs at a time, and judges. What comes out does not depend on jobs.
// After each run it calls tick, once at a time.
func (s *Suite) Run(ctx context.Context, jobs int, tick func()) error {
	all := make([]*Experiment, len(s.Experiments))
	for i := range all {
		all[i] = &s.Experiments[i]
	}
	if err := s.simulate(ctx, jobs, all, tick); err != nil {
		return err
	}
	s.judge()
	return nil
}

// simulate makes the runs of some of the experiments.
func (s *Suite) simulate(ctx context.Context, jobs int, some []*Experiment, tick func()) error {
	type job struct {
		e           *Experiment
		replication int
	}
	var list []job
	for _, e := range some {
		for r := range Replications {
			list = append(list, job{e, r})
		}
	}
	slices.SortStableFunc(list, func(a, b job) int { // the longest first
		return cmp.Compare(b.e.station.length(s.spread), a.e.station.length(s.spread))
	})
	var mu sync.Mutex
	var all sync.WaitGroup
	next := 0
	for range jobs {
		all.Go(func() {
			for {
				mu.Lock()
				n := next
				next++
				mu.Unlock()
				if n >= len(list) {
					return
				}
				config := s.config(list[n].e, list[n].replication)
				run := simulate(ctx, &config)
				if run == nil {
					return
				}
				mu.Lock()
				list[n].e.take(list[n].replication, run)
				tick()
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return ctx.Err()
}

// simulate makes one run; nil if the context was done before.
func simulate(ctx context.Context, config *models.Config) *record.Run {
	const slice = 1 << 20 // events between two looks
	w := models.New(config)
	for !w.Run(slice) {
		if ctx.Err() != nil {
			return nil
		}
	}
	return w.Finish()
}

// take notes what a replication says.
func (e *Experiment) take(replication int, run *record.Run) {
	e.Events += run.Events
	e.RPCs += uint64(run.Succeeded.Count() + run.Failed.Count())
	for i := range e.Rows {
		e.Rows[i].values[replication] = measured(e.Rows[i].Metric, run)
	}
}
