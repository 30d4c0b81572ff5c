package experiments

import (
	"context"
	"time"
)

// findWarmups replaces warm-ups that are to be found. At each point it makes some runs of all
// policies without one and looks when their numbers of open RPCs have settled. The longest counts
// for all policies, so that all are measured over the same time.
func (p *Plan) findWarmups(ctx context.Context, jobs int) error {
	if !p.e.FindWarmup {
		return nil
	}
	pilot := &Plan{e: p.e, pilot: true}
	for number := range p.e.PointCount() {
		pilot.addBlock(number, 0, min(pilotSeeds, p.e.Seeds))
	}
	p.found = make([]found, p.e.PointCount())
	return pilot.round(ctx, jobs, 0, func(i int, m *Measures) {
		if m.Failure() != nil { // as the run itself will
			return
		}
		var open []float64
		for _, b := range m.series {
			open = append(open, b.Open)
		}
		cut, settled := mser(open)
		number, _, _ := pilot.place(i)
		f, bin := &p.found[number], max(1, p.e.Point(number).config.Duration/pilotSteps)
		f.warmup = max(f.warmup, time.Duration(cut)*bin)
		f.unsettled = f.unsettled || !settled
	})
}

// refine adds runs at the points where the figure of some policy is not yet known tightly enough,
// half as many again, the same seeds for all policies, and says whether there are any. What it adds
// depends on the results of whole rounds alone, so not on how many runs there are at a time.
func (p *Plan) refine(runs []*Measures) bool {
	before := p.Runs()
	of := make([][]*Measures, p.e.PointCount()*len(p.e.Policies)) // by point, then policy
	for i, m := range runs {
		if m.Failure() == nil {
			point, policy, _ := p.place(i)
			at := point*len(p.e.Policies) + policy
			of[at] = append(of[at], m)
		}
	}
	seeds := make([]int, p.e.PointCount())
	for _, b := range p.blocks {
		seeds[b.point] += b.seeds
	}
	for point, had := range seeds {
		p.refinePoint(point, had, of[point*len(p.e.Policies):][:len(p.e.Policies)])
	}
	return p.Runs() > before
}

// refinePoint adds runs at a point that has had so many seeds, and these runs of each policy.
func (p *Plan) refinePoint(point, had int, of [][]*Measures) {
	tight := true
	for _, runs := range of {
		met, hopeless := p.e.Precision.met(runs)
		if hopeless {
			return
		}
		tight = tight && met
	}
	until := min(p.e.MaxSeeds, had+max(1, had/2))
	if tight || until <= had {
		return
	}
	p.seeds = max(p.seeds, until)
	p.addBlock(point, had, until-had)
}
