package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// subConn is one connection, or the attempt to have one. A thousand clients of a thousand backends
// have a million, so it is plain data of 24 bytes.
type subConn struct {
	luck     uint64 // of the present attempt to connect
	backend  int32
	epoch    uint32 // of the backend when it accepted the connection
	failures uint8  // attempts that failed since the last that did not, up to 255
	state    policies.Connectivity
}

// Salts for the luck of an attempt to connect.
const (
	saltSYN     = 0 // and 1, 2 for SYN-ACK and SETTINGS
	saltBackoff = 3
	saltReset   = 4
)

// The reconnect backoff of grpc-go v1.85.0 (backoff.DefaultConfig) and the least time that an
// attempt gets.
const (
	backoffBase       = time.Second
	backoffMultiplier = 1.6
	backoffJitter     = 0.2
	backoffMax        = 120 * time.Second
	minConnectTimeout = 20 * time.Second
)

// backoff is how long to wait after an attempt that failed, if n had failed before it: after the
// first, exactly the base, without jitter. The cap comes before the jitter.
func backoff(n uint8, u float64) time.Duration {
	if n == 0 {
		return backoffBase
	}
	d := float64(backoffBase)
	for i := uint8(0); i < n && d < float64(backoffMax); i++ {
		d *= backoffMultiplier
	}
	d = min(d, float64(backoffMax))
	return time.Duration(d * (1 + float64(backoffJitter*(float64(2*u)-1))))
}

func (s *subConn) backoff() time.Duration {
	return backoff(s.failures, sim.Unit(sim.Mix(s.luck, saltBackoff)))
}

// deadline is how long the present attempt may take.
func (s *subConn) deadline() time.Duration { return max(minConnectTimeout, s.backoff()) }

// Handle is told what happens to the channel's connections.
func (c *channel) Handle(ev sim.Event) {
	sc := policies.SubConn(ev.Arg)
	s := &c.subConns[sc]
	b := c.w.backends[s.backend]
	kind := ev.Kind()
	if s.state == policies.Shutdown && kind != channelReset {
		return
	}
	switch kind {
	case channelSYN:
		c.syn(sc)
	case channelConnected:
		if s.epoch != b.epoch {
			c.failed(sc, b.errReset)
			return
		}
		s.failures = 0
		c.setState(sc, policies.Ready, nil)
		c.fulfil()
	case channelRefused:
		c.failed(sc, b.errRefused)
	case channelTimedOut:
		c.failed(sc, b.errTimedOut)
	case channelBackedOff:
		c.setState(sc, policies.Idle, nil)
		c.fulfil()
	case channelReset:
		c.reset(sc)
	}
}

// setState changes the state of a SubConn and tells the balancer.
func (c *channel) setState(sc policies.SubConn, s policies.Connectivity, err *policies.Status) {
	c.subConns[sc].state = s
	c.trace(SubConnChanged, sc)
	c.balancer.SubConnState(sc, s, err)
}

func (c *channel) trace(what TraceKind, sc policies.SubConn) {
	if t := c.w.cfg.Trace; t != nil {
		s := &c.subConns[sc]
		t.add(TraceEntry{
			At: c.k.Now(), What: what, Client: c.number,
			Backend: s.backend, SubConn: sc, State: s.state,
		})
	}
}

// connect begins an attempt to connect.
func (c *channel) connect(sc policies.SubConn) {
	s := &c.subConns[sc]
	if s.state != policies.Idle {
		return
	}
	s.luck = c.luck.Uint64()
	c.setState(sc, policies.Connecting, nil)
	c.trace(Dialled, sc)
	legs := c.w.net.legs(c.subConns[sc].luck)
	c.inTime(sc, 0, legs[0], channelSYN)
}

// inTime schedules what happens to an attempt d from now, when it has gone on for some time, unless
// it runs out of time before.
func (c *channel) inTime(sc policies.SubConn, gone, d time.Duration, kind sim.Kind) {
	if left := c.subConns[sc].deadline() - gone; d > left {
		d, kind = left, channelTimedOut
	}
	c.k.After(d, c.id, kind, uint32(sc))
}

// syn is the arrival of the attempt at the backend, which accepts or refuses it.
func (c *channel) syn(sc policies.SubConn) {
	s := &c.subConns[sc]
	b := c.w.backends[s.backend]
	legs := c.w.net.legs(s.luck)
	if b.down() {
		c.inTime(sc, legs[0], legs[1], channelRefused)
		return
	}
	s.epoch = b.epoch
	c.inTime(sc, legs[0], legs[1]+legs[2], channelConnected)
}

// failed is the end of an attempt to connect. The backoff runs from now.
func (c *channel) failed(sc policies.SubConn, err *policies.Status) {
	s := &c.subConns[sc]
	wait := s.backoff()
	if s.failures < 255 {
		s.failures++
	}
	c.k.After(wait, c.id, channelBackedOff, uint32(sc))
	c.setState(sc, policies.TransientFailure, err)
	c.fulfil()
}

// shutDown ends a SubConn for the balancer. RPCs on it run on.
func (c *channel) shutDown(sc policies.SubConn) {
	if c.subConns[sc].state != policies.Shutdown {
		c.setState(sc, policies.Shutdown, nil)
	}
}

// resetFrom sends the news that a backend has crashed along each connection that was made to it in
// an epoch.
func (c *channel) resetFrom(backend int32, epoch uint32) {
	for i := range c.subConns {
		s := &c.subConns[i]
		open := s.state == policies.Ready || s.state == policies.Shutdown
		if open && s.backend == backend && s.epoch == epoch {
			u := sim.Unit(sim.Mix(s.luck, saltReset))
			c.k.After(c.w.net.delay.Quantile(u), c.id, channelReset, uint32(i))
		}
	}
}

// reset is the arrival of that news. First the connection is gone, and the RPCs that wait get a new
// picker; then those that were on it fail.
func (c *channel) reset(sc policies.SubConn) {
	epoch := c.subConns[sc].epoch
	if c.subConns[sc].state == policies.Ready {
		c.setState(sc, policies.Idle, nil)
		c.fulfil()
	}
	for i := range c.w.rpcs.rpcs {
		r := &c.w.rpcs.rpcs[i]
		if r.state == rpcSent && r.client == c.number && r.sc == sc && r.epoch == epoch {
			r.holders++
			c.k.After(0, c.client, clientBroken, uint32(i))
		}
	}
}
