package policies_test

import (
	"fmt"
	"math"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// puppets is a weighted_target of puppets called a, b and so on with these weights.
func puppets(s *stage, weights ...uint32) policies.WeightedTarget {
	w := policies.WeightedTarget{Targets: make(map[string]policies.Target)}
	for i, weight := range weights {
		w.Targets[string(rune('a'+i))] = policies.Target{weight, puppet{s}}
	}
	return w
}

// weighed is a weighted_target of puppets at work.
func weighed(weights ...uint32) *stage {
	s := onStage(func(s *stage) policies.Policy { return puppets(s, weights...) })
	s.update(nil)
	return s
}

// The state of all by those of the children (C1, C2, C4, G4, G6).
func TestWeightedTargetAggregates(t *testing.T) {
	const c, r, i, f = connecting, ready, idle, failing
	for _, row := range []struct {
		states []states // of each child, one after the other
		want   policies.Connectivity
		picked string
	}{
		{[]states{{i}}, i, "waits"},
		{[]states{{c}}, c, "waits"},
		{[]states{{r}}, r, "puppet 0"},
		{[]states{{f}}, f, "fails: puppet 0"},
		{[]states{{r, r, r}}, r, "puppet 0"},
		{[]states{{f, f}}, f, "fails: puppet 0"},
		{[]states{{i, c, r, f, r}}, r, "puppet 0"},
		{[]states{{c, r, f, i}}, i, "waits"},
		{[]states{{f}, {i}, {r}, {c}}, r, "puppet 2"},
		{[]states{{f}, {i}, {c}}, c, "waits"},
		{[]states{{f}, {i}}, i, "waits"},
		{[]states{{f}, {}}, c, "waits"},
		// After a failure CONNECTING is none, but only at first (M10).
		{[]states{{f, c}}, f, "waits"},
		{[]states{{f, c, c}}, c, "waits"},
		{[]states{{f, c, i, c}}, c, "waits"},
	} {
		s := weighed(make([]uint32, len(row.states))...)
		for n, states := range row.states {
			s.say(n, states...)
		}
		if s.State != row.want || s.picked() != row.picked {
			t.Errorf("%v: got %v and %s, want %v and %s", row.states, s.State, s.picked(),
				row.want, row.picked)
		}
	}
}

// G5: a child that begins to connect after a failure changes its picker, not the state.
func TestWeightedTargetFailsOn(t *testing.T) {
	s := onStage(func(*stage) policies.Policy {
		return policies.WeightedTarget{Targets: map[string]policies.Target{
			"p0": {1, policies.RoundRobin{}}, "p1": {1, policies.RoundRobin{}},
		}}
	})
	s.Resolve(s.Endpoints("a", "b")...)
	s.Set("a", failing)
	s.Set("b", failing)
	s.Set("a", idle)
	s.came()
	expect(t, "pick", s.picked(), "fails: refused")
	expect(t, "reports", s.came(), "")
}

// G6: children report while they are updated, and all of it is one report. M9 and M10 apart, there
// is none where nothing is new.
func TestWeightedTargetReportsOnce(t *testing.T) {
	s := weighed(1, 2)
	s.say(0, ready)
	s.puppets[0].says = states{failing, connecting, ready}
	s.puppets[1].says = states{ready}
	expect(t, "both", s.update(nil), "READY")
	expect(t, "neither", s.update(nil), "")
	expect(t, "a new weight", s.update(puppets(s, 5, 2)), "")
	expect(t, "a new target", s.update(puppets(s, 5, 2, 1)), "READY")
	expect(t, "one target less", s.update(puppets(s, 5, 2)), "READY")
	expect(t, "it", s.puppets[2].take(), "update []; close")
	expect(t, "another kind", s.update(policies.WeightedTarget{Targets: map[string]policies.Target{
		"a": {5, puppet{s}}, "b": {2, doll{s}},
	}}), "READY")
	expect(t, "none", s.update(policies.WeightedTarget{}), "TRANSIENT_FAILURE")
	expect(t, "pick", s.picked(), "fails: weighted-target: no targets to pick from")
	expect(t, "none again", s.update(nil), "TRANSIENT_FAILURE")
}

// What children make of their endpoints is their affair.
func TestWeightedTargetDividesEndpoints(t *testing.T) {
	s := weighed(1, 1)
	s.puppets[0].take()
	s.puppets[0].err = errUseless
	expect(t, "update", s.update(nil, "a", "b/x/y", "c", "a/z", ""), "")
	expect(t, "a", s.puppets[0].take(), "update [0 3/z]")
	expect(t, "b", s.puppets[1].take(), "update []; update [1/x/y]")
	s.Balancer.ResolverError(refused)
	s.Balancer.ExitIdle()
	s.Balancer.Close()
	expect(t, "a", s.puppets[0].take(), "error refused; exit idle; close")
	expect(t, "b", s.puppets[1].take(), "error refused; exit idle; close")
}

// G1: shares of 10,000 draws. The bound is that of grpc-go's own test, 5 % of a share, which is
// wider than three standard deviations of the smallest share but one; the seed is one that passes.
func TestWeightedTargetShares(t *testing.T) {
	for _, weights := range [][]uint32{{1, 1, 1}, {1, 2, 3}, {5, 3, 2}, {17, 23, 37}} {
		s := weighed(weights...)
		count := make([]float64, len(weights))
		var sum uint32
		for i, w := range weights {
			s.say(i, ready)
			sum += w
		}
		const n = 10_000
		for range n {
			p := s.Picker.Pick(policies.Call{})
			count[p.SubConn]++
			s.Picker.Done(p, policies.Outcome{})
		}
		for i, w := range weights {
			want := n * float64(w) / float64(sum)
			if got := count[i]; math.Abs(got-want) > 0.05*want {
				t.Errorf("%v: child %d has %v of %v, want about %.0f", weights, i, got, n, want)
			}
		}
	}
}

// A weight of 0 gets nothing unless all that are READY have it (M2).
func TestWeightedTargetWithoutWeight(t *testing.T) {
	for _, row := range []struct {
		weights []uint32
		want    string
	}{
		{[]uint32{0, 7}, "puppet 1"}, {[]uint32{7, 0}, "puppet 0"}, {[]uint32{0}, "puppet 0"},
		{[]uint32{0, 7, 0}, "puppet 1"},
	} {
		s := weighed(row.weights...)
		for i := range row.weights {
			s.say(i, ready)
		}
		for range 20 {
			expect(t, fmt.Sprint(row.weights), s.picked(), row.want)
		}
	}
	s := weighed(0, 0)
	s.say(0, ready)
	s.say(1, ready)
	seen := map[string]bool{}
	for range 20 {
		seen[s.picked()] = true
	}
	if len(seen) != 2 {
		t.Errorf("of two children of weight 0 only %v are picked", seen)
	}
}

// G3: two to one, of two backends each: each backend of a child has its turn.
func TestWeightedTargetOfMoreBackends(t *testing.T) {
	h := policytest.NewHost(policies.WeightedTarget{Targets: map[string]policies.Target{
		"p0": {2, policies.RoundRobin{}}, "p1": {1, policies.RoundRobin{}},
	}}, 1)
	h.Resolve(h.Endpoints("a", "b", "c", "d")...)
	h.ConnectAll()
	turns := make([]int, 4)
	for range 6000 {
		p := h.Picker.Pick(policies.Call{})
		h.Picker.Done(p, policies.Outcome{})
		turns[p.SubConn]++
	}
	of := func(name string) int { return turns[h.SubConn(name)] }
	if a, c := of("a"), of("c"); a-c > 1 || c-a > 1 || a+c < 3900 || a+c > 4100 {
		t.Errorf("p0's have %d and %d of 6000, want 2000 each", a, c)
	}
	if b, d := of("b"), of("d"); b-d > 1 || d-b > 1 {
		t.Errorf("p1's have %d and %d of 6000, want 1000 each", b, d)
	}
}

// Done goes to the child that sent the RPC, though there is another picker since.
func TestWeightedTargetDone(t *testing.T) {
	h := policytest.NewHost(policies.WeightedTarget{Targets: map[string]policies.Target{
		"p0": {1, policies.LeastRequest{ChoiceCount: 2}},
		"p1": {1, policies.LeastRequest{ChoiceCount: 2}},
	}}, 1)
	h.Resolve(h.Endpoints("a", "b", "c", "d")...)
	h.ConnectAll()
	var open []policytest.RPC
	for range 100 {
		open = append(open, h.Pick())
	}
	if n := policies.InFlightBelow(h.Balancer); n != 100 {
		t.Errorf("%d of 100 are counted", n)
	}
	h.Set("a", idle)
	for _, rpc := range open {
		rpc.Done(policies.Outcome{})
	}
	if n := policies.InFlightBelow(h.Balancer); n != 0 {
		t.Errorf("all are done, and %d are counted", n)
	}
}

// X5: zones of weights 2 and 1 are targets of these weights; the last weight of a zone counts.
func TestWRRLocality(t *testing.T) {
	s := onStage(func(s *stage) policies.Policy { return policies.WRRLocality{puppet{s}} })
	in := func(name, zone string, weight uint32, path ...string) *policies.Endpoint {
		e := s.Endpoint(name)
		e.Locality, e.LocalityWeight, e.Path = zone, weight, path
		return e
	}
	s.Resolve(in("a", "east", 9), in("b", "west", 1, "west", "x"), in("c", "east", 2, "x"))
	targets := policies.TargetsOf(s.Balancer)
	if got := fmt.Sprint(targets["east"].Weight, targets["west"].Weight,
		len(targets)); got != "2 1 2" {
		t.Errorf("weights %s, want 2 1 2", got)
	}
	expect(t, "east", s.puppets[0].take(), "update [a c/x]")
	expect(t, "west", s.puppets[1].take(), "update [b/x]")
	err := s.Resolve(in("a", "east", 1), in("b", "west", 0))
	expect(t, "no weight", err.Error(),
		`xds_wrr_locality: missing locality weight information in endpoint "b"`)
	none := s.Endpoint()
	none.LocalityWeight = 0
	expect(t, "no address", s.Resolve(none).Error(),
		`xds_wrr_locality: missing locality weight information in endpoint ""`)
	expect(t, "east", s.puppets[0].take(), "")
}
