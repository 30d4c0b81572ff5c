package findings

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"lbsim/experiments/config"
	"lbsim/models"
	"lbsim/models/failures"
	"lbsim/models/resolvers"
	"lbsim/options"
	"lbsim/policies"
)

// noEffects returns what has no effect at a point.
func (f *finder) noEffects(warmup time.Duration) []string {
	all := f.lateMoments("resolver", f.Resolver.Value)
	for _, option := range resolvers.Unused(f.Config.Resolver) {
		all = append(all, fmt.Sprintf("resolver.%s has no effect beside the other options", option))
	}
	for _, failure := range f.Failures {
		all = append(all, f.outside(failure, warmup)...)
		all = append(all, f.unasked(failure)...)
		all = append(all, f.unlisted(failure)...)
	}
	for _, pol := range f.Policies {
		config.WalkPolicies(pol.Value, func(inner policies.Policy) {
			if _, is := inner.(policies.BackendNamer); is {
				all = append(all, f.lateMoments("policies."+pol.Name, inner)...)
			}
		})
	}
	return all
}

// wrongPort returns a text if clients connect to a port on which no backend listens.
func (f *finder) wrongPort() []string {
	if !f.Config.WrongPort {
		return nil
	}
	return []string{"resolver: a target without a port is one of port 443 for gRPC, where no " +
		"backend listens: all attempts to connect are refused; write the port, as in " +
		"\"dns:///orders:50051\""}
}

// outside returns a text if a failure lies outside of the measured time.
func (f *finder) outside(failure config.Named[models.Failure], warmup time.Duration) []string {
	from, to := failure.Value.Window()
	switch end := f.Config.Duration; {
	case from >= end:
		return []string{fmt.Sprintf("failures.%s has no effect: it begins at %v, and the run ends "+
			"at %v", failure.Name, from, end)}
	case to > 0 && to <= warmup:
		return []string{fmt.Sprintf("failures.%s is over at %v, within the warm-up, which ends at "+
			"%v: at most what it leaves behind is measured", failure.Name, to, warmup)}
	}
	return nil
}

// unasked returns a text if a failure makes backends NOT_SERVING and nothing asks for their health.
func (f *finder) unasked(failure config.Named[models.Failure]) []string {
	_, is := failure.Value.(failures.Unhealthy)
	asks := slices.ContainsFunc(f.Config.Clients, func(g models.ClientGroup) bool {
		return g.HealthCheck
	})
	if !is || asks || f.ConfigByName() || resolvers.AsksHealth(f.Config.Resolver) {
		return nil
	}
	return []string{fmt.Sprintf("failures.%s has no effect: nobody asks backends for their "+
		"health; a service_config with a healthCheckConfig does, and so do resolvers that check "+
		"by grpc", failure.Name)}
}

// unlisted returns a text if a failure strikes backends that no client ever learns of.
func (f *finder) unlisted(failure config.Named[models.Failure]) []string {
	listed := resolvers.Listed(f.Config.Resolver, &f.Config)
	for _, pol := range f.Policies {
		config.WalkPolicies(pol.Value, func(inner policies.Policy) {
			if n, is := inner.(policies.BackendNamer); is {
				_, names := n.BackendNames()
				for _, name := range names {
					numbers, _ := f.Config.Select([]string{name})
					for _, b := range numbers {
						listed[b] = true
					}
				}
			}
		})
	}
	var names []string
	for key, value := range options.Each(reflect.ValueOf(failure.Value)) {
		if key == "backends" {
			names, _ = value.Interface().([]string)
		}
	}
	numbers, err := f.Config.Select(names)
	if err != nil {
		return nil
	}
	all := f.Config.BackendNames()
	var never []string
	for _, b := range numbers {
		if !listed[b] {
			never = append(never, all[b])
		}
	}
	if len(never) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("failures.%s has no effect on %s: the resolver lists %s at no time",
		failure.Name, firstFew(never), plural(len(never), "it", "them"))}
}

// firstFew lists at most five names.
func firstFew(names []string) string {
	if len(names) <= 5 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:4], ", "), len(names)-4)
}

func plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// lateMoments returns texts about tables by moment among the options whose moments are after the
// end of the run.
func (f *finder) lateMoments(where string, of any) []string {
	var all []string
	for name, table := range options.Each(reflect.ValueOf(of)) {
		if table.Kind() != reflect.Map || table.Type().Key().Kind() != reflect.String {
			continue
		}
		var late []time.Duration
		for _, key := range table.MapKeys() {
			if at, err := time.ParseDuration(key.String()); err == nil && at >= f.Config.Duration {
				late = append(late, at)
			}
		}
		if len(late) > 0 {
			slices.Sort(late)
			all = append(all, fmt.Sprintf("%s.%s at %v has no effect: the run ends at %v",
				where, name, late[0], f.Config.Duration))
		}
	}
	return all
}
