package policies_test

import (
	"testing"
	"time"

	"lbsim/policies"
)

// When the old policy is replaced by the new one, by what each has reported (X6 and more).
func TestGracefulSwitch(t *testing.T) {
	for _, row := range []struct {
		name     string
		old      states // before there is a new policy
		then     func(s *stage) string
		reported string
		now      string // who is asked for picks
	}{
		{"READY, and the new one only begins", states{ready},
			func(s *stage) string { return s.say(1, connecting) }, "", "puppet 0"},
		{"READY, and the new one is", states{ready},
			func(s *stage) string { return s.say(1, connecting, ready) }, "READY", "puppet 1"},
		{"READY, and the new one is IDLE", states{ready},
			func(s *stage) string { return s.say(1, idle) }, "IDLE", "waits"},
		{"READY, and the new one fails", states{ready},
			func(s *stage) string { return s.say(1, failing) }, "TRANSIENT_FAILURE",
			"fails: puppet 1"},
		{"READY again goes on", states{ready},
			func(s *stage) string { return s.say(0, ready) }, "READY", "puppet 0"},
		{"leaves READY: what the new one said", states{ready},
			func(s *stage) string { return s.say(1, connecting) + s.say(0, idle) }, "CONNECTING",
			"waits"},
		{"leaves READY before the new one said anything", states{ready},
			func(s *stage) string { return s.say(0, failing) }, "CONNECTING", "waits"},
		{"not READY: the new one at once", states{connecting},
			func(s *stage) string { return s.say(1, connecting) }, "CONNECTING", "waits"},
		{"failed: the new one at once", states{failing},
			func(s *stage) string { return s.say(1, connecting) }, "CONNECTING", "waits"},
		{"replaced, and what the old one says then", states{ready},
			func(s *stage) string { return s.say(1, ready) + s.say(0, idle) }, "READY", "puppet 1"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := onStage(func(*stage) policies.Policy { return policies.FromServiceConfig{} })
			s.update(puppet{s})
			s.say(0, row.old...)
			s.update(doll{s})
			expect(t, "reports", row.then(s), row.reported)
			expect(t, "pick", s.picked(), row.now)
		})
	}
}

func TestGracefulSwitchTellsTheLatest(t *testing.T) {
	s := onStage(func(*stage) policies.Policy { return policies.FromServiceConfig{} })
	s.Balancer.ResolverError(refused)
	expect(t, "an error before there is a policy", s.came(), "TRANSIENT_FAILURE")
	s.Balancer.ExitIdle()
	s.update(puppet{s}, "x")
	s.say(0, ready)
	s.update(doll{s}, "x", "y")
	s.Balancer.ResolverError(refused)
	s.Balancer.ExitIdle()
	expect(t, "the old", s.puppets[0].take(), "update [0/x]")
	expect(t, "the new", s.puppets[1].take(), "update [0/x 1/y]; error refused; exit idle")

	s.came()
	s.puppets[0].ResolveNow()
	expect(t, "a hint of the old", s.came(), "")
	s.puppets[1].ResolveNow()
	expect(t, "a hint of the new", s.came(), "resolve now")

	// A third takes the place of the second, which was never used.
	s.update(puppet{s}, "x")
	expect(t, "the second", s.puppets[1].take(), "close")
	s.say(2, ready)
	expect(t, "the first", s.puppets[0].take(), "close")
	expect(t, "pick", s.picked(), "puppet 2")
	s.Balancer.Close()
	expect(t, "the third", s.puppets[2].take(), "update [0/x]; close")
}

// While the new policy connects there are connections of both; those of the old one end with it.
func TestGracefulSwitchConnections(t *testing.T) {
	s := onStage(func(*stage) policies.Policy { return policies.FromServiceConfig{} })
	list := s.Endpoints("a", "b")
	s.Balancer.Update(policies.State{Endpoints: list, Policy: policies.RoundRobin{}})
	s.Settle()
	s.ConnectAll()
	other := policies.LeastRequest{ChoiceCount: 2}
	s.Balancer.Update(policies.State{Endpoints: list, Policy: other})
	s.Settle()
	s.came()
	first, second := s.Name(0), s.Name(1)
	s.Deliver(0, idle, nil)
	expect(t, "the old reconnects", s.came(), "READY, READY, connect "+first)
	s.Set("a#2", ready)
	expect(t, "swap", s.came(), "READY, shutdown "+first+", shutdown "+second)
	s.Set("b#2", ready)
	expect(t, "goes on", s.came(), "READY")
	if l := s.Pick(); l.SubConn != s.SubConn("a#2") && l.SubConn != s.SubConn("b#2") {
		t.Errorf("picked %s", s.Name(l.SubConn))
	}
	s.Advance(time.Hour)
	expect(t, "later", s.came(), "")
}
