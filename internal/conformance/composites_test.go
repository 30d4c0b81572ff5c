package conformance

import (
	"testing"

	"lbsim/policies"
)

// first is a priority of children called p0, p1 and so on.
func first(children ...policies.Policy) policies.Priority {
	p := policies.Priority{Children: make(map[string]policies.PriorityChild)}
	for i, c := range children {
		name := []string{"p0", "p1", "p2"}[i]
		p.Children[name] = policies.PriorityChild{Child: c}
		p.Priorities = append(p.Priorities, name)
	}
	return p
}

func TestPriority(t *testing.T) {
	pf, rr := policies.PickFirst{}, policies.RoundRobin{}
	two := []string{"p0", "p1"}
	playAll(t, []scenario{
		{name: "the first is up: the second is not dialled", policy: first(pf, pf), paths: two,
			backends: 2, clients: calls(0, 100, 200)},
		{name: "the first refuses", policy: first(pf, pf), paths: two, backends: 2,
			down: []int{0}, clients: calls(0, 100, 200)},
		{name: "both refuse", policy: first(pf, pf), paths: two, backends: 2,
			down: []int{0, 1}, clients: calls(0, 100)},
		{name: "the first hangs: 10 s", policy: first(pf, pf), paths: two, backends: 2,
			clients: within(12000, calls(10, 9000, 11000, 40000)),
			steps:   []step{holed(0, 0), unholed(30000, 0)}},
		{name: "the first is killed and comes back", policy: first(rr, rr), paths: two,
			backends: 2, clients: calls(0, 100, 550, 700, 3000, 4000),
			steps: []step{killed(500, 0), restarted(2000, 0)}},
		{name: "killed twice: the second is still connected", policy: first(rr, rr), paths: two,
			backends: 2, clients: calls(0, 550, 700, 3000, 4050, 4100, 6000),
			steps: []step{killed(500, 0), restarted(1000, 0), killed(4000, 0),
				restarted(4500, 0)}},
		{name: "the second is closed after 15 min", policy: first(rr, rr), paths: two,
			backends: 2, clients: calls(0, 550, 3000, 1000000),
			steps: []step{killed(500, 0), restarted(1000, 0)}},
		{name: "a pick_first that is idle is woken by a call", policy: first(pf, pf), paths: two,
			backends: 2, clients: calls(0, 600, 700),
			steps: []step{stopped(500, 0), restarted(510, 0)}},
		{name: "three, of which the last is up", policy: first(pf, rr, rr),
			paths: []string{"p0", "p1", "p2"}, backends: 3, down: []int{0, 1},
			clients: calls(0, 100, 2000, 2600)},
		{name: "a list without the first", policy: first(rr, rr), paths: two, backends: 2,
			clients: calls(0, 600, 700, 900), steps: []step{resolved(500, 1), resolved(800, 0, 1)}},
		{name: "an empty list", policy: first(rr), paths: two, backends: 2,
			clients: calls(0, 600), steps: []step{resolved(500)}},
		{name: "the first connects for long after it was lost", policy: first(rr, rr), paths: two,
			backends: 2, clients: within(15000, calls(0, 600, 9000, 13000)),
			steps: []step{stopped(500, 0), holed(505, 0)}},
	})
}

func TestWeightedTarget(t *testing.T) {
	of := func(child policies.Policy, weights ...uint32) policies.WeightedTarget {
		w := policies.WeightedTarget{Targets: make(map[string]policies.Target)}
		for i, weight := range weights {
			w.Targets[[]string{"a", "b"}[i]] = policies.Target{Weight: weight, Child: child}
		}
		return w
	}
	pf, rr := policies.PickFirst{}, policies.RoundRobin{}
	two := []string{"a", "b"}
	playAll(t, []scenario{
		{name: "one target", policy: of(pf, 1), paths: two, backends: 2, clients: calls(0, 100)},
		// Of two that are READY at one instant chance has the call that waits: so one is late.
		{name: "two targets", policy: of(rr, 2, 1), paths: two, backends: 2, down: []int{1},
			clients: calls(0, 2000, 2100, 2200, 2300), steps: []step{restarted(500, 1)}},
		{name: "one refuses", policy: of(rr, 1, 1), paths: two, backends: 2, down: []int{1},
			clients: calls(0, 100, 200)},
		{name: "both refuse", policy: of(rr, 1, 2), paths: two, backends: 2, down: []int{0, 1},
			clients: calls(0, 100, 200)},
		{name: "killed and back", policy: of(rr, 1, 1), paths: two, backends: 2,
			down: []int{1}, clients: calls(0, 2000, 2550, 2700, 5000),
			steps: []step{restarted(500, 1), killed(2500, 0), restarted(3000, 0)}},
		{name: "a pick_first that is lost is not woken", policy: of(pf, 1), paths: two,
			backends: 2, clients: within(1000, calls(0, 600, 5000)),
			steps: []step{stopped(500, 0), restarted(510, 0)}},
		{name: "an empty list", policy: of(rr, 1), paths: two, backends: 2,
			clients: calls(0, 600), steps: []step{resolved(500)}},
		{name: "inside priority", policy: first(of(rr, 1, 2), rr), backends: 3,
			paths: []string{"p0/a", "p0/b", "p1"}, down: []int{1},
			clients: calls(0, 2000, 2600, 2700, 5000),
			steps: []step{restarted(500, 1), killed(2500, 0), killed(2510, 1),
				restarted(4000, 0)}},
	})
}
