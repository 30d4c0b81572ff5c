package policies

import "fmt"

// Cautious is a policy of one's own: the turn goes round, but an endpoint that failed the last RPC
// it answered is passed over once.
type Cautious struct{}

// Doc says what the policy does.
func (Cautious) Doc() string { return "in turn, but not twice to one that failed" }

// Build joins the leaf to the shared parent, which connects to every endpoint.
func (Cautious) Build(h Host) Balancer { return NewEndpointSharding(h, &cautious{}) }

type cautious struct {
	ready  []ReadyEndpoint
	failed []bool // by the ID of the endpoint
	next   int
}

// Update keeps what is known of an endpoint by its ID, since its place in ready may change.
func (c *cautious) Update(ready []ReadyEndpoint) {
	c.ready = ready
	for _, e := range ready {
		for int(e.ID) >= len(c.failed) {
			c.failed = append(c.failed, false)
		}
	}
}

// Pick leaves a note for Done: whose RPC it is.
func (c *cautious) Pick(Call) Pick {
	e := c.turn()
	if c.failed[e.ID] {
		c.failed[e.ID] = false
		e = c.turn()
	}
	p := Send(e.SubConn)
	p.Note = uint64(e.ID)
	return p
}

func (c *cautious) turn() ReadyEndpoint {
	c.next++
	return c.ready[c.next%len(c.ready)]
}

// Done is called once for each RPC that Pick has sent.
func (c *cautious) Done(p Pick, o Outcome) { c.failed[p.Note] = o.Status != nil }

// A policy that chooses among READY endpoints is a Leaf: three methods. The catalog line would be
// "cautious": Cautious{}.
func ExampleLeaf() {
	h := newFakeHost(Cautious{}, 1)
	h.resolve(h.singles("a", "b", "c")...)
	h.connectAll()

	for range 8 {
		p := h.pick()
		name := h.subConns[p.SubConn].name
		fmt.Print(name, " ")
		var o Outcome
		if name == "a" {
			o.Status = &Status{Code: Unavailable}
		}
		h.picker.Done(p, o)
	}
	// Output: b c a b c b c a
}
