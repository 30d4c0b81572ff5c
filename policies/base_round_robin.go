package policies

import "lbsim/sim"

// BaseRoundRobin sends RPCs to the READY addresses in turn. It is made as most policies that people
// write for grpc-go are: a picker builder over the base balancer. The turn starts at random, anew
// whenever an address enters or leaves READY.
//
// Source: grpc-go v1.85.0, balancer/base, and the round_robin that grpc-go built on it until v1.70.
//
// Reacts to: connections that come and go, nothing else.
//
// Traps: it balances over addresses, not endpoints, and ignores health. While addresses are
// connecting RPCs fail with an earlier error, if all addresses have failed once.
type BaseRoundRobin struct{}

// Uses leaves out health, to which base does not react.
func (BaseRoundRobin) Uses() []Use { return nil }

// Doc describes the policy in a line.
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
