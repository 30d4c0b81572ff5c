package runner

import (
	"lbsim/experiments/analysis"
	"lbsim/experiments/config"
	"lbsim/models"
)

// Variant is one run to be made: a policy at a point of the sweep with a seed.
type Variant struct {
	Policy string
	Seed   uint64
	// Point holds the value of each swept key, as in the file.
	Point []string

	keys      []string // the swept keys, as Point
	point     *config.Point
	Config    models.Config
	unsettled bool // no warm-up was found because the run is too short
}

// NewVariant returns the run of a policy at a point with a seed. Its config has no policy if the
// point has none of that name.
func NewVariant(e *config.Experiment, number int, policy string, seed uint64) *Variant {
	p := e.Point(number)
	v := &Variant{
		Policy: policy, Seed: seed, Point: e.PointTexts(number), keys: e.SweepKeys,
		point: p, Config: p.Config,
	}
	for _, pol := range p.Policies {
		if pol.Name == policy {
			v.Config.Policy = pol.Value
		}
	}
	v.Config.Seed = seed
	return v
}

// PointValues returns the value of each swept key.
func (v *Variant) PointValues() map[string]string {
	values := make(map[string]string)
	for i, key := range v.keys {
		values[key] = v.Point[i]
	}
	return values
}

// RunInfo returns what analysis needs to know of the run.
func (v *Variant) RunInfo() *analysis.RunInfo {
	r := &analysis.RunInfo{
		Policy: v.Policy, Seed: v.Seed, Point: v.PointValues(), Config: &v.Config,
		ConfigByName: v.point.ConfigByName(), Unsettled: v.unsettled,
	}
	for i := range v.point.Failures {
		r.Failures = append(r.Failures, v.point.Failures[i].Name)
	}
	if c := config.CompanionOf(&v.Config); c != nil {
		r.Unrepeatable = c.Warning()
	}
	return r
}
