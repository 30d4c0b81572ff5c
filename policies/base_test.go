package policies

import "testing"

// The state of all by those of the addresses (C1 to C4). An address that has failed is failed until
// it is READY, whatever it does meanwhile.
func TestBaseAggregates(t *testing.T) {
	const c, r, i, f = Connecting, Ready, Idle, TransientFailure
	for _, row := range []struct {
		states [][]Connectivity // of each address after it began to connect
		want   Connectivity
	}{
		{[][]Connectivity{{}}, c},
		{[][]Connectivity{{r}}, r},
		{[][]Connectivity{{f}}, f},
		{[][]Connectivity{{f, f}}, f},
		{[][]Connectivity{{r, f, r}}, r},
		{[][]Connectivity{{r, f, i}}, f},
		{[][]Connectivity{{r, f, c}}, f},
		{[][]Connectivity{{f, i, r, i}}, c},
		{[][]Connectivity{{f}, {f}, {r}, {}}, r},
		{[][]Connectivity{{f}, {}}, c},
		{[][]Connectivity{{f}, {f}}, f},
	} {
		h := newFakeHost(BaseRoundRobin{}, 1)
		h.resolve(h.singles([]string{"a", "b", "c", "d"}[:len(row.states)]...)...)
		for sc, states := range row.states {
			for _, s := range states {
				h.deliver(SubConn(sc), s, refused)
			}
		}
		if h.state != row.want {
			t.Errorf("%v: got %v, want %v", row.states, h.state, row.want)
		}
	}
}

// A connection that the list no longer names is used no more, though it counts until it is closed.
func TestBaseForgetsAddresses(t *testing.T) {
	h := newFakeHost(BaseRoundRobin{}, 1)
	h.resolve(h.singles("a", "b")...)
	h.set("a", Ready)
	h.set("b", TransientFailure)
	if err := h.b.Update(State{Endpoints: h.singles("b")}); err != nil {
		t.Fatal(err)
	}
	if p := h.picker.Pick(Call{}); h.state != Ready || p.Verdict != Queued {
		t.Errorf("before a is closed: %v, pick %+v", h.state, p)
	}
	h.settle()
	if p := h.pick(); h.state != TransientFailure || p.Verdict != Failed {
		t.Errorf("after that: %v, pick %+v", h.state, p)
	}
}
