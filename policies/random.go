package policies

import "lbsim/sim"

// Random sends each RPC to a READY endpoint drawn at random.
//
// Source: none; grpc-go has no such policy.
//
// Reacts to: connections that come and go, nothing else.
//
// Traps: it spreads less evenly than the round_robin of one client, but as evenly as many clients
// whose turns are independent.
type Random struct{}

// Doc describes the policy in a line.
func (Random) Doc() string {
	return "one READY endpoint drawn at random"
}

// Build makes the balancer of one channel.
func (Random) Build(h Host) Balancer {
	return NewEndpointSharding(h, &random{rand: h.Rand()})
}

type random struct {
	rand  *sim.Rand
	ready []ReadyEndpoint
}

func (r *random) Update(ready []ReadyEndpoint) { r.ready = ready }
func (r *random) Done(Pick, Outcome)           {}

func (r *random) Pick(Call) Pick {
	return Send(r.ready[r.rand.IntN(len(r.ready))].SubConn)
}
