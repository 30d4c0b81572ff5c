package models

import (
	"lbsim/policies"
)

// A channel that was without an RPC for its idle timeout closes its resolver, balancer and
// connections. The next RPC waits for a resolution and a connection, and the state of the policy
// starts anew.
//
// Source: grpc-go v1.85.0, internal/idle and ClientConn.enterIdleMode (gRFC A62 recommends it).

// startIdleTimer starts the idle timeout of a channel that exits idle.
func (c *channel) startIdleTimer() {
	if d := c.group.IdleTimeout; d > 0 {
		c.k.After(d, c.id, channelIdle, 0)
	}
}

// maybeIdle handles the idle timer. It was set without regard to RPCs since then: maybeIdle sets it
// anew if an RPC is open, or for the rest of the timeout since the last RPC ended.
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

// active reports whether an RPC of the channel is open, sent or not.
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

// enterIdle closes the resolver, the balancer and all connections. Wishes of the balancer on
// closing have no effect, and it learns of no further change.
func (c *channel) enterIdle() {
	c.resolver.close()
	c.balancer.Close()
	c.balancer, c.picker, c.newPicker = nil, nil, false
	c.wishes = c.wishes[:0]
	for _, h := range c.waiting { // all have ended
		c.w.rpcs.release(h)
	}
	c.waiting, c.endedWaiting = c.waiting[:0], 0
	c.setChannelState(policies.Idle)
	for i := range c.subConns {
		c.hardClose(policies.SubConn(i))
	}
}

// hardClose shuts a SubConn down and closes its transports.
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
