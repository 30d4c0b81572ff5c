package models

import (
	"lbsim/policies"
	"lbsim/sim"
)

// sendGoAway sends a GOAWAY, once. The server still serves requests that the client sent before it
// read the GOAWAY, so a graceful GOAWAY loses nothing.
func (cn *conn) sendGoAway(kind sim.Kind) {
	if !cn.server.sentGoAway {
		cn.server.sentGoAway = true
		cn.sendToClient(kind)
	}
}

// goAwayByChance sends a GOAWAY with the chance of GoAwayChance, just before a reply.
func (b *backend) goAwayByChance(r *rpc) {
	if sim.Unit(sim.Mix(r.luck, saltGoAway)) >= b.group.GoAwayChance {
		return
	}
	c := b.w.clients[r.client].channel
	cn := c.conn(r.sc, r.connNumber)
	if cn == nil && c.subConns[r.sc].connNumber == r.connNumber {
		cn = c.transport(r.sc)
	}
	if cn != nil && !cn.closed {
		cn.sendGoAway(connGoAway)
	}
}

// goAway handles a GOAWAY at the client. The SubConn leaves READY at once. RPCs on the transport
// run on, and new ones go elsewhere.
func (cn *conn) goAway(tooManyPings bool) {
	c := cn.c
	if !tooManyPings {
		cn.heardGoAway()
	}
	switch {
	case cn.goAwayReason != policies.NoReason: // the first GOAWAY counts
	case tooManyPings:
		cn.goAwayReason = policies.ClosedTooManyPings
	default:
		cn.goAwayReason = policies.ClosedAfterGoAway
	}
	if tooManyPings {
		cn.failUnprocessed() // a graceful GOAWAY leaves no stream unprocessed
	}
	if cn.draining {
		cn.returnWaiting() // the SubConn was shut down before
		c.fulfil()
		return
	}
	if tooManyPings {
		// The client doubles the keepalive time of later transports (gRFC A8).
		c.keepalive = max(c.keepalive, sim.Times(2, cn.alive.time))
	}
	if s := &c.subConns[cn.sc]; s.connNumber == cn.number && s.state == policies.Ready {
		c.resolver.resolveNow()
		c.setState(cn.sc, policies.Idle, nil)
	}
	cn.drain()
	c.fulfil()
}

// ageReached handles the end of MAX_CONNECTION_AGE: the server sends GOAWAY. The grace begins now,
// however long the GOAWAY takes.
func (cn *conn) ageReached() {
	cn.server.age = 0
	cn.sendGoAway(connGoAway)
	if grace := cn.b.group.MaxConnectionAgeGrace; grace > 0 {
		cn.setTimer(&cn.server.age, grace, connGrace)
	}
}

// graceOver handles the end of MAX_CONNECTION_AGE_GRACE: the server stops writing.
func (cn *conn) graceOver() {
	cn.server.age, cn.server.stoppedWriting = 0, true
	cn.setTimer(&cn.server.age, forcedWait, connForced)
}

// forceClose closes the transport at the server. Workers finish the requests that came by it,
// though no reply gets through; a backend that stops cancelled work drops them.
func (cn *conn) forceClose() {
	cn.server.age = 0
	cn.sendToClient(connLost)
	if cn.b.group.OnCancel == StopCancelled {
		cn.stopWork()
	}
}

// stopWork drops the requests that came by the transport.
func (cn *conn) stopWork() {
	rpcs := &cn.c.w.rpcs
	for i := range rpcs.rpcs {
		r := &rpcs.rpcs[i]
		if r.holders > 0 && r.client == cn.c.number && r.sc == cn.sc && r.connNumber == cn.number {
			cn.b.drop(handle(i), r)
		}
	}
}

// goAwayFrom sends a GOAWAY along each READY connection of the channel to a backend.
func (c *channel) goAwayFrom(b *backend) {
	for i := range c.subConns {
		s := &c.subConns[i]
		if s.state == policies.Ready && int(s.backend) == b.number && s.connNumber >= b.lostBefore {
			c.transport(policies.SubConn(i)).sendGoAway(connGoAway)
		}
	}
}
