package models_test

import (
	"lbsim/models"
	"lbsim/policies"
	"lbsim/policies/policytest"
)

// sample returns a policy of the catalog as tests of all policies use it: those with children have
// one, to which placed leads.
func sample(name string) policies.Policy {
	child := policies.RoundRobin{}
	switch p := policies.Catalog[name].(type) {
	case policies.Priority:
		p.Children = map[string]policies.PriorityChild{"all": {Child: child}}
		p.Priorities = []string{"all"}
		return p
	case policies.WeightedTarget:
		p.Targets = map[string]policies.Target{"all": {Weight: 1, Child: child}}
		return p
	case policies.RingHash:
		p.RequestHashHeader = keyHeader
		return p
	case policies.RandomSubsetting:
		p.SubsetSize, p.Child = 2, child
		return p
	default:
		return policytest.WithChildren(p)
	}
}

// placed gives a group of backends a path and a zone.
func placed(g models.BackendGroup) models.BackendGroup {
	g.Path, g.Zone, g.ZoneWeight = []string{"all"}, "all", 1
	return g
}

const keyHeader = "x-key"

// keys reads the keys of clients.
func keys(t interface {
	Helper()
	Fatal(args ...any)
}, text string) *models.Keys {
	t.Helper()
	k := new(models.Keys)
	if err := k.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return k
}
