package command

import (
	"fmt"

	"lbsim/options"
	"lbsim/plots"
	"lbsim/policies"
)

// Kinds are further kinds beside those that lbsim ships, each under the name by which an experiment
// calls it; plots are drawn into files of that name. The value is the prototype: its fields hold
// the defaults of the options.
type Kinds struct {
	Policies map[string]policies.Policy
	Plots    map[string]plots.Kind
}

// withShipped returns the shipped kinds and k. A name in both is an error.
func (k Kinds) withShipped() (all Kinds, err error) {
	all.Policies, err = join(err, "policies", policies.Catalog, k.Policies)
	all.Plots, err = join(err, "plots", plots.Catalog, k.Plots)
	return all, err
}

// join returns a catalog with further kinds, and err or else an error of its own.
func join[T any](err error, family string, shipped, more options.Catalog[T]) (map[string]T, error) {
	all, clash := shipped.With(more)
	if err == nil && clash != nil {
		err = fmt.Errorf("%s: %w", family, clash)
	}
	return all, err
}
