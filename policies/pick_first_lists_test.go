package policies_test

import (
	"slices"
	"testing"
)

// What pick_first does with a new list depends on what it is doing.
func TestPickFirstLists(t *testing.T) {
	connected := []step{
		{"resolve a b", "report CONNECTING; new a; connect a"},
		{"subconn a READY", "report READY"},
	}
	for _, row := range []struct {
		rule   string
		policy string
		steps  []step
	}{
		{"a list with the address in use changes nothing", "pick_first", []step{
			{"resolve b a", ""},
			{"resolve b c a d", ""},
			{"resolve e=(c,a)", ""},
			{"pick 1", "a"},
			{"subconn a IDLE", "report IDLE"},
			{"pick 1", "report CONNECTING; new c; connect c; queue"},
		}},
		{"not even with shuffling", "pick_first shuffle_address_list=true seed=1", []step{
			{"resolve a b c d", ""}, {"resolve a b c d", ""}, {"resolve a b c d", ""},
			{"pick 1", "a"},
		}},
		{"a list without it is tried from the top", "pick_first", []step{
			{"resolve b c", "shutdown a; report CONNECTING; new b; connect b"},
			{"pick 1", "queue"},
		}},
		{"in IDLE a list changes nothing but the list", "pick_first", []step{
			{"subconn a IDLE", "report IDLE"},
			{"resolve b c", "shutdown a"},
			{"pick 2", "report CONNECTING; new b; connect b; queue queue"},
		}},
		{"a broken connection is IDLE; an RPC connects that SubConn again", "pick_first", []step{
			{"subconn a IDLE", "report IDLE"},
			{"pick 2", "report CONNECTING; connect a; queue queue"},
			{"subconn a READY", "report READY"},
			{"resolve c", "shutdown a; report CONNECTING; new c; connect c"},
			{"subconn c READY", "report READY"},
			{"pick 1", "c"},
		}},
		{"ExitIdle connects too", "pick_first", []step{
			{"exit-idle", ""}, // not idle
			{"subconn a IDLE", "report IDLE"},
			{"exit-idle", "report CONNECTING; connect a"},
		}},
		{"no timer runs on once connected", "pick_first", []step{{"advance 1h", ""}}},
		{"a good list is kept through resolver errors", "pick_first", []step{
			{"resolver-error no such host", ""},
			{"pick 1", "a"},
		}},
		{"no endpoints: a failure and an error, until the next list", "pick_first", []step{
			{"resolve", "shutdown a; report TRANSIENT_FAILURE; error: produced zero addresses"},
			{"pick 1", "fail(UNAVAILABLE: name resolver error: produced zero addresses)"},
			{"resolve a", "report CONNECTING; new a#2; connect a#2"},
			{"pick 1", "queue"},
		}},
		// grpc-go waits for addresses that no endpoint has.
		{"endpoints without addresses: CONNECTING, no error", "pick_first", []step{
			{"resolve e=()", "shutdown a; report CONNECTING"},
			{"pick 1", "queue"},
			{"advance 1h", ""},
			{"resolve e=() b", "report CONNECTING; new b; connect b"},
		}},
	} {
		t.Run(row.rule, func(t *testing.T) {
			playAll(t, row.policy, slices.Concat(connected, row.steps))
		})
	}
}

func TestPickFirstListsWhileConnecting(t *testing.T) {
	for _, row := range []struct {
		rule  string
		steps []step
	}{
		{"an attempt goes on, and has 250 ms from now before the next address", []step{
			{"resolve a c", "report CONNECTING"},
			{"advance 249ms", ""},
			{"advance 1ms", "at 450ms: new c; at 450ms: connect c"},
		}},
		{"an address that moves down is still being tried, and the first is tried too", []step{
			{"resolve c a d", "report CONNECTING; new c; connect c"},
			{"fail c", ""}, // a is CONNECTING already
			{"advance 250ms", "at 450ms: new d; at 450ms: connect d"},
		}},
		{"an address that is gone is given up", []step{
			{"resolve c", "shutdown a; report CONNECTING; new c; connect c"},
		}},
		{"no endpoints: nothing is tried any more", []step{
			{"resolve", "shutdown a; report TRANSIENT_FAILURE; error: produced zero addresses"},
			{"advance 1h", ""},
		}},
	} {
		t.Run(row.rule, func(t *testing.T) {
			playAll(t, "pick_first", slices.Concat([]step{
				{"resolve a b", "report CONNECTING; new a; connect a"},
				{"advance 200ms", ""},
			}, row.steps))
		})
	}
}
