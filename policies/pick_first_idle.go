package policies

// newLazyPickFirst returns a pick_first that does nothing before exitIdle.
//
// Source: grpc-go v1.85.0, balancer/lazy with pick_first as its child. lazy builds the child when
// it leaves IDLE, with the latest list, and then the resolver's error if that came after the list.
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

// wake schedules exitIdle for when the present call has returned.
func (p *pickFirst) wake(up pickFirstParent) {
	if !p.woken {
		p.woken = true
		up.AfterFunc(0, func() { p.exitIdle(up) })
	}
}

// Uses leaves out health, to which pick_first does not react.
func (p PickFirst) Uses() []Use {
	if p.ShuffleAddressList {
		return []Use{{What: Weights}}
	}
	return nil
}
