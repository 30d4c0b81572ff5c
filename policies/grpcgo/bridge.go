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
	name     string
	clock    *Clock
	real     balancer.Balancer
	config   serviceconfig.LoadBalancingConfig
	reported func(balancer.State)

	addresses map[string]*policies.Address // by text; written when no goroutine runs
	subConns  []*subConn                   // by number
	open      []func(balancer.DoneInfo)    // to be called when an RPC is done, by its number
	free      []uint32                     // numbers

	mu     sync.Mutex
	wishes []func()
	due    bool // the clock has seen to it that they are granted
	inside bool // the balancer is being called: its wishes are granted when it returns
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

// watch lets the goroutines of the balancer come to rest after an RPC was picked or is done, and
// has what they ask for granted when the channel has finished with it.
func (b *bridge) watch() {
	synctest.Wait()
	if b.asking() {
		b.Host.AfterFunc(0, b.grant)
	}
}

func (b *bridge) setInside(inside bool) {
	b.mu.Lock()
	b.inside = inside
	b.mu.Unlock()
}

// wish takes down what the balancer asks for.
func (b *bridge) wish(w func()) {
	b.mu.Lock()
	b.wishes = append(b.wishes, w)
	stir := !b.inside
	b.mu.Unlock()
	if stir {
		b.clock.stir()
	}
}

// asking reports whether there are wishes that nobody will grant yet, and counts on the caller to
// see to it.
func (b *bridge) asking() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.due || b.inside || b.wishes == nil {
		return false
	}
	b.due = true
	return true
}

// Update hands on the list of endpoints and the configuration.
func (b *bridge) Update(s policies.State) error {
	if p, ok := s.Policy.(*Policy); ok {
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

func (b *bridge) configure(p *Policy) {
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

// SubConnState tells the listener of a SubConn.
func (b *bridge) SubConnState(sc policies.SubConn, c policies.Connectivity, err *policies.Status) {
	s := b.subConns[sc]
	s.is(c)
	if s.listener != nil {
		b.call(func() { s.listener(subConnState(c, err)) })
	}
}

// HealthState tells the health listener of a SubConn, if it has one.
func (b *bridge) HealthState(sc policies.SubConn, c policies.Connectivity, err *policies.Status) {
	if listener := b.subConns[sc].healthListener(); listener != nil {
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
	b.clock.leave(b)
}
