package policies

// gracefulSwitch runs a policy that may be replaced by one of another kind: the old one serves on
// while it is READY and the new one is still CONNECTING.
//
// Source: grpc-go v1.85.0, internal/balancer/gracefulswitch. Meanwhile both have connections.
type gracefulSwitch struct {
	Host
	owners
	current, pending *child
	old              *child // the last that was replaced, until it is closed
	kind             Policy // of which the latest is
}

// FromServiceConfig is the policy that each State names, whatever it is.
type FromServiceConfig struct {
	// Default is that of a client to which name resolution brings no service config.
	Default Policy
}

// Uses says what its default uses.
func (f FromServiceConfig) Uses() []Use { return UsesOf(f.Default) }

// Doc says what the policy does.
func (FromServiceConfig) Doc() string { return "the policy of the service config of the moment" }

// Build makes a balancer that has none until the first State.
func (FromServiceConfig) Build(h Host) Balancer { return newGracefulSwitch(h) }

func newGracefulSwitch(h Host) *gracefulSwitch { return &gracefulSwitch{Host: h} }

// Update goes to the latest policy. If s.Policy is of another kind than that, it is replaced.
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
	// The child is known before it is built, for it may report while it is.
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

// reported passes on what the current child reports, and swaps when there is no reason to wait.
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

// resolveNow passes on the hints of the latest policy. Older ones do not know the list any more.
func (g *gracefulSwitch) resolveNow(c *child) {
	if c == g.latest() {
		g.ResolveNow()
	}
}

// ResolverError goes to the latest policy; without one it is the state.
func (g *gracefulSwitch) ResolverError(err *Status) {
	if c := g.latest(); c != nil {
		c.balancer.ResolverError(err)
		return
	}
	g.UpdateState(TransientFailure, fixed(Fail(err)))
}

// Remark is that of the current policy.
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

// Close closes all.
func (g *gracefulSwitch) Close() {
	g.closeOld()
	for _, c := range []*child{g.current, g.pending} {
		if c != nil {
			c.close()
		}
	}
}
