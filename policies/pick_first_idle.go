package policies

// newLazyPickFirst is a pick_first that does nothing before it is asked to leave Idle.
//
// Source: grpc-go v1.85.0, balancer/lazy, around pick_first: it builds that one when it is woken,
// with the latest list, and the resolver's error if that is later still.
func newLazyPickFirst() pickFirst { return pickFirst{state: Idle, lazy: true} }

// exitIdle leaves Idle and connects.
func (p *pickFirst) exitIdle(up pickFirstParent) {
	if p.state != Idle {
		return
	}
	late := p.err
	p.set(up, Connecting, nil)
	p.startPass(up)
	if p.lazy {
		p.lazy = false
		if late != nil {
			p.resolverError(up, late)
		}
	}
}

// wake asks for exitIdle when the present call has returned.
func (p *pickFirst) wake(up pickFirstParent) {
	if !p.woken {
		p.woken = true
		up.AfterFunc(0, func() { p.exitIdle(up) })
	}
}

// Uses says that it does not hear of health.
func (p PickFirst) Uses() []Use {
	if p.ShuffleAddressList {
		return []Use{{What: Weights}}
	}
	return nil
}
