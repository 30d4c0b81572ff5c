package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// serverEnd is what the backend knows of a transport.
type serverEnd struct {
	age            sim.Timer // then of the grace, then of the second after it
	idle           sim.Timer
	idleSince      sim.Time
	sentGoAway     bool // it has sent GOAWAY
	stoppedWriting bool // it writes no more, and will close
	wroteSincePing bool // headers or data since the last PING
	hadPing        bool
	lastPing       sim.Time
	strikes        int
	probeUntil     sim.Time // until when a probe of the bandwidth is out
}

const (
	// forcedWait is how long grpc-go waits, when it writes no more, for the client to close first.
	forcedWait = time.Second
	// mostStrikes are the PINGs too early that a server forgives (gRFC A8).
	maxStrikes = 2
	// minPingWithoutStreams is the least time between two PINGs without streams where those are
	// not permitted: two hours, as of TCP's own keepalive (gRFC A8).
	minPingWithoutStreams = 2 * time.Hour
)

// limited says whether the backends of the group put limits to connections.
func (g *BackendGroup) limited() bool {
	return g.MaxConnectionAge > 0 || g.MaxConnectionIdle > 0 || g.MaxStreams > 0
}

// watch follows the transport of a SubConn that gets READY, where there is something to watch.
func (c *channel) trackTransport(sc policies.SubConn) {
	s := &c.subConns[sc]
	if !c.w.backends[s.backend].group.limited() && c.keepalive == 0 {
		return
	}
	cn := c.transport(sc)
	cn.startServerTimers()
	cn.startKeepalive()
}

// accepted starts the clocks of the server. In grpc-go they begin when it has read the client's
// preface, which takes as long from the dial as the server's SETTINGS do.
func (cn *conn) startServerTimers() {
	g := cn.b.group
	if g.MaxConnectionAge > 0 {
		// The jitter is drawn once for each connection, so that those that were made together do
		// not end together (gRFC A9).
		u := sim.Unit(sim.Mix(cn.luck, saltAge))
		part := 1 + float64(g.AgeJitter*(float64(2*u)-1))
		age := nanoseconds(float64(g.MaxConnectionAge) * part)
		cn.setTimer(&cn.server.age, age, connAge)
	}
	if g.MaxConnectionIdle > 0 {
		cn.server.idleSince = cn.c.k.Now()
		cn.setTimer(&cn.server.idle, g.MaxConnectionIdle, connIdle)
	}
}

// aged is the end of MAX_CONNECTION_AGE: the client is told to go. The grace runs from now, however
// long the news takes.
func (cn *conn) ageReached() {
	cn.server.age = 0
	cn.sendGoAway(connGoAway)
	if grace := cn.b.group.MaxConnectionAgeGrace; grace > 0 {
		cn.setTimer(&cn.server.age, grace, connGrace)
	}
}

// leave tells the client to go, once. What is on its way from there is still served, and so is what
// comes before it knows: a graceful GOAWAY loses nothing.
func (cn *conn) sendGoAway(kind sim.Kind) {
	if !cn.server.sentGoAway {
		cn.server.sentGoAway = true
		cn.sendToClient(kind)
	}
}

// sendAway tells the client of an RPC, by chance, to leave the connection, just before the answer.
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

// graceOver is the end of MAX_CONNECTION_AGE_GRACE: the server writes no more.
func (cn *conn) graceOver() {
	cn.server.age, cn.server.stoppedWriting = 0, true
	cn.setTimer(&cn.server.age, forcedWait, connForced)
}

// force closes the transport at the server's end. Who serves a request that came by it works on for
// nobody, unless it stops when it learns of a cancellation.
func (cn *conn) forceClose() {
	cn.server.age = 0
	cn.sendToClient(connLost)
	if cn.b.group.StopsCancelled {
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

// maybeIdle is when MAX_CONNECTION_IDLE is over, if nothing has happened since it was set. It
// counts from the accept or from the end of the last stream.
func (cn *conn) maybeIdle() {
	s := &cn.server
	s.idle = 0
	most := cn.b.group.MaxConnectionIdle
	left := most - cn.c.k.Now().Sub(s.idleSince)
	switch {
	case s.sentGoAway:
	case cn.pending > 0:
		cn.setTimer(&s.idle, most, connIdle)
	case left > 0:
		cn.setTimer(&s.idle, left, connIdle)
	default:
		cn.cancel(&s.age)
		cn.sendGoAway(connGoAway)
	}
}

// pinged is the arrival of a PING. It is answered in any case. One that comes too early is a
// strike; writing headers or data forgives the strikes, and the first PING after that is never one.
func (cn *conn) pinged() {
	s := &cn.server
	switch {
	case cn.number < cn.b.lostBefore || s.stoppedWriting:
		return
	case cn.handlers.waiting.len() > 0:
		cn.handlers.pings++
		return
	}
	cn.sendToClient(connPong)
	since := cn.c.k.Now().Sub(s.lastPing)
	first := !s.hadPing
	s.hadPing, s.lastPing = true, cn.c.k.Now()
	least := cn.b.group.PingMinTime
	if cn.pending == 0 && !cn.b.group.PingWithoutStream {
		least = minPingWithoutStreams
	}
	switch {
	case s.wroteSincePing:
		s.wroteSincePing, s.strikes = false, 0
	case !first && since < least:
		s.strikes++
	}
	if s.strikes > maxStrikes {
		cn.sendToClient(connTooMany)
		s.sentGoAway, s.stoppedWriting = true, true
		cn.cancel(&s.idle)
		cn.setTimer(&s.age, forcedWait, connForced)
	}
}

// goAway is the arrival of a GOAWAY at the client. The SubConn leaves READY at once; RPCs on the
// transport run on, new ones go elsewhere.
func (cn *conn) goAway(tooManyPings bool) {
	c := cn.c
	if !tooManyPings {
		cn.heardGoAway()
	}
	switch {
	case cn.goAwayReason != policies.NoReason: // the first counts
	case tooManyPings:
		cn.goAwayReason = policies.ClosedTooManyPings
	default:
		cn.goAwayReason = policies.ClosedAfterGoAway
	}
	if tooManyPings {
		cn.failUnprocessed()
	}
	if cn.draining {
		cn.returnWaiting() // it was retired before
		c.fulfil()
		return
	}
	if tooManyPings {
		// For the transports to come (gRFC A8).
		c.keepalive = max(c.keepalive, sim.Times(2, cn.alive.time))
	}
	if s := &c.subConns[cn.sc]; s.connNumber == cn.number && s.state == policies.Ready {
		c.resolver.resolveNow()
		c.setState(cn.sc, policies.Idle, nil)
	}
	cn.drain()
	c.fulfil()
}

// stopTimers stops the clocks of both ends.
func (cn *conn) stopTimers() {
	cn.cancel(&cn.server.age)
	cn.cancel(&cn.server.idle)
	cn.cancel(&cn.alive.timer)
}

// getsThrough says whether a reply that the backend sends gets onto the wire. If not it is held
// until it does, or lost.
func (b *backend) canSendReply(h handle, r *rpc) bool {
	c := b.w.clients[r.client].channel
	cn := c.conn(r.sc, r.connNumber)
	switch {
	case cn != nil:
		cn.handlerDone()
	case b.w.pathOf(r).cut == 0:
		return true
	case c.subConns[r.sc].connNumber == r.connNumber:
		cn = c.transport(r.sc)
	}
	switch {
	case cn == nil || cn.closed || cn.server.stoppedWriting:
		r.place = dropped
		b.w.rpcs.release(h)
		return false
	case cn.blocked(toClient):
		r.place = onItsWay
		cn.hold(toClient, heldMessage{h, heldReply})
		return false
	}
	cn.server.wroteSincePing = true
	return true
}

// served takes note that a request that came by the transport is answered or dropped.
func (cn *conn) requestDone() {
	cn.pending--
	if cn.pending == 0 {
		cn.server.idleSince = cn.c.k.Now()
	}
	if cn.closed {
		cn.forget()
	}
}

// unhandled takes note that a request is dropped that was being handled.
func (b *backend) handlerDropped(r *rpc) {
	if b.conns > 0 {
		if cn := b.w.connOf(r); cn != nil {
			cn.handlerDone()
		}
	}
}

// noMore takes note that a request is dropped as it arrives.
func (b *backend) requestDropped(r *rpc) {
	if b.conns > 0 {
		if cn := b.w.connOf(r); cn != nil {
			cn.requestDone()
		}
	}
}

// arrived takes note that a request has arrived.
func (b *backend) requestArrived(r *rpc) {
	if cn := b.w.connOf(r); cn != nil && !cn.server.stoppedWriting {
		cn.probed()
	}
}

// probed takes note that data has arrived at the server: it makes the server probe the bandwidth
// with a PING of its own, unless one is out, which the client takes for a sign of life.
func (cn *conn) probed() {
	s, now := &cn.server, cn.c.k.Now()
	if cn.alive.time > 0 && now >= s.probeUntil && !cn.blocked(toClient) {
		read := now.Add(cn.delay())
		cn.heard(read)
		s.probeUntil = read.Add(cn.delay())
	}
}
