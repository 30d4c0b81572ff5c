package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// keepalive is the client's watch over a transport that may be dead without saying so (gRFC A8).
//
// Source: grpc-go v1.85.0, internal/transport, http2Client.keepalive.
type keepalive struct {
	time        time.Duration // without a sign of life until a PING is sent; 0 for no keepalive
	timer       sim.Timer
	lastRead    sim.Time      // the last sign of life
	readWhenSet sim.Time      // that of it which the timer knew when it was set
	pingLeft    time.Duration // once the timer is over, until the PING has been out too long
	pingOut     bool          // a PING is out
	dormant     bool          // no streams: no PING until there is one
	probeUntil  sim.Time      // until when a probe of the bandwidth is out
}

// leastKeepalive is what shorter times are raised to (gRFC A8, as grpc-go has it).
const leastKeepalive = 10 * time.Second

// startKeepalive begins the watch when the client has read SETTINGS. It will soon read the ACK of
// its own, for which the time counts anew.
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

// heard takes note of a sign of life.
func (cn *conn) heard(at sim.Time) { cn.alive.lastRead = max(cn.alive.lastRead, at) }

// heardReply takes note of a reply. Its data makes the client probe the bandwidth with a PING,
// unless one is out, whose ACK is a sign of life, and which the server counts like any other; the
// reply itself has just forgiven the strikes.
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

// heardGoAway takes note of a graceful GOAWAY. A PING comes with it, and after the ACK of that
// another GOAWAY.
func (cn *conn) heardGoAway() {
	if cn.alive.time == 0 {
		return
	}
	cn.heard(cn.c.k.Now())
	if !cn.blocked(toBackend) && !cn.blocked(toClient) {
		cn.heard(cn.c.k.Now().Add(cn.delay()).Add(cn.delay()))
	}
}

// tick is when the timer is over: if there was a sign of life it is set to run from there. If not,
// it is time for a PING, or the last one was in vain. Without streams the watch sleeps.
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

// ping sends a PING, unless one is out, and sets the timer so that it is over when either that one
// has been out too long or the next is due.
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

// wake ends the sleep when there is a stream, with a PING at once: so what is dead is noticed after
// the timeout alone.
func (cn *conn) wake() {
	if cn.alive.dormant {
		cn.alive.dormant = false
		cn.ping()
	}
}
