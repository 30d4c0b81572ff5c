package policies

import "lbsim/sim"

// BaseRoundRobin sends RPCs to the READY addresses in turn, the way in which most policies of
// people's own are made: a picker builder over grpc-go's base balancer. The turn starts at random,
// anew whenever an address becomes READY or no longer is.
//
// Source: grpc-go v1.85.0, balancer/base, and the round_robin that grpc-go built on it until v1.70.
//
// Reacts to: connections that come and go, nothing else.
//
// Traps: it knows addresses, not endpoints, and no health. While addresses are connecting RPCs fail
// with what happened before, if all have failed once.
type BaseRoundRobin struct{}

// Uses says that it does not hear of health.
func (BaseRoundRobin) Uses() []Use { return nil }

// Doc says what the policy does.
func (BaseRoundRobin) Doc() string {
	return "one address after the other, over the base of custom policies"
}

// Build makes the balancer of one channel.
func (BaseRoundRobin) Build(h Host) Balancer { return newBase(h, &turn{rand: h.Rand()}) }

type turn struct {
	rand  *sim.Rand
	ready []ReadyEndpoint
	next  uint32
}

func (t *turn) Update(ready []ReadyEndpoint) {
	t.ready, t.next = ready, uint32(t.rand.IntN(len(ready)))
}

func (t *turn) Done(Pick, Outcome) {}

func (t *turn) Pick(Call) Pick {
	t.next++
	return Send(t.ready[t.next%uint32(len(t.ready))].SubConn)
}
