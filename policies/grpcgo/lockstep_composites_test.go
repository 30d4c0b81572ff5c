package grpcgo

import (
	"fmt"
	"strings"
	"testing"

	"lbsim/policies"
)

// spread are endpoints on these paths, in turn.
func spread(paths ...string) (pool []policies.Endpoint, addresses [][]string) {
	for i := range 8 {
		e := policies.Endpoint{}
		if path := paths[i%len(paths)]; path != "" {
			e.Path = strings.Split(path, "/")
		}
		pool = append(pool, e)
		list := []string{fmt.Sprintf("10.0.0.%d:80", i)}
		if i == 3 {
			list = append(list, "10.0.1.3:80")
		}
		addresses = append(addresses, list)
	}
	return pool, addresses
}

func TestWeightedTargetInLockstep(t *testing.T) {
	rr, lr := policies.RoundRobin{}, policies.LeastRequest{ChoiceCount: 2}
	pool, addresses := spread("a", "b", "c", "a", "b", "d", "")
	p := composites(&pair{name: "weighted_target_experimental", health: true,
		pool: pool, addresses: addresses, configs: []pairConfig{
			{`{"targets":{"a":{"weight":3,"childPolicy":[{"child_round_robin":{}}]},
				"b":{"weight":1,"childPolicy":[{"child_least_request_experimental":{}}]},
				"c":{"weight":2,"childPolicy":[{"child_round_robin":{}}]}}}`,
				policies.WeightedTarget{Targets: map[string]policies.Target{
					"a": {Weight: 3, Child: rr}, "b": {Weight: 1, Child: lr},
					"c": {Weight: 2, Child: rr},
				}}},
			{`{"targets":{"a":{"weight":5,"childPolicy":[{"child_round_robin":{}}]},
				"b":{"weight":5,"childPolicy":[{"child_round_robin":{}}]}}}`,
				policies.WeightedTarget{Targets: map[string]policies.Target{
					"a": {Weight: 5, Child: rr}, "b": {Weight: 5, Child: rr},
				}}},
			{`{"targets":{"a":{"weight":0,"childPolicy":[{"child_pick_first":{}}]},
				"b":{"weight":7,"childPolicy":[{"child_round_robin":{}}]},
				"d":{"weight":4000000000,"childPolicy":[{"child_round_robin":{}}]}}}`,
				policies.WeightedTarget{Targets: map[string]policies.Target{
					"a": {Child: policies.PickFirst{}}, "b": {Weight: 7, Child: rr},
					"d": {Weight: 4e9, Child: rr},
				}}},
			{`{"targets":{"a":{"weight":2,"childPolicy":[{"child_pick_first":{}}]}}}`,
				policies.WeightedTarget{Targets: map[string]policies.Target{
					"a": {Weight: 2, Child: policies.PickFirst{}},
				}}},
			{`{}`, policies.WeightedTarget{}},
		}})
	p.lockstep(t)
}

// priorityConfig is a priority in JSON. Each child is a name, its kind and, if it ends with !, that
// its hints are ignored.
func priorityConfig(children ...string) string {
	var all, order []string
	for _, c := range children {
		c, ignoreReresolution := strings.CutSuffix(c, "!")
		name, kind, _ := strings.Cut(c, " ")
		all = append(all, fmt.Sprintf(
			`"%s":{"config":[{"%s_%s":{}}],"ignoreReresolutionRequests":%t}`,
			name, name, kind, ignoreReresolution))
		order = append(order, `"`+name+`"`)
	}
	return `{"children":{` + strings.Join(all, ",") + `},"priorities":[` +
		strings.Join(order, ",") + `]}`
}

// ranking is the same as a port.
func ranking(children ...string) policies.Priority {
	kinds := map[string]policies.Policy{
		"round_robin": policies.RoundRobin{}, "pick_first": policies.PickFirst{},
		"least_request_experimental": policies.LeastRequest{ChoiceCount: 2},
	}
	p := policies.Priority{Children: make(map[string]policies.PriorityChild)}
	for _, c := range children {
		c, ignoreReresolution := strings.CutSuffix(c, "!")
		name, kind, _ := strings.Cut(c, " ")
		p.Children[name] = policies.PriorityChild{
			Child: kinds[kind], IgnoreReresolutionRequests: ignoreReresolution,
		}
		p.Priorities = append(p.Priorities, name)
	}
	return p
}

func TestPriorityInLockstep(t *testing.T) {
	pool, addresses := spread("p0", "p1", "p0", "p1", "p2", "")
	p := &pair{name: "priority_experimental", health: true, pool: pool, addresses: addresses}
	for _, children := range [][]string{
		{"p0 round_robin", "p1 round_robin"},
		{"p0 round_robin", "p1 round_robin", "p2 pick_first!"},
		{"p1 least_request_experimental", "p0 round_robin"},
		{"p2 pick_first", "p0 pick_first", "p1 pick_first"},
		{"p0 pick_first", "p1 round_robin!"},
		{"p1 round_robin"},
		{},
	} {
		p.configs = append(p.configs, pairConfig{priorityConfig(children...), ranking(children...)})
	}
	composites(p).lockstep(t)
}
