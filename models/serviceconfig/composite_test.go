package serviceconfig

import (
	"reflect"
	"testing"

	"lbsim/policies"
)

// wrap is a service config with one policy.
func wrap(policy string) string { return `{"loadBalancingConfig":[` + policy + `]}` }

func TestPoliciesWithChildren(t *testing.T) {
	rr := policies.RoundRobin{}
	for _, row := range []struct {
		text string
		want policies.Policy
	}{
		{`{"weighted_target_experimental":{}}`, policies.WeightedTarget{}},
		{`{"weighted_target_experimental":{"targets":{
			"a":{"weight":3,"childPolicy":[{"fancy":{}},{"round_robin":{}}]},
			"b.c":{"childPolicy":[{"least_request_experimental":{"choiceCount":4}}]},
			"a":{"childPolicy":[{"round_robin":{}}]}}}}`,
			policies.WeightedTarget{Targets: map[string]policies.Target{
				"a": {Child: rr}, "b.c": {Child: policies.LeastRequest{ChoiceCount: 4}},
			}}},
		{`{"priority_experimental":{"children":{"x":{"config":[{"round_robin":{}}],
			"ignoreReresolutionRequests":true}},"priorities":["x"]}}`,
			policies.Priority{Children: map[string]policies.PriorityChild{
				"x": {Child: rr, IgnoreReresolutionRequests: true},
			}, Priorities: []string{"x"}}},
		{`{"xds_wrr_locality_experimental":{"childPolicy":[{"weighted_target_experimental":
			{"targets":{"z":{"childPolicy":[{"round_robin":{}}]}}}}]}}`,
			policies.WRRLocality{Child: policies.WeightedTarget{Targets: map[string]policies.Target{
				"z": {Child: rr},
			}}}},
	} {
		c, err := Parse([]byte(wrap(row.text)), catalog)
		if err != nil {
			t.Errorf("%s: %v", row.text, err)
		} else if !reflect.DeepEqual(c.Policy, row.want) {
			t.Errorf("%s: got %+v, want %+v", row.text, c.Policy, row.want)
		}
	}
}

func TestPoliciesWithChildrenAreRefused(t *testing.T) {
	const (
		grpc = "; grpc-go refuses the whole config"
		both = "; grpc-go takes it, and its channel panics or hangs"
	)
	for _, row := range []struct{ text, want string }{
		{`{"weighted_target_experimental":{"targets":{"a":{"weight":-1}}}}`,
			"weighted_target_experimental.targets.a.weight: must be a whole number of 0 to " +
				"4294967295, without point, exponent and quotes (is -1)" + grpc},
		{`{"weighted_target_experimental":{"targets":{"a":{"childPolicy":[]}}}}`,
			"weighted_target_experimental.targets.a.childPolicy: names no policy that grpc-go " +
				"knows" + grpc},
		{`{"weighted_target_experimental":{"targets":{"a":{"weight":1}}}}`,
			"weighted_target_experimental.targets.a.childPolicy: must be a policy" + both},
		{`{"weighted_target_experimental":{"targets":{"a":null}}}`,
			"weighted_target_experimental.targets.a.childPolicy: must be a policy" + both},
		{`{"priority_experimental":{"priorities":["x"]}}`,
			`priority_experimental.priorities: "x" is not in children` + grpc},
		{`{"priority_experimental":{"children":{"x":{"config":[{"round_robin":{}}]}}}}`,
			`priority_experimental.children: "x" is not in priorities` + grpc},
		{`{"priority_experimental":{"children":{"x":{"config":null}},"priorities":["x"]}}`,
			"priority_experimental.children.x.config: must be a policy" + both},
		{`{"priority_experimental":{"children":{"x":{"config":[{"round_robin":{}}]}},` +
			`"priorities":["x","x"]}}`,
			`priority_experimental.priorities: "x" stands twice` + both},
		{`{"xds_wrr_locality_experimental":{}}`,
			"xds_wrr_locality_experimental.childPolicy: must be a policy" + grpc},
		{`{"xds_wrr_locality_experimental":null}`,
			"xds_wrr_locality_experimental.childPolicy: must be a policy" + grpc},
	} {
		_, err := Parse([]byte(wrap(row.text)), catalog)
		if want := "loadBalancingConfig[0]." + row.want; err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", row.text, err, want)
		}
	}
}
