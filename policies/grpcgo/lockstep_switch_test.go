package grpcgo

import (
	"testing"

	"lbsim/policies"
)

// Of gracefulSwitch, which other policies have inside them, lbsim's part by itself. grpc-go's is
// random_subsetting of a subset that has room for all: it passes everything on to its
// gracefulswitch.

// switched is a policy whose child is another at each update.
type switched struct{ child policies.Policy }

func (switched) Doc() string { return "a policy that is replaced by another" }

func (switched) Build(h policies.Host) policies.Balancer {
	h.Rand().Uint64() // the seed of the subsets
	return switching{policies.FromServiceConfig{}.Build(h)}
}

// switching is a gracefulSwitch, as a client has it whose policy a service config names.
type switching struct{ policies.Balancer }

func (s switching) Update(st policies.State) error {
	st.Policy = st.Policy.(switched).child
	return s.Balancer.Update(st)
}

func TestGracefulSwitchInLockstep(t *testing.T) {
	config := func(child string) string {
		return `{"subsetSize":1000,"childPolicy":[` + child + `]}`
	}
	// Endpoints have one address each, or the old policy and the new one would wait 250 ms at once,
	// and it would be chance which of them comes first to the next address.
	(&pair{name: "random_subsetting_experimental", addresses: singles[:5],
		health: true, nested: true,
		races: true, configs: []pairConfig{
			{config(`{"tapped_round_robin":{}}`), switched{policies.RoundRobin{}}},
			{config(`{"pick_first":{}}`), switched{policies.PickFirst{}}},
			{config(`{"tapped_least_request_experimental":{"choiceCount":3}}`),
				switched{policies.LeastRequest{ChoiceCount: 3}}},
		}}).lockstep(t)
}
