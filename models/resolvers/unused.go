package resolvers

import "lbsim/models"

// Unused returns options of a resolver that differ from their default and have no effect beside the
// others.
func Unused(r models.Resolver) (options []string) {
	unless := func(counts, isDefault bool, option string) {
		if !counts && !isDefault {
			options = append(options, option)
		}
	}
	switch r := r.(type) {
	case Consul:
		d := Catalog["consul"].(Consul)
		unless(r.By != checkTTL, r.Timeout == d.Timeout, "check_timeout")
	case Nacos:
		d := Catalog["nacos"].(Nacos)
		unless(r.HealthyOnly, r.Unhealthy == d.Unhealthy, "unhealthy_after")
		unless(!r.HealthyOnly, r.Delete == d.Delete, "delete_after")
	case Push:
		d, follows := Catalog["push"].(Push), r.Source == fromKubernetes
		unless(follows, r.Readiness == d.Readiness, "readiness")
		unless(follows && r.Readiness != checkNone, r.ReadinessPeriod == d.ReadinessPeriod,
			"readiness_period")
		unless(follows, r.NodeGrace == d.NodeGrace, "node_grace")
	}
	return options
}

// AsksHealth reports whether a resolver's list depends on the health of backends.
func AsksHealth(r models.Resolver) bool {
	switch r := r.(type) {
	case Consul:
		return r.By == checkGRPC && (r.Passing || r.DeregisterAfter > 0)
	case Push:
		return r.Source == fromKubernetes && r.Readiness == checkGRPC
	}
	return false
}
