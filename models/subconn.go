package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// subConn is one connection, or the attempt to have one. A thousand clients of a thousand backends
// have a million, so it is plain data of 32 bytes. To an L4 balancer each connection may go to
// another backend.
type subConn struct {
	luck       uint64 // of the present attempt to connect
	backend    int32  // -1 for none yet, where an L4 balancer chooses it for each attempt
	address    int32  // the number of that address of the backend
	connNumber uint32 // number of the connection among all of the world, or unaccepted
	conn       uint32 // place of its youngest transport that is known, 0 for none
	attempt    sim.Timer
	l4         uint8 // 1 + the place of the L4 balancer that it connects to; 0 for none
	failures   uint8 // attempts that failed since the last that did not, up to 255
	state      policies.Connectivity
	heardSYN   uint8 // 1 + the number of the SYN that the backend has heard; 0 for none
}

// way is where a SubConn leads. It is apart, as each RPC reads one of a million at random.
type subConnTarget struct {
	connNumber uint32 // that of a SubConn which is READY, else 0
	backend    int32
}

// Salts for the luck of an attempt to connect.
const (
	saltSYN     = 0 // and 1, 2 for SYN-ACK and SETTINGS
	saltBackoff = 3
	saltReset   = 4
	saltAge     = 5
	saltSetUp   = 6
	saltL4      = 7
	saltMessage = 16 // + number of the letter
)

// backoff is how long to wait if the present attempt fails.
func (c *channel) backoff(s *subConn) time.Duration {
	return c.w.backoff.after(s.failures, sim.Unit(sim.Mix(s.luck, saltBackoff)))
}

// deadline is how long the present attempt may take.
func (c *channel) deadline(s *subConn) time.Duration {
	return max(c.w.backoff.MinConnectTimeout, c.backoff(s))
}

// unaccepted is the epoch of an attempt that no backend has accepted yet.
const unaccepted = ^uint32(0)

// dialErrors are what the balancer is told of attempts that fail.
func (c *channel) dialErrors(s *subConn) *dialErrors {
	if s.l4 != 0 {
		return &c.w.l4[s.l4-1].errs
	}
	return &c.w.backends[s.backend].errs
}

// Handle is told what happens to the channel's connections.
func (c *channel) Handle(ev sim.Event) {
	kind := ev.Kind()
	if kind == channelIdle {
		c.maybeIdle()
		return
	}
	sc := policies.SubConn(ev.Arg)
	s := &c.subConns[sc]
	if s.state == policies.Shutdown && kind != channelReset {
		return
	}
	switch kind {
	case channelSYN, channelConnected, channelRefused, channelTimedOut:
		s.attempt = 0 // it has happened
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

// setState changes the state of a SubConn and tells the balancer.
func (c *channel) setState(sc policies.SubConn, s policies.Connectivity, err *policies.Status) {
	sub := &c.subConns[sc]
	if s != policies.Ready {
		c.uncountL4(sub)
	}
	sub.state = s
	c.targets[sc] = subConnTarget{}
	if s == policies.Ready {
		c.targets[sc] = subConnTarget{sub.connNumber, sub.backend}
	}
	c.trace(SubConnChanged, sc)
	c.balancer.SubConnState(sc, s, err)
}

func (c *channel) trace(what TraceKind, sc policies.SubConn) {
	if t := c.w.cfg.Trace; t != nil {
		s := &c.subConns[sc]
		t.add(TraceEntry{
			At: c.k.Now(), What: what, Client: c.number,
			Backend: s.backend, Address: s.address, SubConn: sc, State: s.state,
		})
	}
}

// connect begins an attempt to connect.
func (c *channel) connect(sc policies.SubConn) {
	s := &c.subConns[sc]
	if s.state != policies.Idle {
		return
	}
	s.luck, s.connNumber, s.heardSYN = c.luck.Uint64(), unaccepted, 0
	if s.l4 != 0 {
		s.backend, s.address = -1, c.w.l4[s.l4-1].address.ID
	}
	c.setState(sc, policies.Connecting, nil)
	c.trace(Dialled, sc)
	legs := c.w.net.legs(c.subConns[sc].luck)
	c.inTime(sc, 0, legs[0], channelSYN)
}

// inTime schedules what happens to an attempt d from now, when it has gone on for some time, unless
// it runs out of time before.
func (c *channel) inTime(sc policies.SubConn, gone, d time.Duration, kind sim.Kind) {
	if left := max(0, c.deadline(&c.subConns[sc])-gone); d > left {
		d, kind = left, channelTimedOut
	}
	c.subConns[sc].attempt = c.k.SetTimer(d, c.id, kind, uint32(sc))
}

// breakOff ends an attempt: nothing more comes of it.
func (c *channel) stopAttempt(s *subConn) {
	if s.attempt != 0 {
		c.k.Cancel(s.attempt)
		s.attempt = 0
	}
}

// connected is when the client reads the SETTINGS of the backend, if nothing swallowed them. That
// counts as a success even if it was told to go away meanwhile.
func (c *channel) connected(sc policies.SubConn) {
	s := &c.subConns[sc]
	b := &c.w.backends[s.backend]
	legs := c.w.net.legs(s.luck)
	sent := c.k.Now().Add(-legs[2])
	switch {
	case b.lostBy(sent, s.connNumber) || c.w.paths[s.address].cutAt(sent):
		// If the backend has crashed, the news of that is on its way.
		gone := sim.Plus(sim.Plus(s.heardAfter(legs), legs[1]), legs[2])
		c.inTime(sc, gone, time.Duration(sim.Never), channelTimedOut)
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

// failed is the end of an attempt to connect. The backoff runs from now.
func (c *channel) failed(sc policies.SubConn, err *policies.Status) {
	s := &c.subConns[sc]
	c.stopAttempt(s)
	wait := c.backoff(s)
	if s.failures < 255 {
		s.failures++
	}
	c.k.After(wait, c.id, channelBackedOff, uint32(sc))
	c.resolver.resolveNow()
	c.setState(sc, policies.TransientFailure, err)
	c.fulfil()
}

// shutDown ends a SubConn for the balancer. RPCs on it run on. An attempt that is broken off counts
// as failed in that the resolver gets its hint.
func (c *channel) shutDown(sc policies.SubConn) {
	s := &c.subConns[sc]
	if s.state == policies.Shutdown {
		return
	}
	c.stopAttempt(s)
	if s.state == policies.Connecting {
		c.resolver.resolveNow()
	}
	epoch := s.connNumber
	c.setState(sc, policies.Shutdown, nil)
	if cn := c.conn(sc, epoch); cn != nil {
		cn.retire()
	}
}

// resetFrom sends the news that a backend has crashed along each connection to an address of it,
// from number first on, that broke in the crash, also one that is not READY yet. Transports that
// are known bring the news themselves.
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

// reset is the arrival of that news.
func (c *channel) reset(sc policies.SubConn) {
	s := &c.subConns[sc]
	switch {
	case s.connNumber == unaccepted || s.connNumber >= c.w.backends[s.backend].lostBefore:
		// It is about the connection before.
	case s.state == policies.Connecting:
		c.failed(sc, c.dialErrors(s).reset)
	default:
		c.connectionLost(sc, s.connNumber, policies.ConnectionReset)
	}
}

// lose ends a connection of a SubConn. First the SubConn leaves READY, and the RPCs that wait get
// a new picker, those also that waited for a stream; then those fail that were on the connection.
func (c *channel) connectionLost(sc policies.SubConn, epoch uint32, why policies.Reason) {
	if s := &c.subConns[sc]; s.state == policies.Ready && s.connNumber == epoch {
		c.resolver.resolveNow()
		c.setState(sc, policies.Idle, nil)
	}
	cn := c.conn(sc, epoch)
	if cn != nil {
		cn.draining = true
		cn.returnWaiting()
		if cn.goAwayReason != policies.NoReason {
			why = cn.goAwayReason
		}
	}
	c.fulfil()
	for i := range c.w.rpcs.rpcs {
		r := &c.w.rpcs.rpcs[i]
		if r.state == rpcSent && r.client == c.number && r.sc == sc && r.connNumber == epoch {
			r.holders++
			c.k.After(0, c.client, brokenBy(why), uint32(i))
		}
	}
	if cn != nil && !cn.closed {
		cn.close()
	}
}
