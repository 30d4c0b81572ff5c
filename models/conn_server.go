package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// serverEnd is the state of a transport at the server; see conn for its states.
type serverEnd struct {
	// age is one timer for three ends in turn: MAX_CONNECTION_AGE, its grace, and forcedWait.
	age            sim.Timer
	idle           sim.Timer // MAX_CONNECTION_IDLE
	idleSince      sim.Time  // when pending became 0; valid while it is 0
	sentGoAway     bool
	stoppedWriting bool
	// wroteSincePing is set when it writes headers or data; the next PING clears it.
	wroteSincePing bool
	hadPing        bool     // a PING has come
	lastPing       sim.Time // when the latest came; valid with hadPing
	strikes        int      // PINGs that came too early, 0 to maxStrikes+1
	probeUntil     sim.Time // its probe of the bandwidth is out until then
}

const (
	// forcedWait is how long a grpc-go server that has stopped writing waits for the client to
	// close.
	forcedWait = time.Second
	// maxStrikes is how many early PINGs a server tolerates (gRFC A8).
	maxStrikes = 2
	// minPingWithoutStreams is the least time between two PINGs without streams, if the server does
	// not permit them: two hours, as TCP's own keepalive (gRFC A8).
	minPingWithoutStreams = 2 * time.Hour
)

// limited reports whether the backends of the group limit the age, idle time or streams of
// connections.
func (g *BackendGroup) limited() bool {
	return g.MaxConnectionAge > 0 || g.MaxConnectionIdle > 0 || g.MaxStreams > 0
}

// trackTransport makes the transport of a connection that becomes READY, if it has limits or
// keepalive.
func (c *channel) trackTransport(sc policies.SubConn) {
	s := &c.subConns[sc]
	if !c.w.backends[s.backend].group.limited() && c.keepalive == 0 {
		return
	}
	cn := c.transport(sc)
	cn.startServerTimers()
	cn.startKeepalive()
}

// startServerTimers starts the timers of the server. In grpc-go they start when the server has read
// the client's preface, which comes at the time at which the client reads the server's SETTINGS.
func (cn *conn) startServerTimers() {
	g := cn.b.group
	if g.MaxConnectionAge > 0 {
		// The jitter is drawn for each connection, so that connections made together do not end
		// together (gRFC A9).
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

// maybeIdle handles the idle timer. It was set without regard to requests since then: if the
// connection was in use, maybeIdle sets it anew. Idle time counts from the accept or from the end
// of the last stream.
func (cn *conn) maybeIdle() {
	s := &cn.server
	s.idle = 0
	most := cn.b.group.MaxConnectionIdle
	left := most - cn.c.k.Now().Sub(s.idleSince)
	switch {
	case s.sentGoAway:
	case cn.pending > 0: // in use; idleSince is not valid
		cn.setTimer(&s.idle, most, connIdle)
	case left > 0:
		cn.setTimer(&s.idle, left, connIdle)
	default:
		cn.cancel(&s.age) // one GOAWAY is enough
		cn.sendGoAway(connGoAway)
	}
}

// pinged handles a PING. The server answers it in any case. A PING that comes too early is a
// strike. Writing headers or data clears the strikes, and the first PING after that is never a
// strike. With more than maxStrikes the server sends GOAWAY with too_many_pings and closes.
func (cn *conn) pinged() {
	s := &cn.server
	switch {
	case cn.number < cn.b.lostBefore || s.stoppedWriting:
		return
	case cn.handlers.waiting.len() > 0: // the server reads no further; see handlers
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

// stopTimers stops the timers of both ends.
func (cn *conn) stopTimers() {
	cn.cancel(&cn.server.age)
	cn.cancel(&cn.server.idle)
	cn.cancel(&cn.alive.timer)
}

// canSendReply reports whether a reply can go onto the network now. If not, a black hole holds it
// until TCP retransmits, or it is lost with its connection.
func (b *backend) canSendReply(h handle, r *rpc) bool {
	c := b.w.clients[r.client].channel
	cn := c.conn(r.sc, r.connNumber)
	switch {
	case cn != nil:
		cn.handlerDone()
	case b.w.pathOf(r).cut == 0:
		return true
	// In a black hole the connection needs a transport, to hold the reply.
	case c.subConns[r.sc].connNumber == r.connNumber:
		cn = c.transport(r.sc)
	}
	switch {
	case cn == nil || cn.closed || cn.server.stoppedWriting:
		r.place = dropped // no reply can get through
		b.w.rpcs.release(h)
		return false
	case cn.blocked(toClient):
		r.place = onItsWay // resend makes it replied again
		cn.hold(toClient, heldMessage{h, heldReply})
		return false
	}
	cn.server.wroteSincePing = true
	return true
}

// requestArrived records that a request has arrived.
func (b *backend) requestArrived(r *rpc) {
	if cn := b.w.connOf(r); cn != nil && !cn.server.stoppedWriting {
		cn.probed()
	}
}

// probed records that data has arrived at the server. It makes the server probe the bandwidth with
// a PING of its own, unless one is out. To the client that PING is a sign of life.
func (cn *conn) probed() {
	s, now := &cn.server, cn.c.k.Now()
	if cn.alive.time > 0 && now >= s.probeUntil && !cn.blocked(toClient) {
		read := now.Add(cn.delay())
		cn.heard(read)
		s.probeUntil = read.Add(cn.delay())
	}
}
