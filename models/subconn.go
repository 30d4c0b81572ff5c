package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// subConn is a channel's slot for a connection to one address. A thousand clients of a thousand
// backends have a million of them, so it has no pointers and 32 bytes.
//
// States, as in grpc-go. The balancer learns of each change.
//
//	state              means                              next
//	Idle               no connection, no attempt          Connecting: the balancer asks
//	Connecting         attempt != 0: one is under way     Ready: the client reads SETTINGS
//	                                                      TransientFailure: it was refused, timed
//	                                                      out or was reset
//	                                                      Idle: the backend closed it gracefully
//	                                                      in the meantime
//	Ready              the connection takes RPCs          Idle: connection lost, or GOAWAY
//	TransientFailure   the backoff is running             Idle: the backoff is over
//	Shutdown           given up by the balancer, from     none; RPCs on its connection run on
//	                   any state
type subConn struct {
	luck    uint64 // of the current or latest attempt: its delays and backoff derive from it
	backend int32  // number of the backend; -1 while an L4 balancer has not chosen one
	address int32  // number of the address in World.paths
	// connNumber is the number of the connection among all of the world, from 1; or unaccepted.
	connNumber uint32
	conn       uint32    // index in World.conns of its youngest transport there; 0 for none
	attempt    sim.Timer // next event of the attempt; 0 for none
	l4         uint8     // 1 + index of its L4 balancer; 0 for none
	failures   uint8     // failed attempts since the last successful one, up to 255
	state      policies.Connectivity
	heardSYN   uint8 // 1 + the number of the SYN that reached the backend; 0 for none
}

// subConnTarget is where a READY SubConn leads; the zero value for other states. Each RPC reads one
// of maybe a million at random, so it is apart from subConn.
type subConnTarget struct {
	connNumber uint32
	backend    int32
}

// Salts that derive independent random words from the luck of an attempt to connect.
const (
	saltSYN     = 0 // and 1, 2 for SYN-ACK and SETTINGS
	saltBackoff = 3
	saltReset   = 4
	saltAge     = 5
	saltSetUp   = 6
	saltL4      = 7
	saltMessage = 16 // + number of the message about the transport
)

// backoff returns how long to wait if the current attempt fails.
func (c *channel) backoff(s *subConn) time.Duration {
	return c.w.backoff.after(s.failures, sim.Unit(sim.Mix(s.luck, saltBackoff)))
}

// deadline returns how long the current attempt may take.
func (c *channel) deadline(s *subConn) time.Duration {
	return max(c.w.backoff.MinConnectTimeout, c.backoff(s))
}

// unaccepted, as connNumber, stands for an attempt that no backend has accepted yet.
const unaccepted = ^uint32(0)

// dialErrors returns the statuses of failed attempts of a SubConn.
func (c *channel) dialErrors(s *subConn) *dialErrors {
	if s.l4 != 0 {
		return &c.w.l4[s.l4-1].errs
	}
	return &c.w.backends[s.backend].errs
}

// Handle handles the events of the channel.
func (c *channel) Handle(ev sim.Event) {
	kind := ev.Kind()
	if kind == channelIdle {
		c.maybeIdle()
		return
	}
	sc := policies.SubConn(ev.Arg)
	s := &c.subConns[sc]
	if s.state == policies.Shutdown && kind != channelReset {
		return // a reset still fails the RPCs that run on
	}
	switch kind {
	case channelSYN, channelConnected, channelRefused, channelTimedOut:
		s.attempt = 0 // this event
	}
	if kind >= channelSYNAgain {
		s.attempt = 0
		c.syn(sc, 1+int(kind-channelSYNAgain))
		return
	}
	switch kind {
	case channelSYN:
		c.syn(sc, 0)
	case channelConnected:
		c.connected(sc)
	case channelRefused:
		c.failed(sc, c.dialErrors(s).refused)
	case channelTimedOut:
		// If the SYN-ACK came in time TCP was connected, and the server sent no SETTINGS.
		legs := c.w.net.legs(s.luck)
		if s.heardSYN > 0 && sim.Plus(s.heardAfter(legs), legs[1]) <= c.deadline(s) {
			c.failed(sc, c.dialErrors(s).silent)
		} else {
			c.failed(sc, c.dialErrors(s).timedOut)
		}
	case channelBackedOff:
		c.setState(sc, policies.Idle, nil)
		c.fulfil()
	case channelReset:
		c.reset(sc)
	}
}

// setState changes the state of a SubConn and informs the balancer.
func (c *channel) setState(sc policies.SubConn, s policies.Connectivity, err *policies.Status) {
	sub := &c.subConns[sc]
	if s != policies.Ready {
		c.uncountL4(sub) // by the old state
	}
	sub.state = s
	c.targets[sc] = subConnTarget{}
	if s == policies.Ready {
		c.targets[sc] = subConnTarget{sub.connNumber, sub.backend}
	}
	c.trace(SubConnChanged, sc)
	c.balancer.SubConnState(sc, s, err)
}

// trace adds an entry about a SubConn to the trace, if there is one.
func (c *channel) trace(what TraceKind, sc policies.SubConn) {
	if t := c.w.cfg.Trace; t != nil {
		s := &c.subConns[sc]
		t.add(TraceEntry{
			At: c.k.Now(), What: what, Client: c.number,
			Backend: s.backend, Address: s.address, SubConn: sc, State: s.state,
		})
	}
}

// connect begins an attempt to connect an idle SubConn.
func (c *channel) connect(sc policies.SubConn) {
	s := &c.subConns[sc]
	if s.state != policies.Idle {
		return // as in grpc-go, Connect has no effect in other states
	}
	s.luck, s.connNumber, s.heardSYN = c.luck.Uint64(), unaccepted, 0
	if s.l4 != 0 {
		s.backend, s.address = -1, c.w.l4[s.l4-1].address.ID
	}
	c.setState(sc, policies.Connecting, nil)
	c.trace(Dialled, sc)
	legs := c.w.net.legs(c.subConns[sc].luck) // setState may have moved subConns
	c.inTime(sc, 0, legs[0], channelSYN)
}

// inTime schedules the next event of an attempt, d from now, or the timeout if that comes first.
// The attempt began elapsed ago.
func (c *channel) inTime(sc policies.SubConn, elapsed, d time.Duration, kind sim.Kind) {
	if left := max(0, c.deadline(&c.subConns[sc])-elapsed); d > left {
		d, kind = left, channelTimedOut
	}
	c.subConns[sc].attempt = c.k.SetTimer(d, c.id, kind, uint32(sc))
}

// stopAttempt cancels the next event of an attempt.
func (c *channel) stopAttempt(s *subConn) {
	if s.attempt != 0 {
		c.k.Cancel(s.attempt)
		s.attempt = 0
	}
}

// connected handles the arrival of the backend's SETTINGS, unless a crash or a black hole kept the
// backend from sending them. A connection that the backend is closing gracefully counts as a
// success too, and resets the backoff.
func (c *channel) connected(sc policies.SubConn) {
	s := &c.subConns[sc]
	b := &c.w.backends[s.backend]
	legs := c.w.net.legs(s.luck)
	sent := c.k.Now().Add(-legs[2]) // when the backend sent SETTINGS, or would have
	switch {
	case b.lostBy(sent, s.connNumber) || c.w.paths[s.address].cutAt(sent):
		// No SETTINGS. After a crash the reset is on its way.
		elapsed := sim.Plus(sim.Plus(s.heardAfter(legs), legs[1]), legs[2])
		c.inTime(sc, elapsed, time.Duration(sim.Never), channelTimedOut)
		return
	case s.connNumber < b.goAwayBefore:
		s.failures = 0
		c.resolver.resolveNow()
		c.setState(sc, policies.Idle, nil)
	default:
		s.failures = 0
		c.trackTransport(sc)
		c.setState(sc, policies.Ready, nil)
	}
	c.fulfil()
}

// failed handles a failed attempt to connect. The backoff begins now.
func (c *channel) failed(sc policies.SubConn, err *policies.Status) {
	s := &c.subConns[sc]
	c.stopAttempt(s)
	wait := c.backoff(s) // by the failures before this one
	if s.failures < 255 {
		s.failures++
	}
	c.k.After(wait, c.id, channelBackedOff, uint32(sc))
	c.resolver.resolveNow()
	c.setState(sc, policies.TransientFailure, err)
	c.fulfil()
}

// shutDown shuts a SubConn down for the balancer. RPCs on its connection run on. An attempt under
// way ends, and the resolver gets a hint as after a failure.
func (c *channel) shutDown(sc policies.SubConn) {
	s := &c.subConns[sc]
	if s.state == policies.Shutdown {
		return
	}
	c.stopAttempt(s)
	if s.state == policies.Connecting {
		c.resolver.resolveNow()
	}
	number := s.connNumber
	c.setState(sc, policies.Shutdown, nil)
	if cn := c.conn(sc, number); cn != nil {
		cn.retire()
	}
}

// resetFrom sends a reset along each connection to an address of a crashed backend that broke in
// the crash, from connection number first on; connections that are not READY yet included. For
// connections with a transport in World.conns, World.resetFrom does that.
func (c *channel) resetFrom(b *backend, p *path, first uint32) {
	for i := range c.subConns {
		s, sc := &c.subConns[i], policies.SubConn(i)
		open := s.state != policies.Idle && s.state != policies.TransientFailure
		if open && s.address == p.address.ID &&
			first <= s.connNumber && s.connNumber < b.lostBefore &&
			c.conn(sc, s.connNumber) == nil {
			u := sim.Unit(sim.Mix(s.luck, saltReset))
			c.k.After(c.w.net.delay.Quantile(u), c.id, channelReset, uint32(i))
		}
	}
}

// reset handles the arrival of such a reset.
func (c *channel) reset(sc policies.SubConn) {
	s := &c.subConns[sc]
	switch {
	case s.connNumber == unaccepted || s.connNumber >= c.w.backends[s.backend].lostBefore:
		// The reset is about an earlier connection.
	case s.state == policies.Connecting:
		c.failed(sc, c.dialErrors(s).reset)
	default:
		c.connectionLost(sc, s.connNumber, policies.ConnectionReset)
	}
}

// connectionLost handles the end of a connection at the client. The order is that of grpc-go: first
// the SubConn leaves READY, then waiting RPCs, those that wait for a stream included, meet the new
// picker, and at last the RPCs on the connection fail.
func (c *channel) connectionLost(sc policies.SubConn, number uint32, why policies.Reason) {
	if s := &c.subConns[sc]; s.state == policies.Ready && s.connNumber == number {
		c.resolver.resolveNow()
		c.setState(sc, policies.Idle, nil)
	}
	cn := c.conn(sc, number)
	if cn != nil {
		cn.draining = true // no RPC gets a stream of it any more
		cn.returnWaiting()
		if cn.goAwayReason != policies.NoReason {
			why = cn.goAwayReason
		}
	}
	c.fulfil()
	for i := range c.w.rpcs.rpcs {
		r := &c.w.rpcs.rpcs[i]
		if r.state == rpcSent && r.client == c.number && r.sc == sc && r.connNumber == number {
			r.holders++ // the event
			c.k.After(0, c.client, brokenBy(why), uint32(i))
		}
	}
	if cn != nil && !cn.closed {
		cn.close()
	}
}
