package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// keepalive is the client's check that a silent connection still works (gRFC A8).
//
//	state     fields                    next
//	off       time == 0                 none
//	quiet     timer set, !pingOut       waiting: a PING is sent; dormant: no streams, and no PINGs
//	                                    without streams
//	waiting   timer set, pingOut        quiet: something was read; connection lost: no pingLeft;
//	                                    dormant: as from quiet
//	dormant   dormant, no timer         waiting: a stream opens
//
// Source: grpc-go v1.85.0, internal/transport, http2Client.keepalive.
type keepalive struct {
	time        time.Duration // silence before a PING; at least leastKeepalive; 0 for off
	timer       sim.Timer     // fires when a PING is due or, if sooner, when one is overdue
	lastRead    sim.Time      // when the client last read something
	readWhenSet sim.Time      // lastRead when the timer was set
	pingLeft    time.Duration // valid with pingOut: time that the PING has left when timer fires
	pingOut     bool          // a PING waits for its ACK
	dormant     bool
	probeUntil  sim.Time // the client's probe of the bandwidth is out until then
}

// leastKeepalive is the least keepalive time: grpc-go raises shorter ones to it.
const leastKeepalive = 10 * time.Second

// startKeepalive starts keepalive when the client has read the server's SETTINGS. The ACK of its
// own SETTINGS, one delay later, restarts the time.
func (cn *conn) startKeepalive() {
	k := &cn.alive
	k.time = cn.c.keepalive
	if k.time == 0 {
		return
	}
	k.lastRead, k.readWhenSet = cn.c.k.Now(), cn.c.k.Now()
	cn.setTimer(&k.timer, k.time, connKeepalive)
	cn.sendToClient(connPong)
}

// heard records that the client reads something at a moment.
func (cn *conn) heard(at sim.Time) { cn.alive.lastRead = max(cn.alive.lastRead, at) }

// heardReply records that the client reads a reply. Its data makes the client probe the bandwidth
// with a PING, unless a probe is out. The server counts that PING like any other, but the reply has
// cleared the strikes just before; its ACK is something that the client reads.
func (cn *conn) heardReply() {
	k := &cn.alive
	if k.time == 0 {
		return
	}
	now := cn.c.k.Now()
	cn.heard(now)
	if !cn.blocked(toBackend) && now >= k.probeUntil {
		s := &cn.server
		s.wroteSincePing, s.strikes, s.hadPing, s.lastPing = false, 0, true, now.Add(cn.delay())
		if !cn.blocked(toClient) {
			k.probeUntil = s.lastPing.Add(cn.delay())
			cn.heard(k.probeUntil)
		}
	}
}

// heardGoAway records that the client reads a graceful GOAWAY. A PING comes with it, and after the
// ACK of that PING a second GOAWAY.
func (cn *conn) heardGoAway() {
	if cn.alive.time == 0 {
		return
	}
	cn.heard(cn.c.k.Now())
	if !cn.blocked(toBackend) && !cn.blocked(toClient) {
		cn.heard(cn.c.k.Now().Add(cn.delay()).Add(cn.delay()))
	}
}

// keepaliveFired handles the keepalive timer. If the client has read something since the timer was
// set, the time restarts from there. Otherwise a PING is due, or the PING that is out has no time
// left and the connection is lost. Without streams keepalive becomes dormant.
func (cn *conn) keepaliveFired() {
	k := &cn.alive
	k.timer = 0
	now := cn.c.k.Now()
	switch g := cn.c.group; {
	case k.lastRead > k.readWhenSet:
		k.pingOut, k.readWhenSet = false, k.lastRead
		cn.setTimer(&k.timer, max(0, k.lastRead.Add(k.time).Sub(now)), connKeepalive)
	case k.pingOut && k.pingLeft <= 0:
		cn.c.connectionLost(cn.sc, cn.number, policies.KeepaliveTimeout)
	case cn.streams == 0 && !g.KeepaliveWithoutStream:
		k.pingOut, k.dormant = false, true
	default:
		cn.ping()
	}
}

// ping sends a PING, unless one is out. The timer fires when the PING has no time left or when the
// next PING is due, whichever is sooner.
func (cn *conn) ping() {
	k := &cn.alive
	if !k.pingOut {
		k.pingOut, k.pingLeft = true, cn.c.group.KeepaliveTimeout
		if cn.blocked(toBackend) {
			cn.hold(toBackend, heldMessage{kind: connPing})
		} else {
			cn.send(connPing)
		}
	}
	d := min(k.time, k.pingLeft)
	k.pingLeft -= d
	cn.setTimer(&k.timer, d, connKeepalive)
}

// wake ends dormancy when a stream opens, with a PING at once. So a dead connection is noticed
// after the timeout alone.
func (cn *conn) wake() {
	if cn.alive.dormant {
		cn.alive.dormant = false
		cn.ping()
	}
}
