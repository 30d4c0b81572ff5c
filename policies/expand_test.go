package policies_test

import (
	"slices"
	"strings"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
	"lbsim/sim"
)

// expand is the weighted policy of a published client: each READY endpoint stands in a list as
// often as its weight says, at least once, and a pointer goes round that begins anywhere at each
// new picker.
type expand struct {
	weights []int // by the ID of the endpoint
	rand    *sim.Rand
	list    []policies.SubConn
	next    int
}

func (e *expand) Doc() string { return "in turn over a list with repetitions" }

func (e *expand) Build(h policies.Host) policies.Balancer {
	e.rand = h.Rand()
	return policies.NewEndpointSharding(h, e)
}

func (e *expand) Update(ready []policies.ReadyEndpoint) {
	e.list = nil
	for _, r := range ready {
		times := max(1, e.weights[r.ID])
		e.list = append(e.list, slices.Repeat([]policies.SubConn{r.SubConn}, times)...)
	}
	e.next = e.rand.IntN(len(e.list))
}

func (e *expand) Pick(policies.Call) policies.Pick {
	sc := e.list[e.next]
	e.next = (e.next + 1) % len(e.list)
	return policies.Send(sc)
}

func (e *expand) Done(policies.Pick, policies.Outcome) {}

// expanded returns what such a client prints: ten calls, a picker for the same list, three calls,
// another weight for the first endpoint, and n calls.
func expanded(seed uint64, weight, n int) string {
	e := &expand{weights: []int{1, 1, 1}}
	h := policytest.NewHost(e, seed)
	list := h.Endpoints("1", "2", "3")
	h.Resolve(list...)
	h.ConnectAll()
	var words []string
	calls := func(n int) {
		for range n {
			words = append(words, h.Name(h.Pick().SubConn))
		}
	}
	calls(10)
	h.Resolve(list...)
	calls(3)
	e.weights[0] = weight
	h.Resolve(list...)
	calls(n)
	return strings.Join(words, " ")
}

// Printed by the client: 2 3 1 2 3 1 2 3 1 2, then from a new picker 1 2 3, then with weight 5 for
// the first the others. Chance gives the three places to begin at: one of 63 seeds has these.
func TestDemo4ExpandByWeight(t *testing.T) {
	const printed = "2 3 1 2 3 1 2 3 1 2 1 2 3 1 1 1 1 1 2 3 1"
	const seeds = 1000 // that none of them has it is a matter of 1e-7
	for seed := range uint64(seeds) {
		if expanded(seed, 5, 8) == printed {
			return
		}
	}
	t.Errorf("none of %d seeds gives %s; the first gives %s", seeds, printed, expanded(0, 5, 8))
}

// Wherever it begins, the period is 7, the shares are 5:1:1, and the five come in a row. A weight
// of 0 or less counts as 1.
func TestDemo4SharesAndBursts(t *testing.T) {
	for seed := range uint64(50) {
		period := strings.Fields(expanded(seed, 5, 14))[13:]
		if !slices.Equal(period[:7], period[7:]) {
			t.Errorf("seed %d: picks %v, want a period of 7", seed, period)
		}
		if !strings.Contains(strings.Join(period, ""), "1111123") {
			t.Errorf("seed %d: picks %v, want 1 1 1 1 1 2 3 among them", seed, period)
		}
		if last := expanded(seed, -1, 3)[26:]; !strings.Contains("1 2 3 1 2", last) {
			t.Errorf("seed %d: picks %s with a weight of -1, want turns", seed, last)
		}
	}
}
