package runner

import (
	"cmp"
	"slices"
	"time"

	"lbsim/experiments/config"
)

// Plan is the runs of an experiment: those of all policies at each point of the sweep, each with
// the same seeds. Where the experiment has a precision, or is to find its warm-ups, running it adds
// to the plan; the experiment stays as it is.
type Plan struct {
	// Moved, if not nil, is called with how much simulated time a run has got through since the
	// last call. Runs that go on at a time call it at a time.
	Moved func(by time.Duration)

	Experiment *config.Experiment
	seeds      int // how many there are; where there is a precision, it grows round by round
	blocks     []block
	found      []found // the warm-up at each point; none where the file says it
	pilot      bool    // the runs are those that a warm-up is found from
}

// NewPlan returns the runs of an experiment, of the first round where it has a precision.
func NewPlan(e *config.Experiment) *Plan {
	p := &Plan{Experiment: e, seeds: e.Seeds}
	for number := range e.PointCount() {
		p.addBlock(number, 0, e.Seeds)
	}
	return p
}

// SeedList returns the seeds that runs have, so far.
func (p *Plan) SeedList() []uint64 { return config.SeedRange(p.Experiment.FirstSeed, p.seeds) }

// Warmup returns how long runs at a point are not measured: what the file says or, after they have
// begun, what was found.
func (p *Plan) Warmup(point int) time.Duration {
	if point < len(p.found) {
		return p.found[point].warmup
	}
	return p.Experiment.Point(point).Config.Warmup
}

// block is a number of runs that follow each other: those of all policies at one point of the
// sweep, each with the same seeds.
type block struct {
	first       int // the number of its first run
	point       int
	seed, seeds int // the place of the first seed among the experiment's, and how many there are
}

// addBlock adds runs at a point.
func (p *Plan) addBlock(point, seed, seeds int) {
	p.blocks = append(p.blocks, block{p.Runs(), point, seed, seeds})
}

// Runs is how many runs there are. Where there is a precision, it grows round by round.
func (p *Plan) Runs() int {
	if len(p.blocks) == 0 {
		return 0
	}
	last := p.blocks[len(p.blocks)-1]
	return last.first + last.seeds*len(p.Experiment.Policies)
}

// Place says which run number i is: the places of its point, its policy and its seed.
func (p *Plan) Place(i int) (point, policy, seed int) {
	at, found := slices.BinarySearchFunc(p.blocks, i,
		func(b block, i int) int { return cmp.Compare(b.first, i) })
	if !found {
		at--
	}
	b := p.blocks[at]
	return b.point, (i - b.first) / b.seeds, b.seed + (i-b.first)%b.seeds
}

// Variant makes run number i, from 0 on: by round, then point of the sweep, policy and seed.
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

// pilotSteps is how many steps a series has that a warm-up is found in.
const pilotSteps = 1000

// found is the warm-up that was found for the runs at a point.
type found struct {
	warmup    time.Duration
	unsettled bool // the run is too short to find one
}
