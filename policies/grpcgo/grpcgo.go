// Package grpcgo runs the real balancers of grpc-go, and those that users have written for it,
// unmodified as policies of lbsim.
//
// Such a balancer has goroutines, timers and the clock of package time. It lives in a bubble of
// testing/synctest, whose clock goes along with that of the simulation: see [Clock]. Its draws and
// the order of its maps are Go's own, so runs with it are not repeatable to the byte.
package grpcgo

import (
	"encoding/json"
	"fmt"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/serviceconfig"

	"lbsim/policies"
)

// Policy is a balancer that is registered with grpc-go's package balancer.
type Policy struct {
	Name string // with which it is registered
	// Config is its part of a service config, in JSON. "" for none.
	Config string
	// Clock is that of the bubble in which the policy is built and called.
	Clock *Clock

	reported func(balancer.State) // told of each state that it reports, if not nil
}

// builder returns what is registered.
func (p *Policy) builder() (balancer.Builder, error) {
	b := balancer.Get(p.Name)
	if b == nil {
		return nil, fmt.Errorf("name: no balancer is registered as %q", p.Name)
	}
	return b, nil
}

// parse reads Config as the balancer does; one that has no parser gets none.
func (p *Policy) parse(b balancer.Builder) (serviceconfig.LoadBalancingConfig, error) {
	parser, ok := b.(balancer.ConfigParser)
	if !ok {
		if p.Config != "" {
			return nil, fmt.Errorf("config: %s has no configuration", p.Name)
		}
		return nil, nil
	}
	text := p.Config
	if text == "" {
		text = "{}"
	}
	cfg, err := parser.ParseConfig(json.RawMessage(text))
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	return cfg, nil
}

// Check says whether the balancer is registered and accepts its configuration.
func (p *Policy) Check() error {
	b, err := p.builder()
	if err != nil {
		return err
	}
	_, err = p.parse(b)
	return err
}

// Doc says what the policy does.
func (p *Policy) Doc() string { return "a balancer written for grpc-go, as it is" }

// Build makes the balancer of one channel.
func (p *Policy) Build(h policies.Host) policies.Balancer {
	builder, err := p.builder()
	if err != nil {
		panic(err) // Check has refused it
	}
	b := &bridge{Host: h, name: p.Name, reported: p.reported,
		addresses: make(map[string]*policies.Address)}
	b.configure(p)
	p.Clock.join(b)
	b.call(func() {
		b.real = builder.Build(&clientConn{bridge: b}, balancer.BuildOptions{
			Target: target, Authority: target.Endpoint(),
		})
	})
	return b
}
