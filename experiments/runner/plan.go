package runner

import (
	"cmp"
	"slices"
	"time"

	"lbsim/experiments/config"
)

// Plan is the list of runs of an experiment: all policies at each point of the sweep, each with the
// same seeds. Running an experiment with a precision adds runs, and one with warmup = "auto" finds
// warm-ups; the plan holds both, and the experiment does not change.
type Plan struct {
	// OnProgress, if not nil, is called with the simulated time that a run has advanced since the
	// last call. Concurrent runs call it concurrently.
	OnProgress func(by time.Duration)

	Experiment *config.Experiment
	seeds      int           // seeds so far; with a precision it grows round by round
	blocks     []block       // in the order of run numbers, without gaps
	found      []foundWarmup // by point: the warm-up; empty if the file gives it
	pilot      bool          // the runs serve to find warm-ups
}

// NewPlan returns the plan of an experiment; with a precision, that of the first round.
func NewPlan(e *config.Experiment) *Plan {
	p := &Plan{Experiment: e, seeds: e.Seeds}
	for number := range e.PointCount() {
		p.addBlock(number, 0, e.Seeds)
	}
	return p
}

// SeedList returns the seeds of the runs so far.
func (p *Plan) SeedList() []uint64 { return config.SeedRange(p.Experiment.FirstSeed, p.seeds) }

// Warmup returns the warm-up of the runs at a point: the one of the file or, once [Plan.Run] has
// found it, that.
func (p *Plan) Warmup(point int) time.Duration {
	if point < len(p.found) {
		return p.found[point].warmup
	}
	return p.Experiment.Point(point).Config.Warmup
}

// block is a group of runs with successive numbers: all policies at one point of the sweep, each
// with the same seeds.
type block struct {
	first     int // number of its first run
	point     int // number of the point
	firstSeed int // index of the first seed among those of the experiment
	seeds     int // number of seeds
}

// addBlock adds runs at a point.
func (p *Plan) addBlock(point, seed, seeds int) {
	p.blocks = append(p.blocks, block{p.Runs(), point, seed, seeds})
}

// Runs returns the number of runs so far. With a precision it grows round by round.
func (p *Plan) Runs() int {
	if len(p.blocks) == 0 {
		return 0
	}
	last := p.blocks[len(p.blocks)-1]
	return last.first + last.seeds*len(p.Experiment.Policies)
}

// Place returns the indices of the point, the policy and the seed of run i.
func (p *Plan) Place(i int) (point, policy, seed int) {
	at, found := slices.BinarySearchFunc(p.blocks, i,
		func(b block, i int) int { return cmp.Compare(b.first, i) })
	if !found {
		at--
	}
	b := p.blocks[at]
	return b.point, (i - b.first) / b.seeds, b.firstSeed + (i-b.first)%b.seeds
}

// Variant returns run i. Runs are numbered from 0, by round, point of the sweep, policy and seed.
func (p *Plan) Variant(i int) *Variant {
	number, policy, seed := p.Place(i)
	v := NewVariant(p.Experiment, number, p.Experiment.Policies[policy],
		p.Experiment.FirstSeed+uint64(seed))
	if number < len(p.found) {
		v.Config.Warmup, v.unsettled = p.found[number].warmup, p.found[number].unsettled
	}
	if p.pilot {
		v.Config.Bin = max(1, v.Config.Duration/pilotSteps)
	}
	return v
}

// pilotSteps is the number of bins of a run that serves to find a warm-up.
const pilotSteps = 1000

// foundWarmup is the warm-up that was found for the runs at a point.
type foundWarmup struct {
	warmup    time.Duration
	unsettled bool // the runs are too short to find one
}
