package grpcgo

import (
	"errors"
	"sync"
	"testing/synctest"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/serviceconfig"

	"lbsim/policies"
)

// bridge is a real balancer as lbsim sees it: what the channel tells it goes on to the balancer,
// and what the balancer asks of its channel, in whichever goroutine, is a wish that is granted on
// the goroutine of the simulation when the bubble has come to rest.
type bridge struct {
	policies.Host
	balancer *Balancer
	clock    *Clock
	method   string // that the RPCs call
	real     balancer.Balancer
	config   serviceconfig.LoadBalancingConfig
	reported func(balancer.State)

	subConns []*subConn                // by number
	open     []func(balancer.DoneInfo) // to be called when an RPC is done, by its number
	free     []uint32                  // numbers

	mu        sync.Mutex
	addresses map[string]*policies.Address // by text
	wishes    []func()
	inside    bool // the balancer is being called: its wishes are granted when it returns
	due       bool // the clock knows that there are wishes
	closed    bool
}

// call calls the balancer, lets its goroutines come to rest and grants its wishes.
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

// wish takes down what the balancer asks for. After its end that is nothing any more.
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

// Update hands on the list of endpoints and the configuration.
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

// ResolverError hands on that name resolution failed.
func (b *bridge) ResolverError(err *policies.Status) {
	b.call(func() { b.real.ResolverError(errors.New(err.Text)) })
}

// SubConnState tells the listener of a SubConn. One that is made with HealthCheckEnabled is READY
// when it is healthy, where that is checked.
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

// HealthState tells the health listener of a SubConn, if it has one. To one with HealthCheckEnabled
// it is a state.
func (b *bridge) HealthState(sc policies.SubConn, c policies.Connectivity, err *policies.Status) {
	s := b.subConns[sc]
	if s.checked {
		b.tell(s, c, err)
	} else if listener := s.healthListener(); listener != nil {
		b.call(func() { listener(subConnState(c, err)) })
	}
}

// LoadReport tells the stream of load reports of a SubConn, if it has one.
func (b *bridge) LoadReport(sc policies.SubConn, l *policies.Load) {
	b.call(func() { b.subConns[sc].report(loadReport(l)) })
}

// ExitIdle asks the balancer to connect.
func (b *bridge) ExitIdle() { b.call(b.real.ExitIdle) }

// Close ends the balancer.
func (b *bridge) Close() {
	b.call(b.real.Close)
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.clock.remove(b)
}
