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
	time    time.Duration // without a sign of life until a PING is sent; 0 for no keepalive
	timer   sim.Timer
	read    sim.Time      // the last sign of life
	seen    sim.Time      // that of it which the timer knew when it was set
	left    time.Duration // once the timer is over, until the PING has been out too long
	out     bool          // a PING is out
	dormant bool          // no streams: no PING until there is one
	probing sim.Time      // until when a probe of the bandwidth is out
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
	k.read, k.seen = cn.c.k.Now(), cn.c.k.Now()
	cn.setTimer(&k.timer, k.time, connKeepalive)
	cn.tell(connPong)
}

// heard takes note of a sign of life.
func (cn *conn) heard(at sim.Time) { cn.alive.read = max(cn.alive.read, at) }

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
	if !cn.blocked(toBackend) && now >= k.probing {
		s := &cn.server
		s.wrote, s.strikes, s.hadPing, s.lastPing = false, 0, true, now.Add(cn.delay())
		if !cn.blocked(toClient) {
			k.probing = s.lastPing.Add(cn.delay())
			cn.heard(k.probing)
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
func (cn *conn) tick() {
	k := &cn.alive
	k.timer = 0
	now := cn.c.k.Now()
	switch g := cn.c.group; {
	case k.read > k.seen:
		k.out, k.seen = false, k.read
		cn.setTimer(&k.timer, max(0, k.read.Add(k.time).Sub(now)), connKeepalive)
	case k.out && k.left <= 0:
		cn.c.lose(cn.sc, cn.number, policies.KeepaliveTimeout)
	case cn.streams == 0 && !g.KeepaliveWithoutStream:
		k.out, k.dormant = false, true
	default:
		cn.ping()
	}
}

// ping sends a PING, unless one is out, and sets the timer so that it is over when either that one
// has been out too long or the next is due.
func (cn *conn) ping() {
	k := &cn.alive
	if !k.out {
		k.out, k.left = true, cn.c.group.KeepaliveTimeout
		if cn.blocked(toBackend) {
			cn.hold(toBackend, heldLetter{kind: connPing})
		} else {
			cn.post(connPing)
		}
	}
	d := min(k.time, k.left)
	k.left -= d
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
