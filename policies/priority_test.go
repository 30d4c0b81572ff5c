package policies_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lbsim/policies"
)

// order is a priority of puppets with these names, the first the highest. A name in capitals is of
// the other kind, a name with ! has its hints ignored.
func order(s *stage, names ...string) policies.Priority {
	p := policies.Priority{Children: make(map[string]policies.PriorityChild)}
	for _, name := range names {
		var child policies.PriorityChild
		name, child.IgnoreReresolutionRequests = strings.CutSuffix(name, "!")
		child.Child = puppet{s}
		if lower := strings.ToLower(name); lower != name {
			name, child.Child = lower, doll{s}
		}
		p.Children[name] = child
		p.Priorities = append(p.Priorities, name)
	}
	return p
}

// prior is a priority of puppets at work, whose first child is the only one that is begun.
func prior(names ...string) *stage {
	s := onStage(func(s *stage) policies.Policy { return order(s, names...) })
	s.update(nil)
	return s
}

// built says how many children there have been.
func (s *stage) built() string { return fmt.Sprint(len(s.puppets)) }

// P1, P4: one that is READY or IDLE is used, and nobody below it is begun.
func TestPriorityUsesTheFirst(t *testing.T) {
	for _, c := range []policies.Connectivity{ready, idle} {
		s := prior("p0", "p1")
		expect(t, "report", s.say(0, c), c.String())
		s.Advance(time.Hour)
		expect(t, "p1 is added", s.update(order(s, "p0", "p1")), c.String())
		expect(t, "p1 is removed", s.update(order(s, "p0")), c.String())
		expect(t, "two are added", s.update(order(s, "p0", "p1", "p2")), c.String())
		expect(t, "children", s.built(), "1")
	}
}

// P2: one that connects has 10 s.
func TestPriorityWaits(t *testing.T) {
	s := prior("p0", "p1")
	s.say(0, connecting)
	s.Advance(9999 * time.Millisecond)
	expect(t, "children at 9.999 s", s.built(), "1")
	s.Advance(time.Millisecond)
	expect(t, "children at 10 s", s.built(), "2")
	expect(t, "reports", s.came(), "CONNECTING")
	expect(t, "p1", s.say(1, ready), "READY")
	expect(t, "pick", s.picked(), "puppet 1")
	// p0 may still come.
	expect(t, "p0", s.say(0, ready), "READY")
	expect(t, "pick", s.picked(), "puppet 0")
}

// P3: one that fails gives way at once, and has it all back when it is READY. The one below is
// parked: what it says does not count, what is said to all does not reach it.
func TestPriorityFailsOver(t *testing.T) {
	s := prior("p0", "p1", "p2")
	s.say(0, ready)
	expect(t, "p0 fails", s.say(0, failing), "CONNECTING")
	expect(t, "pick", s.picked(), "waits")
	expect(t, "p1", s.say(1, ready), "READY")
	expect(t, "p0 connects", s.say(0, connecting, connecting, failing), "")
	expect(t, "pick", s.picked(), "puppet 1")
	expect(t, "p0 is back", s.say(0, ready), "READY")
	expect(t, "p1 is parked", s.say(1, failing, connecting, ready), "")
	s.puppets[1].take()
	s.Balancer.ResolverError(refused)
	s.Balancer.ExitIdle()
	s.update(nil, "p0", "p1")
	expect(t, "p1 gets", s.puppets[1].take(), "")
	s.came()
	expect(t, "p0 fails again", s.say(0, failing), "CONNECTING, READY")
	expect(t, "p1 gets", s.puppets[1].take(), "update [1]")
	expect(t, "children", s.built(), "2")
	expect(t, "p1 fails", s.say(1, failing), "CONNECTING")
	expect(t, "p2 fails", s.say(2, failing), "TRANSIENT_FAILURE")
	expect(t, "pick", s.picked(), "fails: puppet 2")
	// The last one is used however it fares.
	expect(t, "p2 connects", s.say(2, connecting), "CONNECTING")
	expect(t, "p0 connects", s.say(0, connecting), "")
	expect(t, "p1 is back", s.say(1, idle), "IDLE")
}

// P5: when a child is given 10 s.
func TestPriorityTimer(t *testing.T) {
	const sec = time.Second
	for _, row := range []struct {
		name   string
		says   states        // at 4 s
		second states        // at 8 s
		at     time.Duration // p1 is begun; 0 for never
	}{
		{"silent", nil, nil, 10 * sec},
		{"CONNECTING goes on", states{connecting}, states{connecting}, 10 * sec},
		{"IDLE and CONNECTING: anew", states{idle, connecting}, states{connecting}, 14 * sec},
		{"READY, IDLE, CONNECTING: anew", states{ready, idle},
			states{connecting, connecting}, 18 * sec},
		{"READY, CONNECTING: RPCs wait", states{ready, connecting}, nil, 14 * sec},
		{"fails", states{failing}, states{connecting}, 4 * sec},
		{"READY and fails", states{ready, connecting}, states{failing}, 8 * sec},
		{"IDLE for good (M5)", states{idle}, states{idle}, 0},
	} {
		s := prior("p0", "p1")
		s.Advance(4 * sec)
		s.say(0, row.says...)
		if row.at != 4*sec {
			s.Advance(4 * sec)
			s.say(0, row.second...)
		}
		if row.at > 8*sec {
			s.Advance(row.at - 8*sec - 1)
			expect(t, row.name+": before", s.built(), "1")
			s.Advance(1)
		}
		if row.at == 0 {
			s.Advance(time.Hour)
			expect(t, row.name, s.built(), "1")
			continue
		}
		expect(t, row.name, s.built(), "2")
	}
}

// After a failure there is no second waiting: CONNECTING is no better than the failure.
func TestPriorityDoesNotWaitTwice(t *testing.T) {
	s := prior("p0", "p1")
	s.say(0, failing)
	s.say(1, failing)
	s.came()
	expect(t, "p0 connects", s.say(0, connecting), "")
	expect(t, "pick", s.picked(), "fails: puppet 1")
	s.Advance(time.Hour)
	expect(t, "later", s.came(), "")
}

// P6: the only child leaves and comes back. It is closed and made anew.
func TestPriorityRemovesForGood(t *testing.T) {
	s := prior("p0")
	s.say(0, ready)
	expect(t, "none", s.update(policies.Priority{}), "TRANSIENT_FAILURE")
	expect(t, "pick", s.picked(), "fails: no priority is provided, all priorities are removed")
	expect(t, "p0", s.puppets[0].take(), "update []; close")
	expect(t, "p0 again", s.update(order(s, "p0")), "CONNECTING")
	expect(t, "children", s.built(), "2")
}

// M4: a child that is stopped keeps its connections for 15 min, even one that leaves the
// configuration.
func TestPriorityParks(t *testing.T) {
	s := prior("p0", "p1")
	s.say(0, failing)
	s.say(1, ready)
	s.puppets[1].take()
	expect(t, "p0 is back", s.say(0, ready), "READY")
	s.update(order(s, "p0"))
	s.Advance(15*time.Minute - 1)
	expect(t, "p1 just before", s.puppets[1].take(), "")
	s.Advance(1)
	expect(t, "p1", s.puppets[1].take(), "close")

	// Time runs anew each time; it is of no matter to one that is at work again.
	s.update(order(s, "p0", "p1"))
	s.say(0, failing)
	s.say(2, ready)
	s.say(0, ready)
	s.update(order(s, "p0"))
	s.Advance(10 * time.Minute)
	s.update(order(s, "p0", "p1"))
	s.say(0, failing)
	expect(t, "pick", s.picked(), "puppet 2")
	s.Advance(10 * time.Minute)
	s.say(0, ready)
	s.Advance(10 * time.Minute)
	s.puppets[2].take()
	s.Balancer.Close()
	expect(t, "children", s.built(), "3")
	expect(t, "p1", s.puppets[2].take(), "close")
	expect(t, "p0", s.puppets[0].take()[len("update []; "):], "update []; update []; update []; "+
		"update []; close")
}

// A child of another kind is a new one; the old one is closed, at once or when it would be used.
func TestPriorityKindsChange(t *testing.T) {
	s := prior("p0", "p1")
	s.say(0, failing)
	s.say(1, ready)
	expect(t, "p1 in use", s.update(order(s, "p0", "P1")), "CONNECTING")
	expect(t, "the old", s.puppets[1].take(), "update []; close")
	s.say(2, ready)
	s.say(0, ready)
	expect(t, "p1 parked", s.update(order(s, "p0", "p1")), "READY")
	expect(t, "the old", s.puppets[2].take(), "update []")
	expect(t, "p0 fails", s.say(0, failing), "CONNECTING")
	expect(t, "the old", s.puppets[2].take(), "close")
	expect(t, "children", s.built(), "4")
}

// The order changes: the first that is usable is used, whoever was.
func TestPriorityOrderChanges(t *testing.T) {
	s := prior("p0", "p1")
	s.say(0, failing)
	s.say(1, ready)
	expect(t, "turned round", s.update(order(s, "p1", "p0")), "READY")
	expect(t, "p0", s.puppets[0].take(), "update []; update []")
	expect(t, "pick", s.picked(), "puppet 1")
	// p0 was stopped, and is given time again though it has failed before. What it said last is
	// what it has to say.
	expect(t, "p1 fails", s.say(1, failing), "CONNECTING, TRANSIENT_FAILURE")
	expect(t, "p0 connects", s.say(0, connecting), "CONNECTING")
}

// A child that has no use for what it is brought has failed. What it has said meanwhile counts
// after that.
func TestPriorityChildRefuses(t *testing.T) {
	s := prior("p0", "p1")
	s.say(0, ready)
	s.puppets[0].err = errUseless
	expect(t, "refused", s.update(nil), "CONNECTING, CONNECTING")
	expect(t, "children", s.built(), "2")
	s.puppets[1].err = errUseless
	expect(t, "p1 too", s.update(nil), "TRANSIENT_FAILURE, TRANSIENT_FAILURE")
	expect(t, "pick", s.picked(), "fails: useless")
	s.puppets[0].says = states{ready}
	expect(t, "READY all the same", s.update(nil), "TRANSIENT_FAILURE, READY")
	expect(t, "pick", s.picked(), "puppet 0")
}

// Hints to the resolver, unless they are ignored. A child that is parked hints as well, and one
// that left meanwhile and came back does so as it did.
func TestPriorityHints(t *testing.T) {
	s := prior("p0!", "p1")
	hint := func(puppet int) string {
		s.came()
		s.puppets[puppet].ResolveNow()
		return s.came()
	}
	expect(t, "p0", hint(0), "")
	s.say(0, failing)
	expect(t, "p1", hint(1), "resolve now")
	s.update(order(s, "p0", "p1!"))
	expect(t, "p0", hint(0), "resolve now")
	expect(t, "p1", hint(1), "")
	s.say(0, ready)
	expect(t, "p1, parked", hint(1), "")
	s.update(order(s, "p0"))
	s.update(order(s, "p0", "p1"))
	s.say(0, failing)
	expect(t, "p1, which is the same as before", hint(1), "")
}

// P7, and what grpc-go takes and cannot do.
func TestPriorityCheck(t *testing.T) {
	children := func(names ...string) map[string]policies.PriorityChild {
		m := make(map[string]policies.PriorityChild)
		for _, n := range names {
			m[n] = policies.PriorityChild{Child: policies.RoundRobin{}}
		}
		return m
	}
	for _, row := range []struct {
		p          policies.Priority
		want       string
		unworkable bool
	}{
		{policies.Priority{}, "", false},
		{policies.Priority{children("a", "b"), []string{"b", "a"}}, "", false},
		{policies.Priority{children("a"), []string{"a", "b"}},
			`priorities: "b" is not in children`, false},
		{policies.Priority{children("a", "b"), []string{"a"}},
			`children: "b" is not in priorities`, false},
		{policies.Priority{children("a"), []string{"a", "a"}},
			`priorities: "a" stands twice`, true},
		{policies.Priority{map[string]policies.PriorityChild{"a": {}}, []string{"a"}},
			"children.a.child: must be a policy", true},
	} {
		err := row.p.Check()
		got := ""
		if err != nil {
			got = err.Error()
		}
		if _, is := err.(policies.Unworkable); got != row.want || is != row.unworkable {
			t.Errorf("%+v: got %q (unworkable %t), want %q (%t)", row.p, got, is, row.want,
				row.unworkable)
		}
	}
}
