package policies

import (
	"slices"

	"lbsim/sim"
)

// lbSubConn is a SubConn, in use or kept for a while.
type lbSubConn struct {
	address *Address
	state   Connectivity
	known   bool      // it is not shut down
	listed  bool      // in the list of the refresh that is running
	end     *sim.Call // shuts it down; nil while it is in use
}

// refresh takes other backends: the balancer's, or the resolver's in fallback.
func (g *grpclb) refresh(backends []*Address, fallback, pickFirst bool) {
	g.backends = backends
	if fallback && !g.fallback {
		g.full = nil // the same list again will be a new one
	}
	if g.fallback != fallback || g.pickFirst != pickFirst {
		for _, sc := range g.inUse {
			g.put(sc)
		}
		g.inUse = g.inUse[:0]
		g.endFirst()
	}
	g.fallback, g.pickFirst = fallback, pickFirst
	if pickFirst {
		g.refreshFirst()
		return
	}
	last := int32(-1)
	for _, a := range backends {
		last = max(last, a.ID)
	}
	to, used := slices.Repeat([]SubConn{noSubConn}, int(last)+1), make([]SubConn, 0, len(backends))
	for _, sc := range g.inUse {
		if id := g.subConns[sc].address.ID; id <= last {
			to[id] = sc
		}
	}
	for _, a := range backends {
		if to[a.ID] == noSubConn {
			to[a.ID] = g.get(a)
			g.Connect(to[a.ID])
		}
		if sc := to[a.ID]; !g.subConns[sc].listed {
			g.subConns[sc].listed = true
			used = append(used, sc)
		}
	}
	for _, sc := range g.inUse {
		if !g.subConns[sc].listed {
			g.put(sc)
		}
	}
	for _, sc := range used {
		g.subConns[sc].listed = false
	}
	g.inUse, g.to = used, to
	g.publish(true, true)
}

// get returns a SubConn to an address: a kept one, or a new one.
func (g *grpclb) get(a *Address) SubConn {
	for i := range g.subConns {
		if s := &g.subConns[i]; s.address == a && s.end != nil {
			s.end.Stop()
			s.end = nil
			return SubConn(i)
		}
	}
	sc := g.NewSubConn(a)
	g.note(sc, a)
	return sc
}

func (g *grpclb) note(sc SubConn, a *Address) {
	for int(sc) >= len(g.subConns) {
		g.subConns = append(g.subConns, lbSubConn{})
	}
	g.subConns[sc] = lbSubConn{address: a, known: true}
}

// put keeps a SubConn that is no longer in use for a while, and then shuts it down.
func (g *grpclb) put(sc SubConn) {
	g.subConns[sc].end = g.AfterFunc(subConnCache, func() {
		g.subConns[sc].end = nil
		g.Shutdown(sc)
	})
}

// SubConnState keeps the SubConn connecting and makes a picker. Without a connection to any backend
// and to the balancer it falls back to the resolver's list.
func (g *grpclb) SubConnState(sc SubConn, s Connectivity, err *Status) {
	w := &g.subConns[sc]
	if !w.known {
		return
	}
	old := w.state
	w.state, w.known = s, s != Shutdown
	if s == TransientFailure {
		g.err = err
	}
	if g.first != nil && slices.ContainsFunc(g.first.list,
		func(c candidate) bool { return c.sc == sc }) {
		g.first.subConnState(g, sc, s, err)
		return
	}
	if s == Idle {
		g.Connect(sc)
	}
	g.publish((old == Ready) != (s == Ready), false)
	g.maybeFallBack()
}

func (g *grpclb) maybeFallBack() {
	if g.state != Ready && !g.fallback && !g.connected {
		g.refresh(g.resolved, true, g.pickFirst)
	}
}

// publish reports the best state of the SubConns in use. There is a new picker if the state has
// changed, or with must. With fresh the turn begins at the head of the list.
func (g *grpclb) publish(must, fresh bool) {
	old := g.state
	g.state = TransientFailure
	if g.first != nil {
		if g.state = g.first.state; g.state == Idle {
			g.state = Connecting
		}
	}
	for _, sc := range g.inUse {
		switch g.subConns[sc].state {
		case Ready:
			g.state = Ready
		case Idle, Connecting:
			if g.state != Ready {
				g.state = Connecting
			}
		}
	}
	if must || g.state != old {
		g.makePicker(fresh)
	}
	g.UpdateState(g.state, g.picker)
}

// Close shuts down all SubConns, kept ones too, and ends the script.
func (g *grpclb) Close() {
	for _, t := range g.timers {
		t.Stop()
	}
	g.endFirst()
	for i := range g.subConns {
		s := &g.subConns[i]
		s.known = false
		if s.end != nil {
			s.end.Stop()
		}
		if s.end != nil || slices.Contains(g.inUse, SubConn(i)) {
			g.Shutdown(SubConn(i))
		}
	}
}

// refreshFirst gives the backends to a pick_first.
func (g *grpclb) refreshFirst() {
	switch {
	case len(g.backends) == 0:
		g.endFirst()
		return
	case g.first == nil:
		p := newPickFirst()
		g.first = &p
	}
	g.first.update(g, g.backends, make([]candidate, 0, len(g.backends)))
}

func (g *grpclb) endFirst() {
	if g.first != nil {
		g.first.close(g)
		g.first = nil
	}
}

// newSubConn and report make grpclb the parent of its pick_first, which connects again by itself.
func (g *grpclb) newSubConn(_ *pickFirst, a *Address) SubConn {
	sc := g.NewSubConn(a)
	g.note(sc, a)
	return sc
}

func (g *grpclb) report(p *pickFirst) {
	g.publish(true, false)
	if p.state == Idle {
		g.AfterFunc(0, func() { p.exitIdle(g) })
	}
	g.AfterFunc(0, g.maybeFallBack)
}
