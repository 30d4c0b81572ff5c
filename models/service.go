package models

import (
	"errors"
	"time"

	"lbsim/models/serviceconfig"
	"lbsim/policies"
	"lbsim/sim"
)

// A channel uses the service config of the latest resolution, or else the client's own. An RPC that
// begins before the first resolution waits for it and takes its config. An RPC keeps the config
// that it took, with the retry budget.
//
// Source: grpc-go v1.85.0, ClientConn.updateResolverStateAndUnlock, newClientStream. It deviates
// from gRFC A21 where a config is invalid: if that is the first one, all RPCs fail, also where the
// client has a config of its own.

// Configure applies a service config to the group.
func (g *ClientGroup) Configure(c *serviceconfig.Config) {
	m := c.Method(g.Method)
	g.ServiceTimeout = 0
	if m.Timeout != nil {
		g.ServiceTimeout = max(time.Nanosecond, *m.Timeout) // 0 stands for none here
	}
	g.ServiceWait = m.WaitForReady != nil && *m.WaitForReady
	g.HealthCheck = c.HealthService != nil
	g.Retry, g.Hedging, g.Throttle = m.Retry, m.Hedging, c.Throttle
}

// ServiceConfig is a service config that a resolver has found (in gRPC, ParseResult). The zero
// value stands for none.
type ServiceConfig struct {
	Config *serviceconfig.Config
	Err    error // why it is invalid
}

// service is the state of a channel's service config.
type service struct {
	now      *serviceconfig.Config // the latest valid one from the resolver; nil for none
	any      bool                  // some config was used, the client's own included
	resolved bool                  // a list or an error has come since the channel exited idle
	follows  bool                  // the channel's policy is that of the config
	policy   policies.Policy       // for the balancer's next update; nil if it does not follow
}

// calling is how an RPC begins: what the service config and the group say, in the form that
// client.arrive needs.
type calling struct {
	timeout time.Duration // 0 for none
	hedged  bool          // with a hedging policy
	call    uint32        // for rpc.call: noCallYet with a retry policy, else 0
	waits   rpcStatus     // flags: waitForReady or 0
}

// errBadConfig informs the resolver that a service config is invalid.
var errBadConfig = errors.New("bad service config")

// awaitNames makes RPCs begin without a config until the first resolution.
func (c *channel) awaitNames() {
	c.service.resolved = false
	c.calling = calling{timeout: c.group.Timeout}
}

// apply applies the service config of a resolution. If it is invalid the earlier one stays in use,
// and apply returns an error.
func (c *channel) apply(found ServiceConfig) error {
	s := &c.service
	if found.Err != nil {
		c.useConfig()
		return errBadConfig
	}
	if c.calling.call == noCallYet {
		c.w.clients[c.number].makeCalls()
	}
	if found.Config != nil && found.Config != s.now {
		s.now = found.Config
		g := *c.group
		g.Configure(s.now)
		c.group = &g
		if s.follows {
			s.policy = s.now.Policy
		}
	}
	s.any = true
	c.throttle = newThrottle(c.group.Throttle)
	c.useConfig()
	return nil
}

// refuse fails all RPCs, wait-for-ready ones too, because the first config is invalid.
func (c *channel) refuse(err error) {
	c.UpdateState(policies.TransientFailure, policies.DropAll(&policies.Status{
		Code: policies.Unavailable, Text: "error parsing service config: " + err.Error(),
		Reason: policies.BadServiceConfig,
	}))
}

// useConfig sets calling from the config. RPCs that wait for the first resolution take the config
// now.
func (c *channel) useConfig() {
	g := c.group
	c.calling = calling{timeout: g.Timeout, hedged: g.Hedging != nil}
	if g.Retry != nil {
		c.calling.call = noCallYet
	}
	if t := g.ServiceTimeout; t > 0 && (g.Timeout == 0 || t < g.Timeout) {
		c.calling.timeout = t
	}
	if g.WaitsForReady() {
		c.calling.waits = waitForReady
	}
	if c.service.resolved {
		return
	}
	c.service.resolved = true
	for _, h := range c.waiting {
		if c.w.rpcs.at(h).state == rpcWaiting {
			c.w.clients[c.number].adopt(h)
		}
	}
}

// adopt gives the config to an RPC that waited for the first resolution. The timeout of the config
// begins now.
func (c *client) adopt(h handle) {
	g, now := c.channel.group, c.k.Now()
	r := c.w.rpcs.at(h)
	due := c.due(r)
	if t := g.ServiceTimeout; t > 0 {
		due = min(due, now.Add(t))
	}
	r.status |= c.channel.calling.waits
	if !c.channel.calling.hedged {
		r.call = c.channel.calling.call
		if due < c.due(r) {
			c.setDeadline(h, due)
		}
		return
	}
	c.hedge(c.makeCall(h, due))
}

// setDeadline sets the deadline of an RPC, in place of an earlier one.
func (c *client) setDeadline(h handle, due sim.Time) {
	r := c.w.rpcs.at(h)
	if r.deadline != 0 {
		c.k.Cancel(r.deadline)
	}
	r.deadline = c.k.SetTimer(due.Sub(c.k.Now()), c.id, clientDeadline, uint32(h))
}
