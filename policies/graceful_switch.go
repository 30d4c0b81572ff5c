package policies

// gracefulSwitch runs a policy that can be replaced by one of another kind. While the old policy is
// READY and the new one CONNECTING, the old one gets the RPCs, and both have connections.
//
// Source: grpc-go v1.85.0, internal/balancer/gracefulswitch.
//
//	current    pending    what happens
//	nil        nil        no policy yet
//	set        nil        current gets the RPCs
//	set        set        current gets the RPCs, pending gets the Updates and connects
type gracefulSwitch struct {
	Host
	owners
	current, pending *child
	old              *child // the last current that was replaced, until it is closed
	kind             Policy // of the latest of the two
}

// FromServiceConfig is whatever policy each State names.
type FromServiceConfig struct {
	// Default is that of a client to which name resolution brings no service config.
	Default Policy
}

// Uses returns what its default needs.
func (f FromServiceConfig) Uses() []Use { return UsesOf(f.Default) }

// Doc describes the policy in a line.
func (FromServiceConfig) Doc() string { return "the policy of the service config of the moment" }

// Build makes a balancer that has no policy before the first State.
func (FromServiceConfig) Build(h Host) Balancer { return newGracefulSwitch(h) }

func newGracefulSwitch(h Host) *gracefulSwitch { return &gracefulSwitch{Host: h} }

// Update goes to the latest policy. If s.Policy is of another kind, it becomes the latest.
func (g *gracefulSwitch) Update(s State) error {
	if s.Policy != nil && !sameKind(s.Policy, g.kind) {
		g.kind = s.Policy
		g.switchTo(s.Policy)
	}
	return g.latest().balancer.Update(s)
}

// switchTo builds a policy, as the current one if there is none.
func (g *gracefulSwitch) switchTo(p Policy) {
	if g.pending != nil {
		g.pending.close()
		g.pending = nil
	}
	// The child may report while its policy is built.
	c := newChild(g.Host, g)
	if g.current == nil {
		g.current = c
	} else {
		g.pending = c
	}
	c.balancer = p.Build(c)
}

func (g *gracefulSwitch) latest() *child {
	if g.pending != nil {
		return g.pending
	}
	return g.current
}

// reported passes on a report of the current child, or swaps when there is no reason to wait.
func (g *gracefulSwitch) reported(c *child) {
	switch {
	case c == g.current && (c.state == Ready || g.pending == nil):
		g.UpdateState(c.state, c.picker)
	case c == g.current, c.state != Connecting, g.current.state != Ready:
		g.swap()
	}
}

// swap puts the pending child in the place of the current one.
func (g *gracefulSwitch) swap() {
	g.closeOld()
	g.old, g.current, g.pending = g.current, g.pending, nil
	g.old.muted = true
	g.UpdateState(g.current.state, g.current.picker)
	g.AfterFunc(0, g.closeOld)
}

func (g *gracefulSwitch) closeOld() {
	if g.old != nil {
		g.old.close()
		g.old = nil
	}
}

// resolveNow passes on the requests of the latest policy. The other has not got the latest list.
func (g *gracefulSwitch) resolveNow(c *child) {
	if c == g.latest() {
		g.ResolveNow()
	}
}

// ResolverError goes to the latest policy. Without one the channel fails with the error.
func (g *gracefulSwitch) ResolverError(err *Status) {
	if c := g.latest(); c != nil {
		c.balancer.ResolverError(err)
		return
	}
	g.UpdateState(TransientFailure, fixed(Fail(err)))
}

// Remark returns the remark of the current policy.
func (g *gracefulSwitch) Remark() string {
	if g.current != nil {
		if r, ok := g.current.balancer.(Remarker); ok {
			return r.Remark()
		}
	}
	return ""
}

// ExitIdle goes to the latest policy.
func (g *gracefulSwitch) ExitIdle() {
	if c := g.latest(); c != nil {
		c.balancer.ExitIdle()
	}
}

// Close closes all policies.
func (g *gracefulSwitch) Close() {
	g.closeOld()
	for _, c := range []*child{g.current, g.pending} {
		if c != nil {
			c.close()
		}
	}
}
