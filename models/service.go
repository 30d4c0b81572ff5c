package models

import (
	"errors"
	"time"

	"lbsim/models/serviceconfig"
	"lbsim/policies"
	"lbsim/sim"
)

// A channel obeys the service config that name resolution brought last, or else the client's own.
// An RPC that begins before the first resolution waits for it, and has its config from then on; one
// that has its config keeps it, with the tokens of its retries.
//
// Source: grpc-go v1.85.0, ClientConn.updateResolverStateAndUnlock, newClientStream. What it makes
// of a config that cannot be used is not what gRFC A21 says: the first such fails all RPCs, even
// where the client has a config of its own.

// Configure makes the group obey a service config.
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

// ServiceConfig is what a resolver has found of the service config (in gRPC, ParseResult). Of the
// zero value there is none.
type ServiceConfig struct {
	Config *serviceconfig.Config
	Err    error // why it cannot be used
}

// service is what a channel knows of its service config.
type service struct {
	now      *serviceconfig.Config // that the resolver brought last, nil for none
	any      bool                  // it has had one, be it the client's own
	resolved bool                  // of names or of an error, since it left idle
	follows  bool                  // its policy is that of the config
	policy   policies.Policy       // from now on; nil where that does not change
}

// calling is how an RPC begins.
type calling struct {
	timeout time.Duration // 0 for none
	hedged  bool
	call    uint32    // unmade where it may be sent again, or 0
	waits   rpcStatus // waitForReady or 0
}

// errBadConfig lets the resolver know that a service config cannot be used.
var errBadConfig = errors.New("bad service config")

// awaitNames makes RPCs begin without a config, for the channel leaves idle.
func (c *channel) awaitNames() {
	c.service.resolved = false
	c.calling = calling{timeout: c.group.Timeout}
}

// apply obeys what the resolver says of the service config. If that cannot be used, what was before
// stays as it is.
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

// refuse fails all RPCs, also those that wait for ready: the first config cannot be used.
func (c *channel) refuse(err error) {
	c.UpdateState(policies.TransientFailure, policies.DropAll(&policies.Status{
		Code: policies.Unavailable, Text: "error parsing service config: " + err.Error(),
		Reason: policies.BadServiceConfig,
	}))
}

// settle makes RPCs begin as the config says, those also that wait for the first resolution.
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

// adopt gives an RPC that has waited for the first resolution its config, whose timeout begins now.
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

// setDeadline sets the deadline of an RPC, in place of another if it has one.
func (c *client) setDeadline(h handle, due sim.Time) {
	r := c.w.rpcs.at(h)
	if r.deadline != 0 {
		c.k.Cancel(r.deadline)
	}
	r.deadline = c.k.SetTimer(due.Sub(c.k.Now()), c.id, clientDeadline, uint32(h))
}
