package policies_test

import (
	"slices"
	"strings"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
	"lbsim/sim"
)

// With this seed the list is not rotated.
const roundRobin = "round_robin seed=14"

var threeReady = []step{
	{"resolve a b c", "new a; connect a; new b; connect b; new c; connect c; report CONNECTING"},
	{"pick 1", "queue"},
	{"subconn a READY", "report READY"},
	{"subconn b READY", "report READY"},
	{"subconn c READY", "report READY"},
}

// The rows of grpc-go's tests of endpointsharding and round_robin, restated (v1.85.0).
func TestRoundRobin(t *testing.T) {
	for _, row := range []struct {
		rule  string
		steps []step
	}{
		{"each iteration is a permutation, and all are the same", []step{
			{"pick 9", "a b c a b c a b c"},
		}},
		{"one is down: in turn over the others", []step{
			{"subconn b IDLE", "report READY; report READY; connect b"},
			{"fail b", "report READY"},
			{"pick 6", "a c a c a c"},
		}},
		{"all are down: RPCs fail with each one's reason in turn", []step{
			{"subconn a IDLE", "report READY; report READY; connect a"},
			{"subconn b IDLE", "report READY; report READY; connect b"},
			{"subconn c IDLE", "report CONNECTING; report CONNECTING; connect c"},
			{"pick 1", "queue"},
			{"fail a one", "report CONNECTING"},
			{"fail b two", "report CONNECTING"},
			{"fail c three", "report TRANSIENT_FAILURE"},
			{"pick 3", "fail(UNAVAILABLE: three) fail(UNAVAILABLE: one) fail(UNAVAILABLE: two)"},
			{"resolver-error test error", "report TRANSIENT_FAILURE"},
			{"pick 1", "fail(UNAVAILABLE: name resolver error: test error)"},
			{"subconn b READY", "report CONNECTING; report READY"},
			{"pick 2", "b b"},
		}},
		{"one fails again and again: a report each time, TRANSIENT_FAILURE throughout", []step{
			{"resolve a", "shutdown b; shutdown c; report READY"},
			{"subconn a IDLE", "report IDLE; report CONNECTING; connect a"},
			{"fail a", "report TRANSIENT_FAILURE"},
			{"subconn a IDLE", "connect a"}, {"fail a", "report TRANSIENT_FAILURE"},
			{"subconn a IDLE", "connect a"}, {"fail a worse", "report TRANSIENT_FAILURE"},
			{"pick 1", "fail(UNAVAILABLE: worse)"},
		}},
		{"a resolver error is a report and no more while there is a list", []step{
			{"resolver-error test error", "report READY"},
			{"pick 3", "b c a"},
		}},
	} {
		t.Run(row.rule, func(t *testing.T) {
			playAll(t, roundRobin, slices.Concat(threeReady, row.steps))
		})
	}
}

func TestRoundRobinLists(t *testing.T) {
	for _, row := range []struct {
		rule  string
		steps []step
	}{
		{"no endpoints: failure and an error; the next list works", []step{
			{"resolve", "shutdown a; shutdown b; shutdown c; report TRANSIENT_FAILURE; " +
				"error: no children to pick from"},
			{"pick 1", "fail(UNAVAILABLE: no children to pick from)"},
			{"resolve a", "new a#2; connect a#2; report CONNECTING"},
			{"pick 1", "queue"},
			{"subconn a READY", "report READY"},
			{"pick 2", "a#2 a#2"},
		}},
		{"a vanished endpoint is shut down after the new ones connect, before the report", []step{
			{"resolve b d", "new d; connect d; shutdown a; shutdown c; report READY"},
			{"pick 2", "b b"},
		}},
		{"an endpoint without addresses is CONNECTING and in nobody's way", []step{
			{"resolve e=() a", "shutdown b; shutdown c; report READY"},
			{"pick 2", "a a"},
			{"subconn a IDLE", "report CONNECTING; report CONNECTING; connect a"},
			{"fail a", "report CONNECTING"},
			{"pick 1", "queue"},
		}},
		{"within an endpoint, pick_first fails over by itself", []step{
			{"resolve e=(x,y)", "new x; connect x; shutdown a; shutdown b; shutdown c; " +
				"report CONNECTING"},
			{"fail x", "new y; connect y"},
			{"subconn y READY", "shutdown x; report READY"},
			{"resolve e=(y,x)", "report READY"}, // the same endpoint
			{"pick 1", "y"},
		}},
	} {
		t.Run(row.rule, func(t *testing.T) {
			playAll(t, roundRobin, slices.Concat(threeReady, row.steps))
		})
	}
}

func TestRoundRobinBeforeAnyList(t *testing.T) {
	playAll(t, "round_robin", []step{
		{"exit-idle", "report TRANSIENT_FAILURE"},
		{"resolver-error test error", "report TRANSIENT_FAILURE"},
		{"pick 1", "fail(UNAVAILABLE: no children to pick from)"},
		{"resolve a", "new a; connect a; report CONNECTING"},
	})
}

// Endpoints named twice, or with the same addresses in another order, are one and count once.
func TestRoundRobinMergesDuplicates(t *testing.T) {
	h := policytest.NewHost(policies.RoundRobin{}, 1)
	h.Resolve(h.Endpoint("a"), h.Endpoint("x", "y"), h.Endpoint("a"), h.Endpoint("y", "x"),
		h.Endpoint("a"))
	h.ConnectAll()
	count := make([]int, h.SubConns())
	for range 100 {
		count[h.Pick().SubConn]++
	}
	if !slices.Equal(count, []int{50, 50}) {
		t.Errorf("shares %v of a and (x, y), want 50 and 50", count)
	}
}

// Children get their addresses in the resolver's order from a random one on.
func TestEndpointShardingRotatesTheList(t *testing.T) {
	for start, want := range []string{"12345", "23451", "34512", "45123", "51234"} {
		h := policytest.NewHost(policies.RoundRobin{}, 1)
		draw(h, func(r *sim.Rand) bool { return r.IntN(5) == start })
		h.Resolve(h.Endpoints("1", "2", "3", "4", "5")...)
		var got strings.Builder
		for sc := range h.SubConns() {
			got.WriteString(h.Name(policies.SubConn(sc)))
		}
		if got.String() != want {
			t.Errorf("start %d: connects in the order %v, want %s", start, got.String(), want)
		}
	}
}

// The first pick takes the one after the one drawn.
func TestRoundRobinStartsAfterItsDraw(t *testing.T) {
	for start, want := range [][]int{{1, 2, 0, 1}, {2, 0, 1, 2}, {0, 1, 2, 0}} {
		h := policytest.NewHost(policies.RoundRobin{}, 1)
		h.Resolve(h.Endpoints("0", "1", "2")...)
		h.ConnectAll()
		draw(h, func(r *sim.Rand) bool { return r.IntN(3) == 0 && r.IntN(3) == start })
		h.Resolve(h.Endpoints("0", "1", "2")...)
		for i, w := range want {
			if got := h.Name(h.Pick().SubConn); got != string(rune('0'+w)) {
				t.Errorf("start %d: pick %d goes to %s, want %d", start, i, got, w)
			}
		}
	}
}

// Each report draws where the turn starts, and nothing else draws. The rows are what grpc-go
// v1.85.0 did when it was run: the ranges of the draws, and the reports.
func TestEndpointShardingDraws(t *testing.T) {
	h := policytest.NewHost(policies.RoundRobin{}, 1)
	twin := *h.Rand()
	ready, two := []string{"report READY"}, []string{"report READY", "report READY"}
	rows := []struct {
		subConn string // "" for the list of the resolver
		state   policies.Connectivity
		draws   []int
		reports []string
	}{
		{"", 0, []int{3, 3}, []string{"report CONNECTING"}},
		{"a", policies.Ready, []int{1}, ready},
		{"b", policies.Ready, []int{2}, ready},
		{"c", policies.Ready, []int{3}, ready},
		{"", 0, []int{3, 3}, ready},
		{"a", policies.Idle, []int{2, 2}, two}, // IDLE, then CONNECTING as it connects by itself
		{"a", policies.TransientFailure, []int{2}, ready},
		{"a", policies.Idle, nil, nil}, // stays in TRANSIENT_FAILURE, so nothing has changed
		{"a", policies.Connecting, nil, nil},
		{"a", policies.TransientFailure, []int{2}, ready},
		{"a", policies.Idle, nil, nil},
		{"a", policies.Ready, []int{2, 3}, two}, // CONNECTING, until health is known
	}
	for i, row := range rows {
		h.Calls()
		if row.subConn == "" {
			h.Resolve(h.Endpoints("a", "b", "c")...)
		} else {
			h.Set(row.subConn, row.state)
		}
		var reports []string
		for _, c := range h.Calls() {
			if strings.HasPrefix(c.Text, "report") {
				reports = append(reports, c.Text)
			}
		}
		start := -1
		for _, n := range row.draws {
			start = twin.IntN(n)
		}
		if !slices.Equal(reports, row.reports) || *h.Rand() != twin {
			t.Fatalf("row %d, %s %v: reports %v, want %v; draws as wanted: %v", i, row.subConn,
				row.state, reports, row.reports, *h.Rand() == twin)
		}
		if start >= 0 && h.State == policies.Ready {
			ready := policies.ReadyOf(h.Picker)
			n := len(ready)
			if got, want := h.Pick().SubConn, ready[(start+1)%n].SubConn; got != want {
				t.Errorf("row %d: pick after draw %d of %d: %d, want %d", i, start, n, got, want)
			}
		}
	}
}

// A shuffle of pick_first's own never reaches the children, and the picks draw nothing.
func TestRoundRobinPicksDrawNothing(t *testing.T) {
	h := policytest.NewHost(policies.RoundRobin{}, 1)
	h.Resolve(h.Endpoints("a", "b", "c")...)
	h.ConnectAll()
	before := *h.Rand()
	for range 100 {
		h.Pick()
	}
	if *h.Rand() != before {
		t.Error("round_robin draws for a pick")
	}
}
