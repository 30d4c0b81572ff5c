package grpcgo

import (
	"encoding/json"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/serviceconfig"
)

// timed is a balancer that takes down, at each call into the one inside it, whether the clock of
// the bubble shows the moment of the simulation.
type timed struct {
	balancer.Builder
	log *timeLog
}

type timeLog struct {
	mu    sync.Mutex
	calls int
	wrong map[string]time.Duration // by call: the last difference
}

func (b timed) Name() string { return "timed" }

func (b timed) ParseConfig(text json.RawMessage) (serviceconfig.LoadBalancingConfig, error) {
	return b.Builder.(balancer.ConfigParser).ParseConfig(text)
}

func (b timed) Build(cc balancer.ClientConn, o balancer.BuildOptions) balancer.Balancer {
	c := &timedConn{cc, b.log, cc.(*clientConn).bridge}
	return &timedBalancer{b.Builder.Build(c, o), c}
}

type timedConn struct {
	balancer.ClientConn
	log    *timeLog
	bridge *bridge
}

func (c *timedConn) see(call string) {
	late := time.Duration(c.bridge.Host.Now()) - time.Since(c.bridge.clock.start)
	c.log.mu.Lock()
	defer c.log.mu.Unlock()
	c.log.calls++
	if late != 0 {
		c.log.wrong[call] = late
	}
}

type timedBalancer struct {
	balancer.Balancer
	c *timedConn
}

func (b *timedBalancer) UpdateClientConnState(s balancer.ClientConnState) error {
	b.c.see("UpdateClientConnState")
	return b.Balancer.UpdateClientConnState(s)
}

func (b *timedBalancer) ResolverError(err error) {
	b.c.see("ResolverError")
	b.Balancer.ResolverError(err)
}

func (b *timedBalancer) ExitIdle() {
	b.c.see("ExitIdle")
	b.Balancer.ExitIdle()
}

func (b *timedBalancer) Close() {
	b.c.see("Close")
	b.Balancer.Close()
}

// listener is one that is timed.
func (c *timedConn) listener(call string, f func(balancer.SubConnState),
) func(balancer.SubConnState) {
	if f == nil {
		return nil
	}
	return func(s balancer.SubConnState) {
		c.see(call)
		f(s)
	}
}

type timedSubConn struct {
	balancer.SubConn
	c *timedConn
}

func (s timedSubConn) RegisterHealthListener(f func(balancer.SubConnState)) {
	s.SubConn.RegisterHealthListener(s.c.listener("health listener", f))
}

func (c *timedConn) NewSubConn(a []resolver.Address, o balancer.NewSubConnOptions) (
	balancer.SubConn, error) {
	o.StateListener = c.listener("listener", o.StateListener)
	//lint:ignore SA1019 policies still call it
	s, err := c.ClientConn.NewSubConn(a, o)
	return timedSubConn{s, c}, err
}

func (c *timedConn) UpdateState(s balancer.State) {
	s.Picker = timedPicker{s.Picker, c}
	c.ClientConn.UpdateState(s)
}

type timedPicker struct {
	balancer.Picker
	c *timedConn
}

func (p timedPicker) Pick(info balancer.PickInfo) (balancer.PickResult, error) {
	p.c.see("Pick")
	r, err := p.Picker.Pick(info)
	if s, ok := r.SubConn.(timedSubConn); ok {
		done := r.Done
		r.SubConn = s.SubConn
		r.Done = func(d balancer.DoneInfo) {
			p.c.see("Done")
			if done != nil {
				done(d)
			}
		}
	}
	return r, err
}

// The picker of ring_hash asks for connections in goroutines of its own, and those of its children
// that fail wait before they try again. Whenever the balancer is called, its clock shows the moment
// of the run.
func TestTheClockOfABalancerIsThatOfTheRun(t *testing.T) {
	log := &timeLog{wrong: make(map[string]time.Duration)}
	balancer.Register(timed{balancer.Get("ring_hash_experimental"), log})
	e := load(t, `
duration = "1s"
seeds    = 5
[clients.web]
count    = 3
callers  = 1
requests = 200
think    = "exp(mean=1ms)"
[backends.b]
count     = 4
service   = "1ms"
addresses = ["ipv6", "ipv4"]
[network]
delay = "1ms"
[failures.one]
kind     = "crash"
backends = ["b/0"]
from     = "100ms"
to       = "300ms"
[policies.timed]
kind   = "grpc:timed"
config = '{"requestHashHeader": "k"}'
`, Balancer{Name: "timed"})
	if s := summary(t, e, 1); len(s.Failed) > 0 {
		t.Errorf("failed: %v", s.Failed)
	}
	// Each of 3,000 RPCs is picked and done once at least.
	if len(log.wrong) > 0 || log.calls < 6000 {
		t.Errorf("%d calls; late by %v", log.calls, log.wrong)
	}
}
