package experiments

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"lbsim/models"
	"lbsim/models/failures"
	"lbsim/models/resolvers"
	"lbsim/policies"
)

// noEffects says what has no effect at a point.
func (p *point) noEffects(warmup time.Duration) []string {
	all := p.lateMoments("resolver", p.resolver.Value)
	for _, option := range resolvers.Unused(p.config.Resolver) {
		all = append(all, fmt.Sprintf("resolver.%s has no effect beside the other options", option))
	}
	for _, f := range p.failures {
		all = append(all, p.outside(f, warmup)...)
		all = append(all, p.unasked(f)...)
		all = append(all, p.unlisted(f)...)
	}
	for _, pol := range p.policies {
		walk(pol.Value, func(inner policies.Policy) {
			if _, is := inner.(policies.BackendNamer); is {
				all = append(all, p.lateMoments("policies."+pol.Name, inner)...)
			}
		})
	}
	return all
}

// wrongPort says that clients connect to a port on which nobody listens.
func (p *point) wrongPort() []string {
	if !p.config.WrongPort {
		return nil
	}
	return []string{"resolver: a target without a port is one of port 443 for gRPC, where no " +
		"backend listens: all attempts to connect are refused; write the port, as in " +
		"\"dns:///orders:50051\""}
}

// outside says of a failure that it lies outside of what is measured.
func (p *point) outside(f named[models.Failure], warmup time.Duration) []string {
	from, to := f.Value.Window()
	switch end := p.config.Duration; {
	case from >= end:
		return []string{fmt.Sprintf("failures.%s has no effect: it begins at %v, and the run ends "+
			"at %v", f.Name, from, end)}
	case to > 0 && to <= warmup:
		return []string{fmt.Sprintf("failures.%s is over at %v, within the warm-up, which ends at "+
			"%v: at most what it leaves behind is measured", f.Name, to, warmup)}
	}
	return nil
}

// unasked says of backends that call themselves unhealthy that nobody asks them.
func (p *point) unasked(f named[models.Failure]) []string {
	_, is := f.Value.(failures.Unhealthy)
	asks := slices.ContainsFunc(p.config.Clients, func(g models.ClientGroup) bool {
		return g.HealthCheck
	})
	if !is || asks || p.fromNames() || resolvers.AsksHealth(p.config.Resolver) {
		return nil
	}
	return []string{fmt.Sprintf("failures.%s has no effect: nobody asks backends for their "+
		"health; a service_config with a healthCheckConfig does, and so do resolvers that check "+
		"by grpc", f.Name)}
}

// unlisted says of a failure that clients never learn of backends that it strikes.
func (p *point) unlisted(f named[models.Failure]) []string {
	listed := resolvers.Listed(p.config.Resolver, &p.config)
	for _, pol := range p.policies {
		walk(pol.Value, func(inner policies.Policy) {
			if n, is := inner.(policies.BackendNamer); is {
				_, names := n.BackendNames()
				for _, name := range names {
					numbers, _ := p.config.Select([]string{name})
					for _, b := range numbers {
						listed[b] = true
					}
				}
			}
		})
	}
	struck := reflect.ValueOf(f.Value).FieldByName("Backends")
	names, _ := struck.Interface().([]string)
	numbers, err := p.config.Select(names)
	if err != nil {
		return nil
	}
	all := p.config.BackendNames()
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
		f.Name, few(never), plural(len(never), "it", "them"))}
}

// few names at most five.
func few(names []string) string {
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

// lateMoments says of the tables by moment among the options which moments lie beyond the end.
func (p *point) lateMoments(where string, options any) []string {
	var all []string
	v := reflect.ValueOf(options)
	for i, name := range tags(v.Type()) {
		table := v.Field(i)
		if table.Kind() != reflect.Map || table.Type().Key().Kind() != reflect.String {
			continue
		}
		var late []time.Duration
		for _, key := range table.MapKeys() {
			if at, err := time.ParseDuration(key.String()); err == nil && at >= p.config.Duration {
				late = append(late, at)
			}
		}
		if len(late) > 0 {
			slices.Sort(late)
			all = append(all, fmt.Sprintf("%s.%s at %v has no effect: the run ends at %v",
				where, name, late[0], p.config.Duration))
		}
	}
	return all
}
