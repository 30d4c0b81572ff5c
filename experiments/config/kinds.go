package config

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/failures"
	"lbsim/models/resolvers"
	"lbsim/options"
	"lbsim/policies"
)

// Kinds are what an experiment may name as a kind, by name. A value of an interface type is a
// prototype: a struct whose fields hold the defaults of the options.
type Kinds struct {
	Policies      options.Catalog[policies.Policy]
	Failures      options.Catalog[models.Failure]
	Resolvers     options.Catalog[models.Resolver]
	Distributions options.Catalog[dist.Kind]

	further options.Catalog[policies.Policy] // those of Policies that do not ship with lbsim
}

// WithShipped returns the kinds that ship with lbsim, and further ones. A name that is in both is
// an error.
func (k Kinds) WithShipped() (all Kinds, err error) {
	var errs [4]error
	all.Policies, errs[0] = join("policies", policies.Catalog, k.Policies)
	all.Failures, errs[1] = join("failures", failures.Catalog, k.Failures)
	all.Resolvers, errs[2] = join("resolvers", resolvers.Catalog, k.Resolvers)
	all.Distributions, errs[3] = dist.With(dist.Catalog, k.Distributions)
	if errs[3] != nil {
		errs[3] = fmt.Errorf("distributions: %w", errs[3])
	}
	all.further = k.Policies
	return all, cmp.Or(errs[:]...)
}

// inServiceConfig returns the policy that a service config names. Package serviceconfig asks for a
// policy that ships with grpc-go by the name of the kind here, and for another one by "grpc:" and
// the name in the config. That is a balancer of grpc-go, or a further kind of that name: in a real
// program it would be registered with grpc-go.
func (k Kinds) inServiceConfig(kind string) (policies.Policy, bool) {
	if p, is := k.Policies[kind]; is {
		return p, true
	}
	p, is := k.further[strings.TrimPrefix(kind, "grpc:")]
	return p, is
}

// join returns a catalog and further kinds, whose prototypes must be structs.
func join[T any](family string, shipped, more options.Catalog[T]) (options.Catalog[T], error) {
	for _, name := range more.Names() {
		if t := reflect.TypeOf(more[name]); t == nil || t.Kind() != reflect.Struct {
			return nil, fmt.Errorf("%s: kind %q must be a struct (is %v)", family, name, t)
		}
	}
	all, err := shipped.With(more)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", family, err)
	}
	return all, nil
}
