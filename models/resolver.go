package models

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// Resolver turns the name of the service into endpoints. It is the options struct of a kind.
type Resolver interface {
	// Check returns what is wrong with the options for this experiment, or nil. The text begins
	// with the name of the option and a colon where it is about one.
	Check(c *Config) error
	// Doc returns a line on what the resolver does.
	Doc() string
	// Start begins the resolution for one channel. It returns nil if hints have no effect.
	Start(to ResolverConn) Resolution
}

// Resolution is the resolution of one channel (in gRPC, resolver.Resolver).
type Resolution interface {
	// ResolveNow is the hint that the list may be outdated: an attempt to connect failed or a
	// connection was lost. It must not report before it returns: the channel is in the middle of an
	// update.
	ResolveNow()
}

// ResolverConn is the channel to which a resolver reports (in gRPC, resolver.ClientConn), and the
// registry in which the backends are.
type ResolverConn interface {
	// UpdateState sets the complete list of backends, by number; nil stands for all. An error means
	// that the policy refused the list, as it does an empty one, or the channel the service config.
	// Then the resolver should look again later.
	UpdateState(backends []int32) error
	// UpdateEndpoints is UpdateState for endpoints that are not whole backends: each is a list of
	// addresses, by number.
	UpdateEndpoints(endpoints [][]int32) error
	// UpdateWeighted is UpdateState with a weight for each backend, by number; 0 for its own
	// weight.
	UpdateWeighted(backends []int32, weights []uint32) error
	// UpdateServiceConfig sets the service config that comes with lists from now on.
	UpdateServiceConfig(c ServiceConfig)
	// ReportError reports that the resolution failed, and why. An earlier list stays in use.
	// Without one RPCs fail with UNAVAILABLE.
	ReportError(text string)

	// Backends returns the numbers of the backends with these names, as in [Config.Select]; without
	// names, of all.
	Backends(names []string) []int32
	// Addresses returns the numbers of a backend's addresses, in the order of the experiment.
	Addresses(backend int32) []int32
	// History returns the conditions of a backend so far, in order. Before the first one its
	// process ran without failures.
	History(backend int32) []Presence
	// Watch calls f with each change of a backend from now on.
	Watch(f func(backend int32, p Presence))

	Now() sim.Time
	// AfterFunc calls f d from now.
	AfterFunc(d time.Duration, f func())
	// Rand is the random stream of the resolver for this channel.
	Rand() *sim.Rand
}

// ResolverBackoff returns how long a resolver waits after a failure that n others preceded; u is
// uniform on (0, 1). grpc-go uses one formula for this and for connecting.
func ResolverBackoff(n uint8, u float64) time.Duration {
	b := DefaultBackoff()
	return b.after(n, u)
}

// AddressOrder is the order in which each channel gets the list of the resolver.
type AddressOrder uint8

const (
	// AsGiven keeps the resolver's order.
	AsGiven AddressOrder = iota
	// Shuffled draws an order for each channel at each update.
	Shuffled
	// Rotated begins the list of client n with entry n, modulo its length.
	Rotated
)

var addressOrders = []string{"given", "shuffled", "rotated"}

// String returns the order as a user writes it.
func (o AddressOrder) String() string { return word(o, addressOrders) }

// MarshalText writes the order so that it reads back.
func (o AddressOrder) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads an order.
func (o *AddressOrder) UnmarshalText(text []byte) error {
	return readWord(o, "order", text, addressOrders)
}

// resolverConn is the ResolverConn of one resolution: from when the channel exits idle until it is
// closed.
type resolverConn struct {
	c      *channel
	work   Resolution    // nil if hints have no effect
	rand   *sim.Rand     // nil until the first draw
	closed bool          // the resolver must not do anything any more
	config ServiceConfig // that comes with lists
}

// startResolver starts the resolver of a channel that exits idle.
func startResolver(c *channel) {
	r := &resolverConn{c: c}
	c.resolver = r
	r.work = c.w.cfg.Resolver.Start(r)
}

// resolveNow passes a hint to the resolver, if there is one.
func (r *resolverConn) resolveNow() {
	if r != nil && r.work != nil {
		r.work.ResolveNow()
	}
}

// close ends the resolution. Calls that it has scheduled have no effect.
func (r *resolverConn) close() { r.closed, r.work = true, nil }

func (r *resolverConn) UpdateState(backends []int32) error {
	return r.UpdateWeighted(backends, nil)
}

func (r *resolverConn) UpdateWeighted(backends []int32, weights []uint32) error {
	return r.update(r.c.view.list(backends, weights))
}

func (r *resolverConn) UpdateEndpoints(endpoints [][]int32) error {
	view := r.c.view
	var list []*policies.Endpoint
	for _, addresses := range endpoints {
		if e := view.of(r.c.w.endpoint(addresses)); e != nil {
			list = append(list, e)
		}
	}
	return r.update(list)
}

// update applies a service config and a list. Without a usable config the channel fails all RPCs.
func (r *resolverConn) update(endpoints []*policies.Endpoint) error {
	if r.closed {
		return nil
	}
	if len(r.c.w.l4) > 0 {
		endpoints = r.c.w.once(endpoints)
	}
	bad := r.c.apply(r.config)
	if bad != nil && !r.c.service.any {
		r.c.refuse(r.config.Err)
		r.c.fulfil()
		return bad
	}
	r.c.relist(endpoints)
	err := r.c.balancer.Update(policies.State{
		Endpoints: r.ordered(endpoints), Policy: r.c.service.policy,
	})
	r.c.fulfil()
	return cmp.Or(bad, err)
}

func (r *resolverConn) UpdateServiceConfig(c ServiceConfig) { r.config = c }

// ordered returns the list in the order that the experiment asks for.
func (r *resolverConn) ordered(list []*policies.Endpoint) []*policies.Endpoint {
	if len(list) < 2 {
		return list
	}
	switch r.c.w.cfg.Order {
	case Shuffled:
		list = slices.Clone(list)
		for i := len(list) - 1; i > 0; i-- {
			k := r.Rand().IntN(i + 1)
			list[i], list[k] = list[k], list[i]
		}
	case Rotated:
		first := int(r.c.number) % len(list)
		list = slices.Concat(list[first:], list[:first])
	}
	return list
}

func (r *resolverConn) ReportError(text string) {
	if !r.closed {
		err := &policies.Status{
			Code: policies.Unavailable, Text: text, Reason: policies.ResolverFailed,
		}
		_ = r.c.apply(ServiceConfig{}) // keep the current config, or use the client's own
		r.c.balancer.ResolverError(err)
		r.c.fulfil()
	}
}

func (r *resolverConn) Addresses(backend int32) []int32  { return numbers(r.c.w.shown[backend]) }
func (r *resolverConn) History(backend int32) []Presence { return r.c.w.registry.of[backend] }
func (r *resolverConn) Now() sim.Time                    { return r.c.k.Now() }

func (r *resolverConn) Backends(names []string) []int32 {
	if len(names) > 0 {
		return r.c.w.Select(names)
	}
	all := make([]int32, len(r.c.w.backends))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

func (r *resolverConn) Watch(f func(backend int32, p Presence)) {
	r.c.w.registry.watches = append(r.c.w.registry.watches, registryWatch{r, f})
}

func (r *resolverConn) AfterFunc(d time.Duration, f func()) {
	r.c.k.AfterFunc(d, func() {
		if !r.closed {
			f()
		}
	})
}

func (r *resolverConn) Rand() *sim.Rand {
	if r.rand == nil {
		r.rand = r.c.k.Rand(fmt.Sprintf("client/%d/resolver", r.c.number))
	}
	return r.rand
}
