package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// Resolver turns the name of the service into endpoints. It is the options struct of a kind.
type Resolver interface {
	// Check says what is wrong with the options for this experiment, or returns nil. The text
	// begins with the name of the option and a colon where it is about one.
	Check(c *Config) error
	// Doc says in a line what the resolver does.
	Doc() string
	// Start begins the resolution for one channel.
	Start(to ResolverConn)
}

// ResolverConn is what a resolver reports to: one channel (in gRPC, resolver.ClientConn).
type ResolverConn interface {
	// UpdateState brings the complete list of backends, named as [Config.Select] takes them. An
	// empty list is bad news to every policy; nil stands for all backends.
	UpdateState(backends []string)
	Now() sim.Time
	// AfterFunc calls f d from now.
	AfterFunc(d time.Duration, f func())
}

type resolverConn struct{ c *channel }

func (r resolverConn) UpdateState(backends []string) {
	w := r.c.w
	endpoints := w.endpoints
	if backends != nil {
		endpoints = nil
		for _, b := range w.Select(backends) {
			endpoints = append(endpoints, w.endpoints[b])
		}
	}
	r.c.throttle.fill()
	// The error asks the resolver to look again later. None of those there are can.
	_ = r.c.balancer.Update(policies.State{Endpoints: endpoints})
	r.c.fulfil()
}

func (r resolverConn) Now() sim.Time { return r.c.k.Now() }

func (r resolverConn) AfterFunc(d time.Duration, f func()) { r.c.k.AfterFunc(d, f) }
