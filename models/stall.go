package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// A black hole drops all packets to and from an address. TCP does not lose data: the sender
// retransmits after 200 ms, then after twice that, and so on, until the data gets through or the
// sender gives up. Later data waits behind it.
//
// What was on its way when the black hole begins still arrives. A SYN that is dropped is sent again
// 1, 3, 7, 15, 31 and 63 s after the first. An attempt to connect whose SETTINGS are dropped takes
// until its deadline, even if the black hole ends before.

// stall is one direction of a transport in which data was dropped and waits for retransmission.
//
// Invariant: held is empty and both timers are 0 unless on.
type stall struct {
	on     bool
	since  sim.Time      // when the first dropped data was sent
	held   []heldMessage // in the order of sending
	timer  sim.Timer     // the next retransmission; set when the black hole ends
	giveUp sim.Timer     // of the client: TCP gives up waiting for an ACK
}

// The directions.
const (
	toBackend = iota
	toClient
)

// heldMessage is a message that waits for retransmission, about an RPC or about the transport.
type heldMessage struct {
	h    handle   // of heldRequest, heldCancel and heldReply
	kind sim.Kind // one of these or of the messages of conns
}

// Kinds of held messages about RPCs, apart from the events of conns.
const (
	heldRequest sim.Kind = 200 + iota
	heldCancel
	heldReply
)

// Linux retransmits first after 200 ms (TCP_RTO_MIN; the round trip time is left out), then each
// time after twice as long, up to 120 s (TCP_RTO_MAX).
const (
	firstRTO = 200 * time.Millisecond
	mostRTO  = 120 * time.Second
)

// blocked reports whether data that is sent now is dropped or must wait behind data that was.
func (cn *conn) blocked(direction int) bool { return cn.path.cut > 0 || cn.stalls[direction].on }

// hold keeps a message for retransmission.
func (cn *conn) hold(direction int, l heldMessage) {
	s := &cn.stalls[direction]
	if !s.on {
		s.on, s.since = true, cn.c.k.Now()
		// Of the server's TCP only pathRestored needs to know whether it has given up.
		if timeout := cn.ackTimeout(); direction == toBackend && timeout > 0 {
			cn.setTimer(&s.giveUp, timeout, connGiveUp)
		}
	}
	s.held = append(s.held, l)
}

// ackTimeout returns how long the client's TCP waits for an ACK; 0 for ever.
func (cn *conn) ackTimeout() time.Duration {
	n := &cn.c.w.cfg.Network
	if n.UserTimeout && cn.alive.time > 0 {
		return cn.c.group.KeepaliveTimeout // TCP_USER_TIMEOUT, set by keepalive (gRFC A18)
	}
	return n.GiveUp
}

// holdIfBlocked keeps a message about an RPC for retransmission if the way to the backend is
// blocked, and reports whether it is.
func (c *channel) holdIfBlocked(h handle, r *rpc, kind sim.Kind) bool {
	cn := c.conn(r.sc, r.connNumber)
	s := &c.subConns[r.sc]
	cut := c.w.pathOf(r).cut > 0
	switch {
	case cn == nil && !cut:
		return false
	// The black hole has just begun to matter: from now on the connection needs a transport.
	case cn == nil && s.connNumber == r.connNumber &&
		(s.state == policies.Ready || kind == heldRequest):
		cn = c.transport(r.sc)
		if kind == heldCancel {
			cn.streams-- // the stream of the cancelled RPC has ended
		}
	case cn == nil || cn.closed:
		if cut { // a cancellation on a closed connection
			c.w.rpcs.release(h)
		}
		return cut
	}
	if !cn.blocked(toBackend) {
		return false
	}
	cn.hold(toBackend, heldMessage{h, kind})
	return true
}

// sendToClient sends a message about the transport to the client, or holds it.
func (cn *conn) sendToClient(kind sim.Kind) {
	if cn.blocked(toClient) {
		cn.hold(toClient, heldMessage{kind: kind})
		return
	}
	cn.send(kind)
}

// pathRestored handles the end of a black hole: held data is sent when TCP retransmits next. A
// server whose TCP gave up in the meantime resets the connection. A client whose TCP gave up has
// closed it already.
func (cn *conn) pathRestored() {
	now := cn.c.k.Now()
	for direction, kind := range []sim.Kind{connAgainUp, connAgainDown} {
		s := &cn.stalls[direction]
		if !s.on {
			continue
		}
		waited := now.Sub(s.since)
		if most := cn.c.w.cfg.Network.GiveUp; direction == toClient && most > 0 && waited >= most {
			cn.dropHeldIn(toClient)
			cn.server.stoppedWriting = true
			cn.send(connLost)
			continue
		}
		cn.setTimer(&s.timer, untilRetransmission(waited), kind)
	}
}

// untilRetransmission returns how long it takes until the next retransmission when waited has
// passed since the first sending. Example: retransmissions are at 200, 600, 1400 ms, so 300 ms for
// 300 ms.
func untilRetransmission(waited time.Duration) time.Duration {
	at, rto := firstRTO, firstRTO
	for at < waited {
		rto = min(2*rto, mostRTO)
		at += rto
	}
	return at - waited
}

// retransmit sends what is held in one direction.
func (cn *conn) retransmit(direction int) {
	s := &cn.stalls[direction]
	s.timer = 0
	if cn.path.cut > 0 {
		return // another black hole has begun
	}
	s.on = false
	cn.cancel(&s.giveUp)
	held := s.held
	s.held = nil
	for _, l := range held {
		cn.resend(l)
	}
}

// resend sends a held message. A request that the client has given up is dropped, since its
// cancellation would come with it; so is the reply to one.
func (cn *conn) resend(l heldMessage) {
	w := cn.c.w
	if l.kind < heldRequest {
		cn.send(l.kind)
		return
	}
	r := w.rpcs.at(l.h)
	switch l.kind {
	case heldRequest:
		if r.state == rpcEnded {
			w.rpcs.release(l.h)
			cn.requestDone()
			return
		}
		w.net.send(r, l.h, saltRequest, cn.b.id, backendRequest)
	case heldCancel:
		w.net.send(r, l.h, saltCancel, cn.b.id, backendCancel)
	case heldReply:
		if r.state == rpcEnded {
			w.rpcs.release(l.h)
			return
		}
		r.place = replied
		w.net.send(r, l.h, saltReply, cn.c.client, clientReply)
	}
}

// dropHeld drops what is held in both directions.
func (cn *conn) dropHeld() {
	cn.dropHeldIn(toBackend)
	cn.dropHeldIn(toClient)
}

// dropHeldIn drops what is held in one direction.
func (cn *conn) dropHeldIn(direction int) {
	s := &cn.stalls[direction]
	cn.cancel(&s.timer)
	cn.cancel(&s.giveUp)
	s.on = false
	held := s.held
	s.held = nil
	for _, l := range held {
		if l.kind >= heldRequest {
			cn.c.w.rpcs.release(l.h)
		}
		if l.kind == heldRequest {
			cn.pending--
		}
	}
}
