package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// A black hole swallows what is sent to an address or from it. TCP does not lose it: the sender
// sends it again, after 200 ms, twice that, and so on, until it gets through or the sender gives
// up. What is sent later waits behind it.
//
// What was on its way when the hole opens still arrives. A SYN that is swallowed is sent again: 1,
// 3, 7, 15, 31 and 63 s after the first. An attempt to connect whose SETTINGS are swallowed takes
// until its deadline, though the hole may close before.

// stall is one direction of a transport in which something was swallowed.
type stall struct {
	on     bool
	since  sim.Time
	held   []heldMessage // in order
	timer  sim.Timer
	giveUp sim.Timer
}

// The directions.
const (
	toBackend = iota
	toClient
)

// heldLetter is a letter that waits to be sent again: about an RPC, or about the transport.
type heldMessage struct {
	h    handle // for the first three kinds
	kind sim.Kind
}

// Kinds of held letters beside those of conns.
const (
	heldRequest sim.Kind = 200 + iota
	heldCancel
	heldReply
)

// The first retransmission of Linux comes after 200 ms (TCP_RTO_MIN; the round trip is left out),
// each further one after twice the time, up to 120 s (TCP_RTO_MAX).
const (
	firstRTO = 200 * time.Millisecond
	mostRTO  = 120 * time.Second
)

// blocked says whether what is sent now is swallowed or must wait behind what was.
func (cn *conn) blocked(direction int) bool { return cn.path.cut > 0 || cn.stalls[direction].on }

// hold keeps a letter that is swallowed.
func (cn *conn) hold(direction int, l heldMessage) {
	s := &cn.stalls[direction]
	if !s.on {
		s.on, s.since = true, cn.c.k.Now()
		if patience := cn.ackTimeout(); direction == toBackend && patience > 0 {
			cn.setTimer(&s.giveUp, patience, connGiveUp)
		}
	}
	s.held = append(s.held, l)
}

// patience is how long the client's TCP waits for an ACK; 0 for ever.
func (cn *conn) ackTimeout() time.Duration {
	n := &cn.c.w.cfg.Network
	if n.UserTimeout && cn.alive.time > 0 {
		return cn.c.group.KeepaliveTimeout // TCP_USER_TIMEOUT, set by keepalive (gRFC A18)
	}
	return n.GiveUp
}

// holds keeps a letter about an RPC that is swallowed on its way to the backend, and says whether
// it is.
func (c *channel) holdIfBlocked(h handle, r *rpc, kind sim.Kind) bool {
	cn := c.conn(r.sc, r.connNumber)
	s := &c.subConns[r.sc]
	cut := c.w.pathOf(r).cut > 0
	switch {
	case cn == nil && !cut:
		return false
	case cn == nil && s.connNumber == r.connNumber &&
		(s.state == policies.Ready || kind == heldRequest):
		cn = c.transport(r.sc)
		if kind == heldCancel {
			cn.streams-- // that of the RPC itself, which is over
		}
	case cn == nil || cn.closed:
		if cut { // a cancellation of what nobody will answer
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

// tell sends the client a letter about the transport.
func (cn *conn) sendToClient(kind sim.Kind) {
	if cn.blocked(toClient) {
		cn.hold(toClient, heldMessage{kind: kind})
		return
	}
	cn.send(kind)
}

// reopened is when the hole has closed: what waits goes when TCP tries next. A server that has
// given up meanwhile says so; a client that has is gone.
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

// untilRetransmission is how long it takes to the next retransmission, some time after the first
// sending.
func untilRetransmission(waited time.Duration) time.Duration {
	at, rto := firstRTO, firstRTO
	for at < waited {
		rto = min(2*rto, mostRTO)
		at += rto
	}
	return at - waited
}

// again sends what was swallowed.
func (cn *conn) retransmit(direction int) {
	s := &cn.stalls[direction]
	s.timer = 0
	if cn.path.cut > 0 {
		return // another hole
	}
	s.on = false
	cn.cancel(&s.giveUp)
	held := s.held
	s.held = nil
	for _, l := range held {
		cn.resend(l)
	}
}

// resend sends a letter that was held. A request that the client has given up is dropped: its
// cancellation comes with it. So is the answer to one.
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

// dropHeld lets go of all that is held.
func (cn *conn) dropHeld() {
	cn.dropHeldIn(toBackend)
	cn.dropHeldIn(toClient)
}

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
