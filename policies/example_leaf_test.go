package policies_test

import (
	"fmt"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// Cautious is a policy of one's own: the turn goes round, but an endpoint that failed the last RPC
// it answered is passed over once.
type Cautious struct{}

// Doc describes the policy in a line.
func (Cautious) Doc() string { return "in turn, but not twice to one that failed" }

// Build joins the leaf to the shared parent, which connects to every endpoint.
func (Cautious) Build(h policies.Host) policies.Balancer {
	return policies.NewEndpointSharding(h, &cautious{})
}

type cautious struct {
	ready  []policies.ReadyEndpoint
	failed []bool // by the ID of the endpoint
	next   int
}

// Update keeps what is known of an endpoint by its ID, since its place in ready may change.
func (c *cautious) Update(ready []policies.ReadyEndpoint) {
	c.ready = ready
	for _, e := range ready {
		for int(e.ID) >= len(c.failed) {
			c.failed = append(c.failed, false)
		}
	}
}

// Pick leaves a note for Done: whose RPC it is.
func (c *cautious) Pick(policies.Call) policies.Pick {
	e := c.turn()
	if c.failed[e.ID] {
		c.failed[e.ID] = false
		e = c.turn()
	}
	p := policies.Send(e.SubConn)
	p.Note = uint64(e.ID)
	return p
}

func (c *cautious) turn() policies.ReadyEndpoint {
	c.next++
	return c.ready[c.next%len(c.ready)]
}

// Done is called once for each RPC that Pick has sent.
func (c *cautious) Done(p policies.Pick, o policies.Outcome) { c.failed[p.Note] = o.Status != nil }

// A policy that chooses among READY endpoints is a Leaf: three methods. The catalog line would be
// "cautious": Cautious{}.
func ExampleLeaf() {
	h := policytest.NewHost(Cautious{}, 1)
	h.Resolve(h.Endpoints("a", "b", "c")...)
	h.ConnectAll()

	for range 8 {
		p := h.Pick()
		name := h.Name(p.SubConn)
		fmt.Print(name, " ")
		var o policies.Outcome
		if name == "a" {
			o.Status = &policies.Status{Code: policies.Unavailable}
		}
		p.Done(o)
	}
	// Output: b c a b c b c a
}
