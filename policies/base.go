package policies

import (
	"errors"
	"slices"
)

// base connects to every address and lets a leaf pick among those that are READY: the parent of
// most policies that people have written for grpc-go. Unlike [NewEndpointSharding] it has no
// pick_first: each address of an endpoint counts by itself.
//
// Source: grpc-go v1.85.0, balancer/base. A SubConn that has failed counts as failed until it is
// READY, and connects again by itself. The reason of the last failure is kept, so RPCs may fail
// with one that is long past. Backends that are NOT_SERVING are used.
type base struct {
	Host
	leaf     Leaf
	subConns []baseSubConn   // in the order of the list; then those that are being shut down
	open     int             // number of SubConns that are in the list
	state    Connectivity    // of the whole at the last change of a SubConn
	picker   Picker          // reported last
	ready    []ReadyEndpoint // that the leaf has

	resolverErr, connErr *Status // the last one; nil for none
}

type baseSubConn struct {
	ReadyEndpoint
	address *Address
	state   Connectivity // TRANSIENT_FAILURE until READY, whatever the SubConn does meanwhile
}

// newBase returns a balancer with a leaf.
func newBase(h Host, leaf Leaf) *base {
	return &base{Host: h, leaf: leaf, state: Connecting, picker: queue}
}

// Update connects to the addresses that are new and shuts down those that are gone.
func (b *base) Update(s State) error {
	if l, ok := b.leaf.(Configurable); ok && s.Policy != nil {
		l.Configure(s.Policy)
	}
	b.resolverErr = nil
	before := b.subConns[:b.open]
	closed := b.subConns[b.open:]
	var list []baseSubConn
	for _, e := range s.Endpoints {
		for _, a := range e.Addresses {
			is := func(sc baseSubConn) bool { return sc.address == a }
			if slices.ContainsFunc(list, is) {
				continue
			}
			if i := slices.IndexFunc(before, is); i >= 0 {
				before[i].Endpoint = e
				list = append(list, before[i])
				continue
			}
			sc := b.NewSubConn(a)
			list = append(list, baseSubConn{ReadyEndpoint{e, sc}, a, Idle})
			b.Connect(sc)
		}
	}
	n := len(list)
	for _, sc := range before {
		if !slices.ContainsFunc(list, func(l baseSubConn) bool { return l.SubConn == sc.SubConn }) {
			b.Shutdown(sc.SubConn)
			list = append(list, sc)
		}
	}
	b.subConns, b.open = append(list, closed...), n
	if n == 0 {
		b.ResolverError(errNoAddresses)
		return errors.New(errNoAddresses.Text)
	}
	b.choose()
	b.UpdateState(b.state, b.picker)
	return nil
}

// ResolverError makes a report in TRANSIENT_FAILURE, which is also the state without addresses.
func (b *base) ResolverError(err *Status) {
	b.resolverErr = err
	if b.open == 0 {
		b.state = TransientFailure
	}
	if b.state == TransientFailure {
		b.choose()
		b.UpdateState(b.state, b.picker)
	}
}

// SubConnState keeps the SubConn connecting and reports. There is another picker only when a
// SubConn enters or leaves READY, or when all fail.
func (b *base) SubConnState(sc SubConn, c Connectivity, err *Status) {
	i := slices.IndexFunc(b.subConns, func(s baseSubConn) bool { return s.SubConn == sc })
	if i < 0 {
		return
	}
	s := &b.subConns[i]
	before := s.state
	if c == Idle && i < b.open {
		b.Connect(sc)
	}
	if before == TransientFailure && (c == Connecting || c == Idle) {
		return
	}
	s.state = c
	switch c {
	case TransientFailure:
		b.connErr = err
	case Shutdown:
		b.subConns = slices.Delete(b.subConns, i, i+1) // not in the list: only those are shut down
	}
	b.state = TransientFailure
	for i := range b.subConns {
		b.state = better(b.state, b.subConns[i].state)
	}
	if (c == Ready) != (before == Ready) || b.state == TransientFailure {
		b.choose()
	}
	b.UpdateState(b.state, b.picker)
}

// choose sets the picker: the leaf, if an address of the list is READY.
func (b *base) choose() {
	if b.state == TransientFailure {
		b.picker = fixed(Fail(b.failure()))
		return
	}
	b.ready = b.ready[:0]
	for _, sc := range b.subConns[:b.open] {
		if sc.state == Ready {
			b.ready = append(b.ready, sc.ReadyEndpoint)
		}
	}
	b.picker = queue
	if len(b.ready) > 0 {
		b.leaf.Update(b.ready)
		b.picker = b.leaf
	}
}

// failure is the status of RPCs in TRANSIENT_FAILURE.
func (b *base) failure() *Status {
	resolver := "<nil>" // after a first list that was empty, until the next has an effect
	if b.resolverErr != nil {
		resolver = b.resolverErr.Text
	}
	text, why := "last resolver error: "+resolver, ResolverFailed
	switch {
	case b.connErr != nil && b.resolverErr != nil:
		text = "last connection error: " + b.connErr.Text + "; " + text
	case b.connErr != nil:
		text = "last connection error: " + b.connErr.Text
	}
	if b.connErr != nil {
		why = b.connErr.Reason
	}
	return &Status{Code: Unavailable, Text: text, Reason: why}
}

func (b *base) HealthState(SubConn, Connectivity, *Status) {} // it never calls WatchHealth
func (b *base) LoadReport(SubConn, *Load)                  {} // or WatchLoad
func (b *base) ExitIdle()                                  {} // it is never IDLE

// Close shuts down what is open.
func (b *base) Close() {
	for _, sc := range b.subConns[:b.open] {
		b.Shutdown(sc.SubConn)
	}
	b.subConns, b.open = nil, 0
}
