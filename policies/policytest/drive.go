package policytest

import (
	"fmt"
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// refused is why SubConns fail, where a test gives no other reason.
var refused = &policies.Status{Code: policies.Unavailable, Text: "refused"}

// Settle does what the balancer has asked for.
func (h *Host) Settle() { h.Advance(0) }

// Advance lets time pass.
func (h *Host) Advance(d time.Duration) {
	const limit = 1e6
	if !h.Run(h.Now().Add(d), limit) {
		panic("the balancer does not come to rest")
	}
}

// Resolve brings the balancer a list of endpoints.
func (h *Host) Resolve(endpoints ...*policies.Endpoint) error {
	return h.Update(policies.State{Endpoints: endpoints})
}

// Update brings the balancer a list, and options where the state has some.
func (h *Host) Update(s policies.State) error {
	err := h.Balancer.Update(s)
	h.Settle()
	return err
}

// Deliver reports the state of a SubConn to the balancer. A SubConn that was shut down can have an
// earlier state on its way: it is reported, and the SubConn remains shut down.
func (h *Host) Deliver(sc policies.SubConn, c policies.Connectivity, err *policies.Status) {
	if s := &h.subConns[sc]; s.state != policies.Shutdown {
		s.state = c
	}
	h.Balancer.SubConnState(sc, c, err)
	h.Settle()
}

// Set delivers a state of the SubConn with a name; a failure is that the connection was refused.
func (h *Host) Set(name string, c policies.Connectivity) {
	var err *policies.Status
	if c == policies.TransientFailure {
		err = refused
	}
	h.Deliver(h.SubConn(name), c, err)
}

// SetHealth delivers how healthy the backend of a SubConn calls itself.
func (h *Host) SetHealth(name string, c policies.Connectivity) {
	var err *policies.Status
	if c == policies.TransientFailure {
		err = &policies.Status{Code: policies.Unavailable, Text: "not serving"}
	}
	h.Balancer.HealthState(h.SubConn(name), c, err)
	h.Settle()
}

// ConnectAll makes every SubConn that is CONNECTING READY.
func (h *Host) ConnectAll() {
	for i := 0; i < len(h.subConns); i++ {
		if h.subConns[i].state == policies.Connecting {
			h.Deliver(policies.SubConn(i), policies.Ready, nil)
		}
	}
}

// noSubConn is the number of none.
const noSubConn policies.SubConn = -1

// SubConn returns the newest SubConn of an address, one that is not shut down if there is one, or
// the one whose own name is given ("a#2").
func (h *Host) SubConn(name string) policies.SubConn {
	sc := h.find(name)
	if sc == noSubConn {
		panic("no SubConn " + name)
	}
	return sc
}

func (h *Host) find(name string) policies.SubConn {
	found := noSubConn
	for i, s := range h.subConns {
		if s.name == name || s.address.Text == name {
			if found == noSubConn || s.state != policies.Shutdown {
				found = policies.SubConn(i)
			}
		}
	}
	return found
}

// SubConns returns how many SubConns there ever were. Their numbers start from 0.
func (h *Host) SubConns() int { return len(h.subConns) }

// Name returns the name of a SubConn: its address, or a#2 for the second to address a.
func (h *Host) Name(sc policies.SubConn) string { return h.subConns[sc].name }

// AddressOf returns the address of a SubConn.
func (h *Host) AddressOf(sc policies.SubConn) *policies.Address { return h.subConns[sc].address }

// StateOf returns the state of a SubConn.
func (h *Host) StateOf(sc policies.SubConn) policies.Connectivity { return h.subConns[sc].state }

// RPC is an RPC and the answer of its picker. One whose Verdict is Sent is in flight until Done.
type RPC struct {
	policies.Pick
	picker policies.Picker
	host   *Host
	begun  sim.Time
}

// Pick asks the picker where to send an RPC, and lets the balancer do what it put off meanwhile.
// The RPC is in flight until its Done.
func (h *Host) Pick() RPC {
	h.picks++
	rpc := RPC{picker: h.Picker, host: h, begun: h.Now()}
	rpc.Pick = h.Picker.Pick(policies.Call{
		Luck: sim.Mix(h.picks, 0), Header: h.Header, Key: h.Key,
	})
	h.Key++
	h.Settle()
	return rpc
}

// Done ends an RPC. The latency of the outcome is the time since the pick.
func (r RPC) Done(o policies.Outcome) {
	o.Latency = r.host.Now().Sub(r.begun)
	r.picker.Done(r.Pick, o)
}

// String returns where the RPC went, or what became of it.
func (r RPC) String() string {
	switch r.Verdict {
	case policies.Sent:
		return r.host.Name(r.SubConn)
	case policies.Queued:
		return "queue"
	case policies.Failed:
		return fmt.Sprintf("fail(%v: %s)", r.Status.Code, r.Status.Text)
	}
	return fmt.Sprintf("drop(%v: %s)", r.Status.Code, r.Status.Text)
}
