package grpcgo

import (
	"testing"

	"lbsim/policies"
)

// singles are endpoints of one address and a few of several.
var singles = [][]string{
	{"10.0.0.1:80"}, {"10.0.0.2:80"}, {"10.0.0.3:80"}, {"10.0.0.4:80"}, {"10.0.0.5:80"},
	{"10.0.0.6:80", "10.0.1.6:80"}, {"10.0.0.7:80", "[fd00::7]:80", "seven:80"},
}

// mixed are endpoints that share addresses, of all families.
var mixed = [][]string{
	{"10.0.0.1:80"}, {"10.0.0.2:80"}, {"[fd00::3]:80"}, {"four:80"}, {"10.0.0.1:80"},
	{"10.0.0.2:80", "[fd00::6]:80"}, {}, {"seven:80", "10.0.0.7:80", "seven:80"},
}

// few are so few that a list often has what the last one had, in whichever state that is.
var few = [][]string{{"10.0.0.1:80"}, {"10.0.0.2:80"}}

func TestPickFirstInLockstep(t *testing.T) {
	for _, addresses := range [][][]string{mixed, few} {
		(&pair{name: "pick_first", addresses: addresses, configs: []pairConfig{
			{`{}`, policies.PickFirst{}},
			{`{"shuffleAddressList": true}`, policies.PickFirst{ShuffleAddressList: true}},
		}}).lockstep(t)
	}
}

func TestRoundRobinInLockstep(t *testing.T) {
	(&pair{name: "round_robin", addresses: singles, health: true, configs: []pairConfig{
		{``, policies.RoundRobin{}},
	}}).lockstep(t)
}

func TestLeastRequestInLockstep(t *testing.T) {
	(&pair{name: "least_request_experimental", addresses: singles, health: true,
		configs: []pairConfig{
			{`{}`, policies.LeastRequest{ChoiceCount: 2}},
			{`{"choiceCount": 3}`, policies.LeastRequest{ChoiceCount: 3}},
			{`{"choiceCount": 99}`, policies.LeastRequest{ChoiceCount: 99}},
		}}).lockstep(t)
}
