package policies

import (
	"errors"
	"slices"
)

// base connects to every address by itself and lets a leaf pick among those that are READY: the
// parent of most policies that people have written for grpc-go. What it lacks beside
// [NewEndpointSharding] is all of pick_first: endpoints are taken apart into addresses.
//
// Source: grpc-go v1.85.0, balancer/base. A SubConn that has failed counts as failed until it is
// READY, and connects again by itself. The reason of the last failure stays, so RPCs may fail with
// one that is long past. Backends that call themselves ill are used.
type base struct {
	Host
	leaf     Leaf
	subConns []baseSubConn // in the order of the list; those that are shut down last
	open     int           // how many are not
	state    Connectivity  // that of all, as SubConns have changed theirs last
	picker   Picker
	ready    []ReadyEndpoint

	resolverErr, connErr *Status // the last; nil for none
}

type baseSubConn struct {
	ReadyEndpoint
	address *Address
	state   Connectivity
}

// newBase makes a balancer of a leaf.
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

// ResolverError is reported in TRANSIENT_FAILURE, which is the state without addresses.
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

// SubConnState keeps the SubConn connecting and reports. The picker is another only where a SubConn
// has become READY or no longer is, or all fail.
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
		b.subConns = slices.Delete(b.subConns, i, i+1) // one of those that are shut down
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

// choose makes the picker: the leaf, if there is something READY in the list.
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

// failure is why RPCs fail.
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

func (b *base) HealthState(SubConn, Connectivity, *Status) {} // it never asks
func (b *base) LoadReport(SubConn, *Load)                  {} // nor for this
func (b *base) ExitIdle()                                  {} // it never waits

// Close shuts down what is open.
func (b *base) Close() {
	for _, sc := range b.subConns[:b.open] {
		b.Shutdown(sc.SubConn)
	}
	b.subConns, b.open = nil, 0
}
