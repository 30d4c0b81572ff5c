package grpcgo

import (
	"fmt"
	"testing"

	"lbsim/policies"
)

// subsets are the configurations of random_subsetting with a child, in JSON and as lbsim has it.
func subsets(json string, child policies.Policy, sizes ...uint32) (configs []pairConfig) {
	for _, n := range sizes {
		configs = append(configs, pairConfig{
			fmt.Sprintf(`{"subsetSize": %d, "childPolicy": [%s]}`, n, json),
			policies.RandomSubsetting{SubsetSize: n, Child: child},
		})
	}
	return configs
}

func TestRandomSubsettingInLockstep(t *testing.T) {
	t.Run("round_robin", func(t *testing.T) {
		(&pair{name: "random_subsetting_experimental", addresses: singles, health: true,
			configs: subsets(`{"round_robin": {}}`, policies.RoundRobin{}, 3, 5, 1),
		}).lockstep(t)
	})
	t.Run("least_request", func(t *testing.T) {
		(&pair{name: "random_subsetting_experimental", addresses: singles,
			configs: subsets(`{"least_request_experimental": {"choiceCount": 4}}`,
				policies.LeastRequest{ChoiceCount: 4}, 4, 9),
		}).lockstep(t)
	})
	t.Run("pick_first", func(t *testing.T) {
		(&pair{name: "random_subsetting_experimental", addresses: mixed, fewConnections: true,
			configs: subsets(`{"pick_first": {"shuffleAddressList": true}}`,
				policies.PickFirst{ShuffleAddressList: true}, 1, 2, 5),
		}).lockstep(t)
	})
	t.Run("ring_hash", func(t *testing.T) {
		onOneCPU(t)
		p := ringPair()
		p.name = "random_subsetting_experimental"
		p.configs = subsets(`{"ring_hash_experimental": {"requestHashHeader": "x-key"}}`,
			policies.RingHash{RequestHashHeader: "x-key"}, 3, 6)
		p.randomScripts(t, 300, scripts(len(p.addresses)))
	})
}

// Weights in the shuffle of pick_first, also of 0.
func TestWeightedShuffleInLockstep(t *testing.T) {
	p := &pair{name: "pick_first", addresses: mixed, configs: []pairConfig{
		{`{"shuffleAddressList": true}`, policies.PickFirst{ShuffleAddressList: true}},
		{`{}`, policies.PickFirst{}},
	}}
	for _, w := range []uint32{0, 1, 2, 1 << 30, 1<<31 - 1, 1<<32 - 1, 1000, 3} {
		p.pool = append(p.pool, policies.Endpoint{Weight: w})
	}
	p.lockstep(t)
}
