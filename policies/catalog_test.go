package policies_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// samples are policies as tests of all policies use them, where the prototype with round_robin as
// its child is of no use.
var samples = map[string]policies.Policy{
	"outlier_detection": enforced(new(policies.SuccessRateEjection), nil),
	"priority": policies.Priority{
		Children: map[string]policies.PriorityChild{
			"p0": {Child: policies.RoundRobin{}}, "p1": {Child: policies.RoundRobin{}},
		},
		Priorities: []string{"p0", "p1"},
	},
	"weighted_target": policies.WeightedTarget{Targets: map[string]policies.Target{
		"p0": {Weight: 3, Child: policies.RoundRobin{}},
		"p1": {Weight: 1, Child: policies.LeastRequest{ChoiceCount: 2}},
	}},
	"random_subsetting": policies.RandomSubsetting{SubsetSize: 4, Child: policies.RoundRobin{}},
	"ring_hash":         ringHashBy(keyed),
}

// ringHashBy is ring_hash with its defaults, by the key in a header.
func ringHashBy(header string) policies.RingHash {
	p := policies.Catalog["ring_hash"].(policies.RingHash)
	p.RequestHashHeader = header
	return p
}

// names lists the catalog.
func names() []string { return slices.Sorted(maps.Keys(policies.Catalog)) }

// sample returns a policy of a kind that works.
func sample(name string) policies.Policy {
	if p, ok := samples[name]; ok {
		return p
	}
	return policytest.WithChildren(policies.Catalog[name])
}

// exceptions are the rules of most policies that some break, as in grpc-go.
var exceptions = map[string]policytest.Exceptions{
	"base_round_robin": {FailsEarly: true},
	"grpclb":           {KeepsSubConns: true, IgnoresEmptyList: true},
	"least_request":    {AtRest: countsAreZero},
	"priority":         {KeepsSubConns: true},
	"ring_hash":        {QueuesByKey: true},
	"weighted_target":  {QueuesInFailure: true},
	"wrr_locality":     {QueuesInFailure: true},
}

// countsAreZero looks at the counts of RPCs in flight of a least_request.
func countsAreZero(p policies.Picker) string {
	for _, n := range policies.CountsOf(p) {
		if n != 0 {
			return fmt.Sprintf("a counter is %d", n)
		}
	}
	return ""
}

func TestStories(t *testing.T) { policytest.RunStories(t, "testdata", policies.Catalog) }

func TestBattery(t *testing.T) {
	for _, name := range names() {
		t.Run(name, func(t *testing.T) {
			policytest.Battery(t, sample(name), exceptions[name])
		})
	}
}
