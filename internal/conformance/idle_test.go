package conformance

import (
	"testing"
	"time"

	"lbsim/policies"
)

func TestIdleMode(t *testing.T) {
	const second = time.Second
	playAll(t, []scenario{
		{name: "a second after the last call", idle: second, clients: calls(0),
			steps: []step{looked(1070)}},
		{name: "and back with the next call", idle: second, clients: calls(0, 3000),
			steps: []step{looked(1070), looked(4070)}},
		{name: "not while calls come", idle: second, clients: calls(0, 900, 1700, 2500),
			steps: []step{looked(1070), looked(3540)}},
		{name: "not in a long call", idle: second, service: at(3000), clients: calls(0),
			steps: []step{looked(1070), looked(4050)}},
		{name: "with calls that failed", idle: second, down: []int{0}, clients: calls(0, 500),
			steps: []step{looked(1500)}},
		{name: "a new list meanwhile", idle: second, backends: 2, list: []int{0},
			clients: calls(0, 3000), steps: []step{looked(1070), resolved(2000, 1), looked(4070)}},
		{name: "the first address anew", idle: second, backends: 2, down: []int{0},
			clients: calls(0, 3000),
			steps:   []step{restarted(500, 0), looked(1090), looked(4070)}},
		{name: "round_robin", idle: second, policy: policies.RoundRobin{}, backends: 2,
			clients: calls(0, 100, 200, 3000), steps: []step{looked(1240), looked(4070)}},
	})
}
