package conformance

import (
	"testing"

	"lbsim/policies"
)

// Two choices of two backends: each call goes to either with a probability of 1/4 at least, so what
// happens to a few calls is seldom enough to be compared and not too seldom to be found.
func TestLeastRequest(t *testing.T) {
	two := policies.LeastRequest{ChoiceCount: 2}
	playAll(t, []scenario{
		{name: "one backend", policy: two, clients: calls(0, 100, 200)},
		{name: "sequential calls", policy: two, backends: 2, clients: calls(0, 100, 200, 300, 400)},
		{name: "two at a time", policy: two, backends: 2, service: at(100, 100),
			clients: calls(0, 300, 350, 600, 650)},
		{name: "a slow one keeps its call", policy: two, backends: 2, service: at(20, 700),
			clients: calls(0, 1000, 1100, 1200, 1300)},
		{name: "four at a time", policy: two, backends: 2, service: at(200, 200),
			clients: calls(0, 500, 520, 540, 560)},
		{name: "three choices of three", policy: policies.LeastRequest{ChoiceCount: 3}, backends: 3,
			service: at(200, 200, 200), clients: calls(0, 500, 520, 540)},
		{name: "more than ten choices are ten", policy: policies.LeastRequest{ChoiceCount: 100},
			backends: 2, clients: calls(0, 500)},
		{name: "killed with a call on each", policy: two, backends: 2, service: at(200, 200),
			clients: calls(0, 500, 520, 800, 820), steps: []step{killed(600, 0)}},
		{name: "killed and back: it counts from 0", policy: two, backends: 2, service: at(900, 900),
			clients: calls(0, 2000, 2020, 2100, 2300, 2320),
			steps:   []step{killed(2200, 0), restarted(2201, 0)}},
		{name: "deadlines count down", policy: two, backends: 2, service: at(500, 500),
			clients: within(100, calls(1000, 1120, 1150, 1240))},
		{name: "refused", policy: two, backends: 2, down: []int{0, 1}, clients: calls(0, 500)},
		{name: "one of two is refused", policy: two, backends: 2, down: []int{1},
			clients: calls(0, 500, 600)},
		{name: "an address is removed with a call on each", policy: two, backends: 2,
			service: at(100, 100), clients: calls(0, 300, 301, 400, 500),
			steps: []step{resolved(350, 1)}},
		{name: "an address is added", policy: two, backends: 2, list: []int{0},
			service: at(300, 300),
			clients: calls(0, 500, 650, 660), steps: []step{resolved(600, 0, 1)}},
		{name: "nothing is left", policy: two, backends: 2, clients: calls(0, 300),
			steps: []step{resolved(200)}},
	})
}
