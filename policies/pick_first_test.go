package policies_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// Rows of grpc-go's own tests of pick_first, restated (balancer/pickfirst/*_test.go, v1.85.0), and
// what ports of it commonly get wrong.
func TestPickFirst(t *testing.T) {
	for _, row := range []struct {
		rule   string
		policy string
		steps  []step
	}{
		{"the first address connects: CONNECTING, READY, no failure", "pick_first", []step{
			{"resolve a b", "report CONNECTING; new a; connect a"},
			{"subconn a READY", "report READY"},
		}},
		{"the first address is down: the second, still without a failure", "pick_first", []step{
			{"resolve a b", "report CONNECTING; new a; connect a"},
			{"fail a", "new b; connect b"},
			{"subconn b READY", "shutdown a; report READY"},
		}},
		{"all in flight: TRANSIENT_FAILURE when the last of all has failed", "pick_first", []step{
			{"resolve a b c", "report CONNECTING; new a; connect a"},
			{"advance 250ms", "at 250ms: new b; at 250ms: connect b"},
			{"advance 250ms", "at 500ms: new c; at 500ms: connect c"},
			{"fail a", ""},
			{"fail c", ""},
			{"fail b", "report TRANSIENT_FAILURE"},
		}},
		{"the second is tried too after 250 ms and wins", "pick_first", []step{
			{"resolve a b", "report CONNECTING; new a; connect a"},
			{"advance 250ms", "at 250ms: new b; at 250ms: connect b"},
			{"subconn b READY", "shutdown a; report READY"},
			{"pick 1", "b"},
		}},
		{"a failure, then the timer: one more address each", "pick_first", []step{
			{"resolve a b c", "report CONNECTING; new a; connect a"},
			{"fail a", "new b; connect b"},
			{"advance 250ms", "at 250ms: new c; at 250ms: connect c"},
			{"subconn b READY", "shutdown a; shutdown c; report READY"},
		}},
		{"a failure of the current address starts the 250 ms anew", "pick_first", []step{
			{"resolve a b c", "report CONNECTING; new a; connect a"},
			{"advance 200ms", ""},
			{"fail a", "new b; connect b"},
			{"advance 249ms", ""},
			{"advance 1ms", "at 450ms: new c; at 450ms: connect c"},
		}},
		{"a failure of an earlier address advances nothing", "pick_first", []step{
			{"resolve a b c", "report CONNECTING; new a; connect a"},
			{"advance 250ms", "at 250ms: new b; at 250ms: connect b"},
			{"fail a", ""},
			{"advance 250ms", "at 500ms: new c; at 500ms: connect c"},
			{"advance 1h", ""}, // no timer for the last
		}},
		{"each address is tried once, in order; after the last there is none", "pick_first", []step{
			{"resolve a b c", "report CONNECTING; new a; connect a"},
			{"fail a", "new b; connect b"},
			{"fail b", "new c; connect c"},
			{"fail c", "report TRANSIENT_FAILURE"},
			{"advance 1h", ""},
		}},
		{"a connection lost before it was READY counts as one", "pick_first", []step{
			{"resolve a b c", "report CONNECTING; new a; connect a"},
			{"advance 250ms", "at 250ms: new b; at 250ms: connect b"},
			{"subconn b IDLE", "shutdown a; report IDLE"},
			{"advance 1h", ""},
			{"pick 1", "report CONNECTING; new a#2; connect a#2; queue"},
		}},
	} {
		t.Run(row.rule, func(t *testing.T) { playAll(t, row.policy, row.steps) })
	}
}

// passFailed is a first pass over two addresses that fails. Then a is CONNECTING again and b is in
// backoff.
var passFailed = []step{
	{"resolve a a b a", "report CONNECTING; new a; connect a"},
	{"fail a refused", "new b; connect b"},
	{"subconn a IDLE", ""}, // no second attempt within the pass
	{"pick 1", "queue"},
	{"fail b refused", "report TRANSIENT_FAILURE; connect a"},
	{"pick 1", "fail(UNAVAILABLE: refused)"},
}

// Failure after the pass: the same addresses again and again, TRANSIENT_FAILURE until READY (A62).
func TestPickFirstAfterThePass(t *testing.T) {
	for _, row := range []struct {
		rule  string
		steps []step
	}{
		{"a repeated address counts once; as many failures as addresses make a report", []step{
			{"subconn b IDLE", "connect b"}, // after its own backoff, not before
			{"fail b unreachable", ""},
			{"subconn b IDLE", "connect b"},
			{"fail b gone", "report TRANSIENT_FAILURE"},
			{"pick 1", "fail(UNAVAILABLE: gone)"},
		}},
		{"connecting again does not leave TRANSIENT_FAILURE", []step{
			{"subconn b IDLE", "connect b"},
			{"pick 1", "fail(UNAVAILABLE: refused)"},
			{"subconn b READY", "shutdown a; report READY"},
			{"pick 1", "b"},
		}},
		{"a resolver error replaces the reason and shuts nothing down", []step{
			{"resolver-error no such host", "report TRANSIENT_FAILURE"},
			{"pick 1", "fail(UNAVAILABLE: name resolver error: no such host)"},
			{"subconn a READY", "shutdown b; report READY"},
		}},
		{"ExitIdle does nothing but in IDLE", []step{
			{"exit-idle", ""},
		}},
		{"no address is given up for good", []step{
			{"fail a", ""}, {"subconn a IDLE", "connect a"},
			{"fail a", "report TRANSIENT_FAILURE"}, {"subconn a IDLE", "connect a"},
			{"subconn b IDLE", "connect b"},
			{"fail a", ""}, {"subconn a IDLE", "connect a"},
			{"fail b", "report TRANSIENT_FAILURE"}, {"subconn b IDLE", "connect b"},
		}},
	} {
		t.Run(row.rule, func(t *testing.T) {
			playAll(t, "pick_first", slices.Concat(passFailed, row.steps))
		})
	}
}

// In TRANSIENT_FAILURE a list starts a new pass.
func TestPickFirstNewPass(t *testing.T) {
	for _, row := range []struct {
		rule  string
		steps []step
	}{
		{"a new list of the same addresses starts a pass and reports nothing", []step{
			{"resolve b a", ""}, // b is in backoff: passed over. a is CONNECTING: awaited
			{"fail a worse", "report TRANSIENT_FAILURE"},
			{"pick 1", "fail(UNAVAILABLE: worse)"},
		}},
		{"a pass over addresses that are all in backoff fails with the last one's reason", []step{
			{"subconn b IDLE", "connect b"},
			{"fail b latest", ""},
			{"fail a worse", "report TRANSIENT_FAILURE"},
			{"resolve a b", "report TRANSIENT_FAILURE"},
			{"pick 1", "fail(UNAVAILABLE: latest)"},
		}},
		{"a new pass counts its failures from the start", []step{
			{"fail a", ""}, // one of two
			{"resolve a b", "report TRANSIENT_FAILURE"},
			{"subconn a IDLE", "connect a"}, {"fail a", ""},
			{"subconn a IDLE", "connect a"}, {"fail a", "report TRANSIENT_FAILURE"},
		}},
		{"one that failed before and connects in a new pass is no news", []step{
			{"resolve a b", ""}, // awaits a
			{"subconn b IDLE", ""},
			{"fail a", "connect b"},
			{"pick 1", "fail(UNAVAILABLE: refused)"},
			{"fail b", "report TRANSIENT_FAILURE"},
		}},
		// A flaw of grpc-go's, kept: A62 would stay in TRANSIENT_FAILURE.
		{"a new address pulls the channel back to CONNECTING", []step{
			{"resolve c a b", "new c; connect c; report CONNECTING"},
			{"fail c", ""}, // a is CONNECTING, so the pass goes on
			{"fail a", "report TRANSIENT_FAILURE"},
		}},
		{"the timer advances, and a failure of before does not count", []step{
			{"resolve a b", ""},   // awaits a
			{"advance 250ms", ""}, // b is in backoff: the end of the list
			{"fail a worse", "report TRANSIENT_FAILURE"},
		}},
	} {
		t.Run(row.rule, func(t *testing.T) {
			playAll(t, "pick_first", slices.Concat(passFailed, row.steps))
		})
	}
}

func TestPickFirstBeforeAnyList(t *testing.T) {
	playAll(t, "pick_first", []step{
		{"resolver-error no such host", "report TRANSIENT_FAILURE"},
		{"pick 1", "fail(UNAVAILABLE: name resolver error: no such host)"},
		{"resolve a", "report CONNECTING; new a; connect a"},
		{"pick 1", "queue"},
	})
}

// A loser may have become READY at the very moment of the winner; its news comes too late.
func TestPickFirstHasOneWinner(t *testing.T) {
	h := policytest.NewHost(policies.PickFirst{}, 1)
	h.Resolve(h.Endpoints("a", "b")...)
	h.Advance(250 * time.Millisecond)
	a, b := h.SubConn("a"), h.SubConn("b")
	h.Set("b", ready)
	for _, c := range []policies.Connectivity{ready, idle, failing} {
		h.Calls()
		h.Deliver(a, c, refused)
		if calls := h.Calls(); len(calls) > 0 {
			t.Errorf("late %v of the loser: balancer asked for %v", c, calls)
		}
		if p := h.Pick(); p.Pick != policies.Send(b) {
			t.Errorf("late %v of the loser: pick %+v, want SubConn %d", c, p, b)
		}
	}
}

func TestPickFirstRefusesOptionsOfTheWrongType(t *testing.T) {
	for _, row := range []struct {
		text string
		good bool
	}{
		{`{}`, true},
		{`{"shuffleAddressList": true}`, true},
		{`{"shuffleAddressList": 666}`, false},
	} {
		err := json.Unmarshal([]byte(row.text), new(policies.PickFirst))
		if (err == nil) != row.good {
			t.Errorf("%s: error %v", row.text, err)
		}
	}
}
