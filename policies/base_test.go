package policies_test

import (
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// The state of all by those of the addresses (C1 to C4). An address that has failed is failed until
// it is READY, whatever it does meanwhile.
func TestBaseAggregates(t *testing.T) {
	const c, r, i, f = policies.Connecting, policies.Ready, policies.Idle, policies.TransientFailure
	for _, row := range []struct {
		states []states // of each address after it began to connect
		want   policies.Connectivity
	}{
		{[]states{{}}, c},
		{[]states{{r}}, r},
		{[]states{{f}}, f},
		{[]states{{f, f}}, f},
		{[]states{{r, f, r}}, r},
		{[]states{{r, f, i}}, f},
		{[]states{{r, f, c}}, f},
		{[]states{{f, i, r, i}}, c},
		{[]states{{f}, {f}, {r}, {}}, r},
		{[]states{{f}, {}}, c},
		{[]states{{f}, {f}}, f},
	} {
		h := policytest.NewHost(policies.BaseRoundRobin{}, 1)
		h.Resolve(h.Endpoints([]string{"a", "b", "c", "d"}[:len(row.states)]...)...)
		for sc, states := range row.states {
			for _, s := range states {
				h.Deliver(policies.SubConn(sc), s, refused)
			}
		}
		if h.State != row.want {
			t.Errorf("%v: got %v, want %v", row.states, h.State, row.want)
		}
	}
}

// A connection that the list no longer names is used no more, though it counts until it is closed.
func TestBaseForgetsAddresses(t *testing.T) {
	h := policytest.NewHost(policies.BaseRoundRobin{}, 1)
	h.Resolve(h.Endpoints("a", "b")...)
	h.Set("a", policies.Ready)
	h.Set("b", policies.TransientFailure)
	if err := h.Balancer.Update(policies.State{Endpoints: h.Endpoints("b")}); err != nil {
		t.Fatal(err)
	}
	if p := h.Picker.Pick(policies.Call{}); h.State != ready || p.Verdict != policies.Queued {
		t.Errorf("before a is closed: %v, pick %+v", h.State, p)
	}
	h.Settle()
	if p := h.Pick(); h.State != policies.TransientFailure || p.Verdict != policies.Failed {
		t.Errorf("after that: %v, pick %+v", h.State, p)
	}
}
