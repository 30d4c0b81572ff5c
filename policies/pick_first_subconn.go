package policies

var errNoAddresses = &Status{
	Code: Unavailable, Text: "produced zero addresses", Reason: ZeroAddresses,
}

// subConnState handles the new state of a SubConn (gRFC A61).
func (p *pickFirst) subConnState(up pickFirstParent, sc SubConn, c Connectivity, err *Status) {
	i := 0
	for i < len(p.list) && p.list[i].sc != sc {
		i++
	}
	if i == len(p.list) {
		return // it was shut down
	}
	cand := &p.list[i]
	old := cand.raw
	cand.raw = c
	if c == TransientFailure {
		cand.failed = true
	}
	switch {
	case c == Shutdown:
	case c == Ready:
		p.connected(up, i)
	case old == Ready || old == Connecting && c == Idle:
		p.keepOnly(up, cand)
		p.stopTimer()
		p.at = 0
		p.change(up, Idle, nil)
	case p.pass:
		p.duringPass(up, i, err)
	default:
		p.afterPass(up, cand, err)
	}
}

func (p *pickFirst) connected(up pickFirstParent, i int) {
	p.stopTimer()
	p.keepOnly(up, &p.list[i])
	p.at = int32(i)
	p.list[i].sticky = false
	if p.petiole {
		p.change(up, Connecting, nil)
		if up.WatchHealth(p.list[i].sc) {
			return
		}
	}
	p.change(up, Ready, nil)
}

// healthState handles the health of the backend that a petiole is connected to (gRFC A17). The
// connection is kept while the backend is NOT_SERVING.
func (p *pickFirst) healthState(up pickFirstParent, sc SubConn, c Connectivity, err *Status) {
	if int(p.at) >= len(p.list) || p.list[p.at].sc != sc || p.list[p.at].raw != Ready {
		return // no longer in use
	}
	if c == TransientFailure {
		text := "pickfirst: health check failure: " + err.Text
		err = &Status{Code: Unavailable, Text: text, Reason: err.Reason}
	}
	p.change(up, c, err)
}

// duringPass handles a new state in the first pass: a failure starts the next address, and the last
// failure ends the pass. A SubConn that is IDLE again waits for the end of the pass.
func (p *pickFirst) duringPass(up pickFirstParent, i int, err *Status) {
	cand := &p.list[i]
	switch cand.raw {
	case Connecting:
		if !cand.sticky {
			p.change(up, Connecting, nil)
		}
	case TransientFailure:
		cand.sticky, cand.err = true, err
		if i == int(p.at) {
			p.stopTimer()
			p.at++
			if int(p.at) < len(p.list) {
				p.request(up)
				return
			}
		}
		p.endPass(up, err)
	}
}

// afterPass handles a new state after the first pass: an IDLE SubConn connects again. As many
// failures as there are SubConns make one report.
func (p *pickFirst) afterPass(up pickFirstParent, cand *candidate, err *Status) {
	switch cand.raw {
	case TransientFailure:
		cand.err = err
		open := int32(0)
		for i := range p.list {
			if p.list[i].sc != noSubConn {
				open++
			}
		}
		p.failures = (p.failures + 1) % open
		if p.failures == 0 {
			p.change(up, TransientFailure, err)
		}
	case Idle:
		up.Connect(cand.sc)
	}
}

// closeSubConns shuts down every SubConn.
func (p *pickFirst) closeSubConns(up pickFirstParent) {
	for i := range p.list {
		p.shut(up, &p.list[i])
	}
}

// keepOnly shuts down every SubConn but one.
func (p *pickFirst) keepOnly(up pickFirstParent, keep *candidate) {
	for i := range p.list {
		if c := &p.list[i]; c != keep {
			p.shut(up, c)
		}
	}
}

func (p *pickFirst) shut(up pickFirstParent, c *candidate) {
	if c.sc != noSubConn {
		up.Shutdown(c.sc)
		*c = candidate{address: c.address, sc: noSubConn}
	}
}
