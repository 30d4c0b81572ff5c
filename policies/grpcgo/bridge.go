package grpcgo

import (
	"errors"
	"sync"
	"testing/synctest"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/serviceconfig"

	"lbsim/policies"
)

// bridge is a balancer of grpc-go as lbsim sees it. Calls of the channel go to the balancer. What
// the balancer asks of its channel, in any goroutine, is a wish: it is granted on the goroutine of
// the simulation when all goroutines of the bubble are blocked.
type bridge struct {
	policies.Host
	balancer *Balancer
	clock    *Clock
	method   string // that the RPCs call
	real     balancer.Balancer
	config   serviceconfig.LoadBalancingConfig
	reported func(balancer.State)

	subConns []*subConn                // by number
	open     []func(balancer.DoneInfo) // by the Note of a pick: what to call when the RPC is done
	free     []uint32                  // unused indices of open

	mu        sync.Mutex
	addresses map[string]*policies.Address // by text
	wishes    []func()
	inside    bool // the balancer is being called: wishes are granted when the call returns
	due       bool // the clock will have the wishes granted
	closed    bool // wishes are dropped
}

// call calls the balancer, waits until its goroutines are blocked and grants its wishes.
func (b *bridge) call(f func()) {
	b.setInside(true)
	f()
	b.grant()
}

// grant grants wishes until there is none.
func (b *bridge) grant() {
	b.setInside(true)
	for {
		synctest.Wait()
		b.mu.Lock()
		wishes := b.wishes
		b.wishes = nil
		if wishes == nil {
			b.inside, b.due = false, false
		}
		b.mu.Unlock()
		if wishes == nil {
			return
		}
		for _, w := range wishes {
			w()
		}
	}
}

func (b *bridge) setInside(inside bool) {
	b.mu.Lock()
	b.inside = inside
	b.mu.Unlock()
}

// wish records a wish of the balancer. A closed balancer has none.
func (b *bridge) wish(w func()) {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return
	}
	b.wishes = append(b.wishes, w)
	ask := !b.inside && !b.due
	b.due = b.due || ask
	b.mu.Unlock()
	if ask {
		b.clock.ask(b)
	}
}

// Update passes on the list of endpoints and the config.
func (b *bridge) Update(s policies.State) error {
	if p, ok := s.Policy.(Policy); ok {
		b.configure(p)
	}
	state := balancer.ClientConnState{
		ResolverState:  b.resolverState(s.Endpoints),
		BalancerConfig: b.config,
	}
	var err error
	b.call(func() { err = b.real.UpdateClientConnState(state) })
	return err
}

func (b *bridge) configure(p Policy) {
	builder, err := p.builder()
	if err == nil {
		b.config, err = p.parse(builder)
	}
	if err != nil {
		panic(err) // Check has refused it
	}
}

// ResolverError passes on that name resolution failed.
func (b *bridge) ResolverError(err *policies.Status) {
	b.call(func() { b.real.ResolverError(errors.New(err.Text)) })
}

// SubConnState calls the listener of a SubConn. Where clients check health, one with
// HealthCheckEnabled becomes READY when it is healthy.
func (b *bridge) SubConnState(sc policies.SubConn, c policies.Connectivity, err *policies.Status) {
	s := b.subConns[sc]
	if c == policies.Ready && s.checked && b.Host.WatchHealth(sc) {
		return
	}
	b.tell(s, c, err)
}

func (b *bridge) tell(s *subConn, c policies.Connectivity, err *policies.Status) {
	s.is(c)
	if s.listener != nil {
		b.call(func() { s.listener(subConnState(c, err)) })
	}
}

// HealthState calls the health listener of a SubConn, if there is one. For a SubConn with
// HealthCheckEnabled health is its state.
func (b *bridge) HealthState(sc policies.SubConn, c policies.Connectivity, err *policies.Status) {
	s := b.subConns[sc]
	if s.checked {
		b.tell(s, c, err)
	} else if listener := s.healthListener(); listener != nil {
		b.call(func() { listener(subConnState(c, err)) })
	}
}

// LoadReport goes to the stream of load reports of a SubConn, if there is one.
func (b *bridge) LoadReport(sc policies.SubConn, l *policies.Load) {
	b.call(func() { b.subConns[sc].report(loadReport(l)) })
}

// ExitIdle makes the balancer connect.
func (b *bridge) ExitIdle() { b.call(b.real.ExitIdle) }

// Close closes the balancer.
func (b *bridge) Close() {
	b.call(b.real.Close)
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.clock.remove(b)
}
