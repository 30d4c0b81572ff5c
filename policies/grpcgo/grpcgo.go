// Package grpcgo runs the balancers of grpc-go, and those that teams have written for grpc-go,
// unmodified as policies of lbsim. The name of the kind is "grpc:" and the name with which the
// balancer is registered.
//
// Such a balancer has goroutines, timers and the clock of package time. Each run has a bubble of
// testing/synctest, whose clock keeps pace with the simulation: see [Clock]. Random numbers and the
// order of maps are Go's own. So runs are not repeatable to the byte, and their results say so.
//
// A balancer that panics when it is called, blocks for ever, or leaves goroutines behind after
// Close fails its own run and no other. Two limits: a panic in a goroutine of the balancer ends the
// process, and a goroutine that blocks for ever on a mutex, or on something outside of the bubble
// such as the network, makes its run hang.
package grpcgo

import (
	"encoding/json"
	"errors"
	"fmt"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/serviceconfig"

	"lbsim/policies"
	"lbsim/sim"
)

// Balancer is a balancer that is registered with grpc-go's package balancer.
type Balancer struct {
	Name string
	// Endpoint adds the attributes that the balancer reads to an endpoint or its addresses; nil
	// where it reads none. Weight and hash key are in grpc-go's attributes already.
	Endpoint func(e resolver.Endpoint, of *policies.Endpoint) resolver.Endpoint
}

// Kinds returns the policies that run these balancers, by the names of their kinds.
func Kinds(balancers ...Balancer) map[string]policies.Policy {
	kinds := make(map[string]policies.Policy)
	for _, b := range balancers {
		kinds["grpc:"+b.Name] = Policy{balancer: &b}
	}
	return kinds
}

// Policy runs a balancer of grpc-go. [Kinds] makes policies; the zero Policy is refused.
type Policy struct {
	// Config is the balancer's config in JSON, as in a service config; "" for none.
	Config string `toml:"config"`

	balancer *Balancer
	reported func(balancer.State) // called with each state that it reports, if not nil
}

// Doc describes the policy in a line.
func (p Policy) Doc() string { return "the balancer " + p.balancer.Name + " of grpc-go, as it is" }

// Check refuses a balancer that is not registered, and a config that the balancer refuses.
func (p Policy) Check() error {
	b, err := p.builder()
	if err == nil {
		_, err = p.parse(b)
	}
	return err
}

func (p Policy) builder() (balancer.Builder, error) {
	if p.balancer == nil {
		return nil, errors.New("must be one of grpcgo.Kinds")
	}
	if b := balancer.Get(p.balancer.Name); b != nil {
		return b, nil
	}
	return nil, fmt.Errorf("no balancer is registered as %q: the command must import its package",
		p.balancer.Name)
}

// parse reads Config as the balancer does.
func (p Policy) parse(b balancer.Builder) (serviceconfig.LoadBalancingConfig, error) {
	text := json.RawMessage(p.Config)
	parser, ok := b.(balancer.ConfigParser)
	switch {
	case p.Config == "":
		text = json.RawMessage("{}")
	case !ok:
		return nil, errors.New("config: the balancer has none: leave it out")
	case !json.Valid(text):
		return nil, errors.New("config: must be JSON, such as '{\"choiceCount\": 3}'")
	}
	if !ok {
		return nil, nil
	}
	cfg, err := parser.ParseConfig(text)
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	return cfg, nil
}

// ReadOptions returns the policy with a config in JSON. With rewritten the balancer parses the
// text, writes the result as JSON and parses that again, as a parent like random_subsetting makes
// it do.
func (p Policy) ReadOptions(text string, rewritten bool) (policies.Policy, error) {
	b, err := p.builder()
	if err != nil {
		return nil, err
	}
	parser, ok := b.(balancer.ConfigParser)
	if !ok {
		return p, nil // whatever the text, as in grpc-go
	}
	p.Config = text
	cfg, err := parser.ParseConfig(json.RawMessage(text))
	if err == nil && rewritten {
		var again []byte
		if again, err = json.Marshal(cfg); err == nil {
			p.Config = string(again)
			_, err = parser.ParseConfig(again)
		}
	}
	return p, err
}

// Warning is for the results of runs with the policy.
func (p Policy) Warning() string {
	return "not repeatable to the byte: a real balancer of grpc-go draws from Go's own random " +
		"numbers, has its children in the order of Go's maps, and has goroutines"
}

// Kind is the name of the kind.
func (p Policy) Kind() string { return "grpc:" + p.balancer.Name }

// Accompany calls run in a bubble with a clock, which all balancers of the run share.
func (Policy) Accompany(run func(clock sim.Follower)) error {
	return inBubble(func() {
		clock := newClock()
		run(clock)
		clock.close()
	})
}

// Build makes the balancer of one channel, in a run with a clock of [Policy.Accompany].
func (p Policy) Build(h policies.Host) policies.Balancer {
	builder, err := p.builder()
	if err != nil {
		panic(err) // Check has refused it
	}
	b := &bridge{
		Host: h, balancer: p.balancer, clock: h.Follower().(*Clock), reported: p.reported,
		method: h.Method(), addresses: make(map[string]*policies.Address),
	}
	b.configure(p)
	b.clock.add(b)
	b.call(func() {
		b.real = builder.Build(&clientConn{bridge: b}, balancer.BuildOptions{})
	})
	return b
}
