package policies

import (
	"slices"
	"strings"
	"testing"
)

// diary is a leaf that writes down what it is told, and picks the first.
type diary struct {
	told  []string
	ready []ReadyEndpoint
	picks int
}

func (d *diary) Doc() string           { return "a diary" }
func (d *diary) Build(h Host) Balancer { return NewEndpointSharding(h, d) }

func (d *diary) Update(ready []ReadyEndpoint) {
	var names []string
	for _, e := range ready {
		names = append(names, e.Addresses[0].Text)
	}
	d.told = append(d.told, strings.Join(names, " "))
	d.ready = ready
}

func (d *diary) Pick(Call) Pick {
	d.picks++
	return Send(d.ready[0].SubConn)
}

func (d *diary) Done(Pick, Outcome) {}

// A leaf is told of the READY endpoints, in the resolver's order, while there is one: at once when
// one is lost, or is the first, and at the next pick of what came since. When there is none its
// parent picks.
func TestLeafIsTold(t *testing.T) {
	d := new(diary)
	h := newFakeHost(d, 1)
	for _, row := range []struct {
		event string
		do    func()
		want  string // what the leaf is told, with "; " between
		later string // and what at the next pick
	}{
		{"nothing is READY", func() { h.resolve(h.singles("c", "a", "b")...) }, "", ""},
		{"b", func() { h.set("b", Ready) }, "b", ""},
		{"a and c", func() { h.set("a", Ready); h.set("c", Ready) }, "", "c a b"},
		{"another order", func() { h.resolve(h.singles("b", "a", "c")...) }, "b a c", ""},
		{"one is gone, one is new", func() { h.resolve(h.singles("d", "c", "b")...) }, "c b", ""},
		{"b breaks", func() { h.set("b", Idle) }, "c", "c"}, // two reports
		{"the last one breaks", func() { h.set("c", Idle) }, "", ""},
	} {
		d.told = nil
		row.do()
		if got := strings.Join(d.told, "; "); got != row.want {
			t.Errorf("%s: told %q, want %q", row.event, got, row.want)
		}
		d.told, d.picks = nil, 0
		h.picker.Pick(Call{})
		if got := strings.Join(d.told, "; "); got != row.later {
			t.Errorf("%s: told %q at the pick, want %q", row.event, got, row.later)
		}
		if isLeaf := d.picks == 1; isLeaf != (h.state == Ready) {
			t.Errorf("%s: in %v the leaf picks: %v", row.event, h.state, isLeaf)
		}
	}
}

// What the resolver says of an endpoint is in the Endpoint; the leaf gets the newest, and with it
// the SubConn that is READY.
func TestLeafGetsTheNewestEndpoint(t *testing.T) {
	d := new(diary)
	h := newFakeHost(d, 1)
	h.resolve(h.endpoint("x", "y"))
	h.set("x", TransientFailure)
	h.set("y", Ready)
	newest := h.endpoint("y", "x")
	h.resolve(newest)
	want := []ReadyEndpoint{{newest, h.named("y")}}
	if !slices.Equal(d.ready, want) {
		t.Errorf("leaf has %v, want %v", d.ready, want)
	}
}

// What a pick or a broken connection sets off happens when the call into the balancer has returned.
func TestConnectsAfterTheCall(t *testing.T) {
	for _, row := range []struct {
		policy Policy
		during string // what the call itself asks for
		after  string
	}{
		{PickFirst{}, "report IDLE", "report CONNECTING; connect a"}, // by the pick
		{RoundRobin{}, "report IDLE", "report CONNECTING; connect a"},
	} {
		h := readyHost(row.policy, 0, 1)
		h.resolve(h.endpoint("a"))
		h.connectAll()
		h.take()
		h.live(0).state = Idle
		h.b.SubConnState(0, Idle, nil)
		h.picker.Pick(Call{})
		if got := texts(h.take()); got != row.during {
			t.Errorf("%T: during the call %s, want %s", row.policy, got, row.during)
		}
		h.settle()
		if got := texts(h.take()); got != row.after {
			t.Errorf("%T: after the call %s, want %s", row.policy, got, row.after)
		}
	}
}

func texts(calls []fakeCall) string {
	var out []string
	for _, c := range calls {
		out = append(out, c.text)
	}
	return strings.Join(out, "; ")
}
