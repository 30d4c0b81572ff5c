package policies

// makePicker makes the picker for the state. While any connection is READY the picker of a list is
// kept, with its turn.
func (g *grpclb) makePicker(fresh bool) {
	switch g.state {
	case TransientFailure:
		why, reason := "<nil>", ZeroAddresses
		if g.err != nil {
			why, reason = g.err.Text, g.err.Reason
		}
		text := "all SubConns are in TransientFailure, last connection error: " + why
		g.picker = fixed(Fail(&Status{Code: Unavailable, Text: text, Reason: reason}))
		return
	case Connecting:
		g.picker = queue
		return
	}
	ready := g.ready()
	if g.fallback {
		g.picker = &lbPicker{ready: ready, at: g.Rand().IntN(len(ready))}
		return
	}
	if p, ok := g.picker.(*lbPicker); ok && !fresh && p.list != nil {
		p.ready, p.at = ready, p.at%len(ready)
		return
	}
	g.picker = &lbPicker{list: g.full, ready: ready, at: g.Rand().IntN(len(ready))}
}

// ready returns the READY connections, each as often as its backend is named.
func (g *grpclb) ready() (ready []SubConn) {
	if g.first != nil {
		return []SubConn{g.first.list[g.first.at].sc}
	}
	for _, a := range g.backends {
		if sc := g.to[a.ID]; g.subConns[sc].state == Ready {
			ready = append(ready, sc)
		}
	}
	return ready
}

// lbPicker takes the entries of a list in turn, each of which is a backend or a drop. If the entry
// is not a drop it takes the connections in turn.
type lbPicker struct {
	list  []string // nil in fallback
	next  int      // in list
	ready []SubConn
	at    int // in ready
}

var errLBDrop = &Status{
	Code: Unavailable, Text: "request dropped by grpclb", Reason: DroppedByPolicy,
}

// Pick drops an RPC or takes the next connection.
func (p *lbPicker) Pick(Call) Pick {
	if len(p.list) > 0 {
		entry := p.list[p.next]
		p.next = (p.next + 1) % len(p.list)
		if entry == lbDrop {
			return Pick{Verdict: Dropped, Status: errLBDrop}
		}
	}
	sc := p.ready[p.at]
	p.at = (p.at + 1) % len(p.ready)
	return Send(sc)
}

// Done does nothing.
func (p *lbPicker) Done(Pick, Outcome) {}
