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

// FamilyError is the chance that a correct simulator fails any row of a suite.
const FamilyError = 0.01

// baseSeed is what all seeds of the suite derive from: another one is another draw of everything.
const baseSeed = 20261201

// Suite is the experiments of the table, or of its quick part.
type Suite struct {
	Experiments []Experiment
	// LeftOut are the values of the table that are not compared.
	LeftOut []LeftOut
	// Quick says that it is the quick part.
	Quick bool
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
	length  float64         // RPCs of each replication, about
	ran     int             // replications
	all     *record.Latency // of those that ended OK in them
}

// LeftOut is a value that is not compared, and why.
type LeftOut struct {
	Experiment *Experiment // without rows
	Metric     string
	Exact      float64
	Why        string
}

// New returns the suite, or its quick part, not run yet.
func New(quick bool) *Suite {
	s := &Suite{Quick: quick}
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
		name := e
		for _, x := range entries {
			if x.metric != st.metric && (st.metric != "" || slices.Contains(special, x.metric)) {
				continue
			}
			rpcs, why := s.plan(&st, x)
			if why != "" {
				s.LeftOut = append(s.LeftOut, LeftOut{&name, x.metric, x.value, why})
				continue
			}
			e.length = max(e.length, rpcs/Replications)
			_, isCount := counts[x.metric]
			e.Rows = append(e.Rows, Row{
				Metric: x.metric, Exact: x.value, of: x, exact: isCount && st.apart,
			})
		}
		if len(e.Rows) > 0 {
			s.Experiments = append(s.Experiments, e)
		}
	}
}

// seedOf gives each experiment seeds of its own, so that none shares its luck with another and none
// changes with the table.
func seedOf(name string) uint64 {
	h := uint64(baseSeed)
	for i := range len(name) {
		h = sim.Mix(h, uint64(name[i]))
	}
	return 1 + h%1e7*100
}

// config is that of a replication, 0 to Replications-1.
func (s *Suite) config(e *Experiment, replication int) models.Config {
	c := e.station.config
	inTime := func(rpcs float64) time.Duration {
		return time.Duration(rpcs / e.station.rpcs * float64(unit))
	}
	c.Warmup = inTime(e.station.warmup(e.length))
	c.Duration = c.Warmup + inTime(e.length)
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
	return s.simulate(ctx, jobs, all, tick)
}

// simulate makes the runs of some of the experiments, and judges each when it has all of them.
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
		return cmp.Compare(b.e.length, a.e.length)
	})
	alpha := s.RowError()
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
				list[n].e.take(list[n].replication, run, alpha)
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

// take notes what a replication says, and judges after the last.
func (e *Experiment) take(replication int, run *record.Run, alpha float64) {
	e.Events += run.Events
	e.RPCs += ended(run)
	var quantiles []time.Duration
	for i := range e.Rows {
		r := &e.Rows[i]
		if count, ok := counts[r.Metric]; ok {
			hits, of := count(run)
			r.hits, r.trials = r.hits+hits, r.trials+of
			r.values[replication] = float64(hits) / float64(of)
		} else if quantileOf(r.Metric) > 0 {
			quantiles = append(quantiles, time.Duration(r.Exact*float64(unit)))
		} else {
			r.values[replication] = measured(r.Metric, run)
		}
	}
	shares := run.Succeeded.Shares(quantiles)
	for i := range e.Rows {
		if quantileOf(e.Rows[i].Metric) > 0 {
			e.Rows[i].values[replication], shares = shares[0], shares[1:]
		}
	}
	if e.all == nil {
		e.all = run.Succeeded
	} else {
		e.all.Merge(run.Succeeded)
	}
	if e.ran++; e.ran < Replications {
		return
	}
	for i := range e.Rows {
		e.Rows[i].judge(alpha, e.all)
	}
	e.all = nil
}
