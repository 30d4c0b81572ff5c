// Package example is a balancer as a team may have it: written against the public interface of
// grpc-go, registered by being imported, and without a thought of lbsim.
package example

import (
	"sync/atomic"

	"google.golang.org/grpc/attributes"
	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/balancer/base"
	"google.golang.org/grpc/resolver"
)

// Name is that of the balancer in a service config.
const Name = "weighted_in_flight"

func init() {
	balancer.Register(base.NewBalancerBuilder(Name, builder{}, base.Config{HealthCheck: true}))
}

type weightKey struct{}

// WithWeight returns the address with a weight, how much of the load it shall get beside others.
// The resolver of the team calls it. Addresses without have weight 1.
func WithWeight(a resolver.Address, weight uint32) resolver.Address {
	if a.Attributes == nil {
		a.Attributes = attributes.New(weightKey{}, weight)
	} else {
		a.Attributes = a.Attributes.WithValue(weightKey{}, weight)
	}
	return a
}

func weightOf(a resolver.Address) uint32 {
	if w, ok := a.Attributes.Value(weightKey{}).(uint32); ok && w > 0 {
		return w
	}
	return 1
}

type builder struct{}

// Build makes the picker for the connections that are ready now. RPCs on the way that an earlier
// picker has sent do not count.
func (builder) Build(info base.PickerBuildInfo) balancer.Picker {
	if len(info.ReadySCs) == 0 {
		return base.NewErrPicker(balancer.ErrNoSubConnAvailable)
	}
	p := &picker{backends: make([]backend, 0, len(info.ReadySCs))}
	for sc, ready := range info.ReadySCs {
		p.backends = append(p.backends, backend{
			subConn: sc, weight: weightOf(ready.Address), inFlight: new(atomic.Int64),
		})
	}
	return p
}

// backend is a connection that is ready.
type backend struct {
	subConn  balancer.SubConn
	weight   uint32
	inFlight *atomic.Int64
}

// load is what the backend would bear, for its weight, with one RPC more.
func (b *backend) load() float64 {
	return float64(b.inFlight.Load()+1) / float64(b.weight)
}

type picker struct {
	backends []backend
	turn     atomic.Uint32
}

// Pick takes the backend with the least load. The search begins at another one each time, so equal
// ones take turns.
func (p *picker) Pick(balancer.PickInfo) (balancer.PickResult, error) {
	n := uint32(len(p.backends))
	start := p.turn.Add(1)
	best := &p.backends[start%n]
	for i := range n {
		if b := &p.backends[(start+i)%n]; b.load() < best.load() {
			best = b
		}
	}
	best.inFlight.Add(1)
	return balancer.PickResult{
		SubConn: best.subConn,
		Done:    func(balancer.DoneInfo) { best.inFlight.Add(-1) },
	}, nil
}
