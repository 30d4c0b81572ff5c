// Package policy has a balancing policy that is not part of lbsim.
package policy

import (
	"fmt"

	"lbsim/policies"
	"lbsim/sim"
)

// Fastest draws two READY endpoints and sends the RPC to the one whose mean latency is lower.
//
// Reacts to: the latency of RPCs that ended OK, so to slow backends, queues and the network.
//
// Traps: a SubConn without a reply is preferred to all others, so a backend that comes back is too.
// An endpoint that only fails keeps the mean that it had.
type Fastest struct {
	// Memory is the number of RPCs that a mean latency remembers, at least 1: each new latency
	// counts 1/Memory.
	Memory float64 `toml:"memory" json:"memory"`
}

// Default has the defaults of the options. A program adds this value to the kinds of lbsim.
var Default = Fastest{Memory: 10}

// Doc says what the policy does, in a line.
func (Fastest) Doc() string { return "of two drawn at random, the one with the lower mean latency" }

// Check refuses options that make no sense.
func (f Fastest) Check() error {
	if !(f.Memory >= 1 && f.Memory <= 1e6) {
		return fmt.Errorf("memory: must be from 1 to 1e6 (is %v)", f.Memory)
	}
	return nil
}

// Build makes the balancer of one channel. The parent connects to every endpoint.
func (f Fastest) Build(h policies.Host) policies.Balancer {
	return policies.NewEndpointSharding(h, &fastest{rand: h.Rand(), memory: f.Memory})
}

type fastest struct {
	rand   *sim.Rand
	memory float64
	ready  []policies.ReadyEndpoint
	mean   []float64 // latency in ns by SubConn; 0 before the first reply
}

// Update brings the endpoints that are READY. Their places change, the numbers of their SubConns do
// not. An endpoint that leaves the list and comes back has another SubConn, and so no mean.
func (f *fastest) Update(ready []policies.ReadyEndpoint) {
	f.ready = ready
	for _, e := range ready {
		for int(e.SubConn) >= len(f.mean) {
			f.mean = append(f.mean, 0)
		}
	}
}

// Pick is called for each RPC while an endpoint is READY.
func (f *fastest) Pick(policies.Call) policies.Pick {
	best := f.ready[f.rand.IntN(len(f.ready))]
	if other := f.ready[f.rand.IntN(len(f.ready))]; f.mean[other.SubConn] < f.mean[best.SubConn] {
		best = other
	}
	return policies.Send(best.SubConn)
}

// Done is called once for each RPC that was sent, when it has ended.
func (f *fastest) Done(pick policies.Pick, o policies.Outcome) {
	mean := &f.mean[pick.SubConn]
	switch latency := float64(o.Latency); {
	case o.Status != nil: // the latency of an error is not that of the backend
	case *mean == 0:
		*mean = latency
	default:
		*mean += (latency - *mean) / f.memory
	}
}
