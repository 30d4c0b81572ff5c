package experiments

import (
	"lbsim/models"
)

// Variant is one run.
type Variant struct {
	Policy string
	Seed   uint64
	// Point holds the value of each swept key, as in the file.
	Point []string

	keys      []string // the swept keys
	point     *point
	config    models.Config
	unsettled bool // no warm-up could be found: the run is too short
}

// newVariant makes the run of a policy at a point with a seed; with no policy in its config where
// the point has none of that name.
func newVariant(e *Experiment, number int, policy string, seed uint64) *Variant {
	p := e.Point(number)
	v := &Variant{
		Policy: policy, Seed: seed, Point: e.PointTexts(number), keys: e.SweepKeys,
		point: p, config: p.config,
	}
	for _, pol := range p.policies {
		if pol.Name == policy {
			v.config.Policy = pol.Value
		}
	}
	v.config.Seed = seed
	return v
}

// values returns the value of each swept key.
func (v *Variant) values() map[string]string {
	values := make(map[string]string)
	for i, key := range v.keys {
		values[key] = v.Point[i]
	}
	return values
}

// info is what the measures of the run are drawn up from.
func (v *Variant) info() *runInfo {
	r := &runInfo{
		policy: v.Policy, seed: v.Seed, point: v.values(), config: &v.config,
		configByName: v.point.fromNames(), unsettled: v.unsettled,
	}
	for i := range v.point.failures {
		r.failures = append(r.failures, v.point.failures[i].Name)
	}
	if c := companionOf(&v.config); c != nil {
		r.unrepeatable = c.Warning()
	}
	return r
}
