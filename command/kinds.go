package command

import (
	"fmt"

	"lbsim/experiments"
	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/plots"
	"lbsim/policies"
)

// Kinds are further kinds beside those that ship with lbsim, each under the name by which an
// experiment calls it; plots are drawn into files of that name. A policy, failure or resolver is a
// prototype: a struct whose fields hold the defaults of the options.
type Kinds struct {
	Policies      map[string]policies.Policy
	Failures      map[string]models.Failure
	Resolvers     map[string]models.Resolver
	Distributions map[string]dist.Kind
	Plots         map[string]plots.Kind
}

// forExperiments returns the kinds that an experiment may name.
func (k Kinds) forExperiments() experiments.Kinds {
	return experiments.Kinds{
		Policies: k.Policies, Failures: k.Failures, Resolvers: k.Resolvers,
		Distributions: k.Distributions,
	}
}

// withShipped returns the kinds that ship with lbsim, and k. A name in both is an error.
func (k Kinds) withShipped() (Kinds, error) {
	of, err := k.forExperiments().WithShipped()
	if err != nil {
		return Kinds{}, err
	}
	drawn, err := plots.With(plots.Catalog, k.Plots)
	if err != nil {
		return Kinds{}, fmt.Errorf("plots: %w", err)
	}
	return Kinds{of.Policies, of.Failures, of.Resolvers, of.Distributions, drawn}, nil
}
