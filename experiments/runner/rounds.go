package runner

import (
	"context"
	"time"

	"lbsim/experiments/analysis"
	"lbsim/experiments/analysis/stats"
	"lbsim/experiments/config"
)

// findWarmups finds the warm-ups of an experiment with warmup = "auto". At each point it makes some
// runs of all policies without a warm-up and applies MSER-5 to their numbers of open RPCs. The
// longest warm-up counts for all policies, so that all are measured over the same time.
func (p *Plan) findWarmups(ctx context.Context, jobs int) error {
	if !p.Experiment.FindWarmup {
		return nil
	}
	pilot := &Plan{Experiment: p.Experiment, pilot: true}
	for number := range p.Experiment.PointCount() {
		pilot.addBlock(number, 0, min(config.PilotSeeds, p.Experiment.Seeds))
	}
	p.found = make([]foundWarmup, p.Experiment.PointCount())
	return pilot.round(ctx, jobs, 0, func(i int, m *analysis.Measures) {
		if m.Failure() != nil { // the run itself will fail too
			return
		}
		var open []float64
		for _, b := range m.Series {
			open = append(open, b.Open)
		}
		cut, settled := stats.MSER(open)
		number, _, _ := pilot.Place(i)
		f, bin := &p.found[number], max(1, p.Experiment.Point(number).Config.Duration/pilotSteps)
		f.warmup = max(f.warmup, time.Duration(cut)*bin)
		f.unsettled = f.unsettled || !settled
	})
}

// refine adds runs at the points where the interval of some policy is still too wide: half as many
// again, with the same seeds for all policies. It reports whether it added any. They depend only on
// the results of whole rounds, so not on the number of concurrent runs.
func (p *Plan) refine(runs []*analysis.Measures) bool {
	before := p.Runs()
	of := make([][]*analysis.Measures,
		p.Experiment.PointCount()*len(p.Experiment.Policies)) // by point, then policy
	for i, m := range runs {
		if m.Failure() == nil {
			point, policy, _ := p.Place(i)
			at := point*len(p.Experiment.Policies) + policy
			of[at] = append(of[at], m)
		}
	}
	seeds := make([]int, p.Experiment.PointCount())
	for _, b := range p.blocks {
		seeds[b.point] += b.seeds
	}
	for point, had := range seeds {
		p.refinePoint(point, had,
			of[point*len(p.Experiment.Policies):][:len(p.Experiment.Policies)])
	}
	return p.Runs() > before
}

// refinePoint adds runs at a point with had seeds so far; of has the runs by policy.
func (p *Plan) refinePoint(point, had int, of [][]*analysis.Measures) {
	tight := true
	for _, runs := range of {
		met, hopeless := p.Experiment.Precision.Met(runs)
		if hopeless {
			return
		}
		tight = tight && met
	}
	until := min(p.Experiment.MaxSeeds, had+max(1, had/2))
	if tight || until <= had {
		return
	}
	p.seeds = max(p.seeds, until)
	p.addBlock(point, had, until-had)
}
