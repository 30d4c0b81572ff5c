package policies

import (
	"testing"
	"time"
)

// switched is a gracefulSwitch as a policy.
type switched struct{}

func (switched) Doc() string           { return "a policy that may be replaced" }
func (switched) Build(h Host) Balancer { return newGracefulSwitch(h) }

// When the old policy is replaced by the new one, by what each has reported (X6 and more).
func TestGracefulSwitch(t *testing.T) {
	for _, row := range []struct {
		name     string
		old      []Connectivity // before there is a new policy
		then     func(s *stage) string
		reported string
		now      string // who is asked for picks
	}{
		{"READY, and the new one only begins", []Connectivity{Ready},
			func(s *stage) string { return s.say(1, Connecting) }, "", "puppet 0"},
		{"READY, and the new one is", []Connectivity{Ready},
			func(s *stage) string { return s.say(1, Connecting, Ready) }, "READY", "puppet 1"},
		{"READY, and the new one is IDLE", []Connectivity{Ready},
			func(s *stage) string { return s.say(1, Idle) }, "IDLE", "waits"},
		{"READY, and the new one fails", []Connectivity{Ready},
			func(s *stage) string { return s.say(1, TransientFailure) }, "TRANSIENT_FAILURE",
			"fails: puppet 1"},
		{"READY again goes on", []Connectivity{Ready},
			func(s *stage) string { return s.say(0, Ready) }, "READY", "puppet 0"},
		{"leaves READY: what the new one said", []Connectivity{Ready},
			func(s *stage) string { return s.say(1, Connecting) + s.say(0, Idle) }, "CONNECTING",
			"waits"},
		{"leaves READY before the new one said anything", []Connectivity{Ready},
			func(s *stage) string { return s.say(0, TransientFailure) }, "CONNECTING", "waits"},
		{"not READY: the new one at once", []Connectivity{Connecting},
			func(s *stage) string { return s.say(1, Connecting) }, "CONNECTING", "waits"},
		{"failed: the new one at once", []Connectivity{TransientFailure},
			func(s *stage) string { return s.say(1, Connecting) }, "CONNECTING", "waits"},
		{"replaced, and what the old one says then", []Connectivity{Ready},
			func(s *stage) string { return s.say(1, Ready) + s.say(0, Idle) }, "READY", "puppet 1"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := onStage(func(*stage) Policy { return switched{} })
			s.update(puppet{s})
			s.say(0, row.old...)
			s.update(doll{s})
			expect(t, "reports", row.then(s), row.reported)
			expect(t, "pick", s.picked(), row.now)
		})
	}
}

func TestGracefulSwitchTellsTheLatest(t *testing.T) {
	s := onStage(func(*stage) Policy { return switched{} })
	s.b.ResolverError(refused)
	expect(t, "an error before there is a policy", s.came(), "TRANSIENT_FAILURE")
	s.b.ExitIdle()
	s.update(puppet{s}, "x")
	s.say(0, Ready)
	s.update(doll{s}, "x", "y")
	s.b.ResolverError(refused)
	s.b.ExitIdle()
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
	s.say(2, Ready)
	expect(t, "the first", s.puppets[0].take(), "close")
	expect(t, "pick", s.picked(), "puppet 2")
	s.b.Close()
	expect(t, "the third", s.puppets[2].take(), "update [0/x]; close")
}

// While the new policy connects there are connections of both; those of the old one end with it.
func TestGracefulSwitchConnections(t *testing.T) {
	s := onStage(func(*stage) Policy { return switched{} })
	list := s.singles("a", "b")
	s.b.Update(State{Endpoints: list, Policy: RoundRobin{}})
	s.settle()
	s.connectAll()
	s.b.Update(State{Endpoints: list, Policy: LeastRequest{ChoiceCount: 2}})
	s.settle()
	s.came()
	first, second := s.subConns[0].name, s.subConns[1].name
	s.deliver(0, Idle, nil)
	expect(t, "the old reconnects", s.came(), "READY, READY, connect "+first)
	s.set("a#2", Ready)
	expect(t, "swap", s.came(), "READY, shutdown "+first+", shutdown "+second)
	s.set("b#2", Ready)
	expect(t, "goes on", s.came(), "READY")
	if l := s.pick(); l.SubConn != s.named("a#2") && l.SubConn != s.named("b#2") {
		t.Errorf("picked %s", s.subConns[l.SubConn].name)
	}
	s.advance(time.Hour)
	expect(t, "later", s.came(), "")
}
