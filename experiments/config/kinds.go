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

// Kinds are the kinds that an experiment may use, by name. A value of an interface type is a
// prototype: a struct whose fields hold the defaults of the options.
type Kinds struct {
	Policies      options.Catalog[policies.Policy]
	Failures      options.Catalog[models.Failure]
	Resolvers     options.Catalog[models.Resolver]
	Distributions options.Catalog[dist.Kind]

	further options.Catalog[policies.Policy] // those of Policies that do not ship with lbsim
}

// WithShipped returns the kinds that ship with lbsim and those of k. A name in both is an error.
func (k Kinds) WithShipped() (all Kinds, err error) {
	var errs [4]error
	all.Policies, errs[0] = withFurther("policies", policies.Catalog, k.Policies)
	if _, has := k.Policies[ServiceConfigKind]; has { // which is in no catalog
		errs[0] = fmt.Errorf("policies: there is a kind %q already", ServiceConfigKind)
	}
	all.Failures, errs[1] = withFurther("failures", failures.Catalog, k.Failures)
	all.Resolvers, errs[2] = withFurther("resolvers", resolvers.Catalog, k.Resolvers)
	all.Distributions, errs[3] = dist.With(dist.Catalog, k.Distributions)
	if errs[3] != nil {
		errs[3] = fmt.Errorf("distributions: %w", errs[3])
	}
	all.further = k.Policies
	return all, cmp.Or(errs[:]...)
}

// inServiceConfig returns the policy that a service config names. Package serviceconfig asks for a
// policy that ships with grpc-go by its kind in lbsim, and for others by "grpc:" and the name in
// the config. The latter is a balancer of grpc-go or a further kind of that name, which a real
// program would register with grpc-go.
func (k Kinds) inServiceConfig(kind string) (policies.Policy, bool) {
	if p, is := k.Policies[kind]; is {
		return p, true
	}
	p, is := k.further[strings.TrimPrefix(kind, "grpc:")]
	return p, is
}

// withFurther returns a catalog with further kinds, whose prototypes must be structs.
func withFurther[T any](
	family string, shipped, more options.Catalog[T],
) (options.Catalog[T], error) {
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
