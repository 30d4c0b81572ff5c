package models

import (
	"lbsim/policies"
)

// A channel without an RPC for its idle timeout forgets all: names, policy, connections. The next
// RPC pays for a resolution and for connecting, and counters of the policy start anew.
//
// Source: grpc-go v1.85.0, internal/idle and ClientConn.enterIdleMode (gRFC A62 recommends it).

// watchIdle sets the timer of a channel that leaves idle.
func (c *channel) startIdleTimer() {
	if d := c.group.IdleTimeout; d > 0 {
		c.k.After(d, c.id, channelIdle, 0)
	}
}

// maybeIdle is when the idle timeout is over, if nothing has happened since it was set. Where an
// RPC has ended meanwhile it counts from there, so it is exact.
func (c *channel) maybeIdle() {
	now := c.k.Now()
	switch left := c.lastEnd.Add(c.group.IdleTimeout).Sub(now); {
	case c.active():
		c.k.After(c.group.IdleTimeout, c.id, channelIdle, 0)
	case left > 0:
		c.k.After(left, c.id, channelIdle, 0)
	default:
		c.enterIdle()
	}
}

// active says whether an RPC is open, sent or not.
func (c *channel) active() bool {
	cl := c.w.clients[c.number]
	if len(cl.calls) > len(cl.freeCalls) {
		return true
	}
	for i := range c.w.rpcs.rpcs {
		r := &c.w.rpcs.rpcs[i]
		if r.holders > 0 && r.client == c.number && r.state != rpcEnded {
			return true
		}
	}
	return false
}

// enterIdle closes all. What the balancer asks for meanwhile, and what its SubConns have to tell,
// concerns nobody any more.
func (c *channel) enterIdle() {
	c.resolver.close()
	c.balancer.Close()
	c.balancer, c.picker, c.newPicker = nil, nil, false
	c.wishes = c.wishes[:0]
	for _, h := range c.waiting { // they have ended
		c.w.rpcs.release(h)
	}
	c.waiting, c.endedWaiting = c.waiting[:0], 0
	c.setChannelState(policies.Idle)
	for i := range c.subConns {
		c.hardClose(policies.SubConn(i))
	}
}

// hardClose ends a SubConn with all its transports.
func (c *channel) hardClose(sc policies.SubConn) {
	s := &c.subConns[sc]
	for at := s.conn; at != 0; {
		cn := c.w.conns.all[at]
		at = cn.older
		if !cn.closed {
			cn.close()
		}
	}
	c.stopAttempt(s)
	c.uncountL4(s)
	s.connNumber, c.targets[sc] = unaccepted, subConnTarget{}
	if s.state != policies.Shutdown {
		s.state = policies.Shutdown
		c.trace(SubConnChanged, sc)
	}
}
