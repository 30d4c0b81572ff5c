package grpcgo

import (
	"fmt"
	"testing"

	"lbsim/policies"
)

// Policies with children inside one another: three levels, priority at the top. Below another
// policy grpc-go's priority is a race: what it reports after an update, from its own goroutine,
// meets the policy above it before or after the end of the update.
func TestNestedInLockstep(t *testing.T) {
	of := map[string]policies.Policy{
		"round_robin": policies.RoundRobin{}, "pick_first": policies.PickFirst{},
	}
	pool, addresses := spread("p0/a", "p0/b/x", "p1", "p0/b/y", "p0/a/z", "p1", "p0/b/y", "p0")
	p := &pair{name: "priority_experimental", health: true, pool: pool, addresses: addresses}
	target := func(name string, weight int, policy string) string {
		return fmt.Sprintf(`"%s":{"weight":%d,"childPolicy":[{"child_%s}]}`, name, weight, policy)
	}
	for i, kinds := range [][2]string{
		{"round_robin", "round_robin"}, {"pick_first", "round_robin"},
		{"round_robin", "pick_first"},
	} {
		inner := target("x", 5, kinds[0]+`":{}`) + "," + target("y", 5+i, kinds[1]+`":{}`)
		outer := target("a", 1+i, kinds[1]+`":{}`) + "," +
			target("b", 2, `weighted_target_experimental":{"targets":{`+inner+`}}`)
		p.configs = append(p.configs, pairConfig{
			`{"children":{"p0":{"config":[{"p0_weighted_target_experimental":{"targets":{` +
				outer + `}}}]},"p1":{"config":[{"p1_` + kinds[0] + `":{}}]}},
				"priorities":["p0","p1"]}`,
			policies.Priority{Children: map[string]policies.PriorityChild{
				"p0": {Child: policies.WeightedTarget{Targets: map[string]policies.Target{
					"a": {Weight: uint32(1 + i), Child: of[kinds[1]]},
					"b": {Weight: 2, Child: policies.WeightedTarget{
						Targets: map[string]policies.Target{
							"x": {Weight: 5, Child: of[kinds[0]]},
							"y": {Weight: uint32(5 + i), Child: of[kinds[1]]},
						},
					}},
				}}},
				"p1": {Child: of[kinds[0]]},
			}, Priorities: []string{"p0", "p1"}},
		})
	}
	composites(p).lockstep(t)
}

func TestWRRLocalityInLockstep(t *testing.T) {
	pool, addresses := spread("")
	for i := range pool {
		// Endpoint 6 says something else of its zone, endpoint 7 nothing.
		zone := zoneText(string(rune('a' + i%3)))
		pool[i].Locality, pool[i].Path = zone, []string{zone}
		pool[i].LocalityWeight = []uint32{3, 1, 2, 3, 1, 2, 9, 0}[i]
	}
	for _, n := range []int{7, 8} {
		composites(&pair{name: "xds_wrr_locality_experimental", health: true,
			pool: pool[:n], addresses: addresses[:n], configs: []pairConfig{
				{`{"childPolicy":[{"child_round_robin":{}}]}`,
					policies.WRRLocality{Child: policies.RoundRobin{}}},
				{`{"childPolicy":[{"child_least_request_experimental":{"choiceCount":3}}]}`,
					policies.WRRLocality{Child: policies.LeastRequest{ChoiceCount: 3}}},
			}}).lockstep(t)
	}
}
