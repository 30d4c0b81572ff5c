package policies_test

import (
	"slices"
	"strings"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// diary is a leaf that writes down its updates, and picks the first endpoint.
type diary struct {
	updates []string
	ready   []policies.ReadyEndpoint
	picks   int
}

func (d *diary) Doc() string { return "a diary" }
func (d *diary) Build(h policies.Host) policies.Balancer {
	return policies.NewEndpointSharding(h, d)
}

func (d *diary) Update(ready []policies.ReadyEndpoint) {
	var names []string
	for _, e := range ready {
		names = append(names, e.Addresses[0].Text)
	}
	d.updates = append(d.updates, strings.Join(names, " "))
	d.ready = ready
}

func (d *diary) Pick(policies.Call) policies.Pick {
	d.picks++
	return policies.Send(d.ready[0].SubConn)
}

func (d *diary) Done(policies.Pick, policies.Outcome) {}

// A leaf gets the READY endpoints, in the resolver's order, while there is one: at once when
// one is lost, or is the first, and at the next pick of what came since. When there is none its
// parent picks.
func TestLeafUpdates(t *testing.T) {
	d := new(diary)
	h := policytest.NewHost(d, 1)
	for _, row := range []struct {
		event string
		do    func()
		want  string // updates of the leaf, with "; " between
		later string // and at the next pick
	}{
		{"nothing is READY", func() { h.Resolve(h.Endpoints("c", "a", "b")...) }, "", ""},
		{"b", func() { h.Set("b", policies.Ready) }, "b", ""},
		{"a and c", func() { h.Set("a", policies.Ready); h.Set("c", policies.Ready) }, "", "c a b"},
		{"another order", func() { h.Resolve(h.Endpoints("b", "a", "c")...) }, "b a c", ""},
		{"one is gone, one is new", func() { h.Resolve(h.Endpoints("d", "c", "b")...) }, "c b", ""},
		{"b breaks", func() { h.Set("b", policies.Idle) }, "c", "c"}, // two reports
		{"the last one breaks", func() { h.Set("c", policies.Idle) }, "", ""},
	} {
		d.updates = nil
		row.do()
		if got := strings.Join(d.updates, "; "); got != row.want {
			t.Errorf("%s: updates %q, want %q", row.event, got, row.want)
		}
		d.updates, d.picks = nil, 0
		h.Picker.Pick(policies.Call{})
		if got := strings.Join(d.updates, "; "); got != row.later {
			t.Errorf("%s: updates %q at the pick, want %q", row.event, got, row.later)
		}
		if isLeaf := d.picks == 1; isLeaf != (h.State == policies.Ready) {
			t.Errorf("%s: in %v the leaf picks: %v", row.event, h.State, isLeaf)
		}
	}
}

// What the resolver says of an endpoint is in the Endpoint; the leaf gets the newest, and with it
// the SubConn that is READY.
func TestLeafGetsTheNewestEndpoint(t *testing.T) {
	d := new(diary)
	h := policytest.NewHost(d, 1)
	h.Resolve(h.Endpoint("x", "y"))
	h.Set("x", policies.TransientFailure)
	h.Set("y", policies.Ready)
	newest := h.Endpoint("y", "x")
	h.Resolve(newest)
	want := []policies.ReadyEndpoint{{newest, h.SubConn("y")}}
	if !slices.Equal(d.ready, want) {
		t.Errorf("leaf has %v, want %v", d.ready, want)
	}
}

// What a pick or a broken connection sets off happens when the call into the balancer has returned.
func TestConnectsAfterTheCall(t *testing.T) {
	for _, row := range []struct {
		policy policies.Policy
		during string // what the call itself asks for
		after  string
	}{
		{policies.PickFirst{}, "report IDLE", "report CONNECTING; connect a"}, // by the pick
		{policies.RoundRobin{}, "report IDLE", "report CONNECTING; connect a"},
	} {
		h := readyHost(row.policy, 0, 1)
		h.Resolve(h.Endpoint("a"))
		h.ConnectAll()
		h.Calls()
		h.Balancer.SubConnState(0, policies.Idle, nil)
		h.Picker.Pick(policies.Call{})
		if got := texts(h.Calls()); got != row.during {
			t.Errorf("%T: during the call %s, want %s", row.policy, got, row.during)
		}
		h.Settle()
		if got := texts(h.Calls()); got != row.after {
			t.Errorf("%T: after the call %s, want %s", row.policy, got, row.after)
		}
	}
}

func texts(calls []policytest.Call) string {
	var out []string
	for _, c := range calls {
		out = append(out, c.Text)
	}
	return strings.Join(out, "; ")
}
