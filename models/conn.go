package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// conn is the transport of one connection, with the state of both ends. Most connections have none:
// their SubConn and the RPCs on them hold all state. A transport is made when a connection has
// limits or keepalive, gets a GOAWAY, is watched, or meets a black hole; from then on its streams
// are counted.
//
// States at the client:
//
//	state     fields                means                         next
//	open      !draining, !closed    it takes RPCs                 draining, closed
//	draining  draining, !closed     after a GOAWAY or Shutdown:   closed: its last stream ends, or
//	                                no new streams                the connection is lost
//	closed    closed                no reply gets through         forgotten: pending == 0 and
//	                                                              messages == 0
//
// States at the server:
//
//	state     fields                    means
//	serving   !sentGoAway               it reads and writes
//	draining  sentGoAway                it serves what still comes, and asked the client to go
//	closing   stoppedWriting            it takes no request, writes nothing and will reset
//	gone      number < b.lostBefore     its process has crashed
//
// Invariants: streams >= 0; pending >= 0; once closed no timer is set and nothing is held.
type conn struct {
	c      *channel
	b      *backend
	path   *path
	slot   uint32 // index in conns.all
	older  uint32 // index of the earlier transport of its SubConn; 0 for none
	sc     policies.SubConn
	number uint32 // the connection number; see subConn.connNumber
	luck   uint64 // of the attempt that made the connection
	drawn  uint64 // messages whose delay has been drawn from luck

	streams      int  // open at the client: RPCs and watches
	waiting      ring // RPCs that wait for a stream; those that ended meanwhile too
	endedWaiting int  // how many of waiting have ended
	draining     bool
	closed       bool
	// goAwayReason is the reason of RPCs that fail when the connection is lost after a GOAWAY.
	goAwayReason policies.Reason

	pending  int // requests that are on their way to the backend or with it; watches too
	messages int // messages about the transport that are on their way

	server   serverEnd
	handlers handlers
	alive    keepalive
	health   healthWatch
	load     *loadWatch // nil until the client watches the load
	stalls   [2]stall   // by direction
}

// conns holds the transports of a world and is the actor of their events.
type conns struct {
	w    *World
	id   sim.ID
	all  []*conn  // all[0] is nil, and so are forgotten ones
	free []uint32 // indices of forgotten ones
}

// Events of a transport; the argument is its slot. Timers come first: they are cancelled when the
// transport is closed. Messages follow: they are not, and conn.messages counts them. The last is a
// timer again.
const (
	connAge           sim.Kind = iota // MAX_CONNECTION_AGE is reached
	connGrace                         // the grace after that is over
	connForced                        // the last second after the grace is over
	connIdle                          // MAX_CONNECTION_IDLE may be reached
	connKeepalive                     // the keepalive timer fires
	connGiveUp                        // the client's TCP gives up waiting for an ACK
	connAgainUp                       // the client's TCP retransmits
	connAgainDown                     // the server's TCP retransmits
	connGoAway                        // the client reads a GOAWAY
	connTooMany                       // the client reads GOAWAY with ENHANCE_YOUR_CALM
	connLost                          // the client reads FIN or RST
	connPing                          // the server reads a PING
	connPong                          // the client reads an ACK, or another frame without effect
	connHealthRequest                 // the server reads a request to watch its health
	connServing                       // the client reads SERVING
	connNotServing                    // the client reads NOT_SERVING
	connHandlerDone                   // a handler of the server has ended
	connLoadRequest                   // the server reads a request to watch its load
	connLoad                          // the client reads a load report
	connNoLoad                        // the client reads UNIMPLEMENTED for it
	connLoadDue                       // the server's next load report is due
	connFirstMessage  = connGoAway
)

func newConns(w *World) conns {
	cs := conns{w: w, all: make([]*conn, 1)}
	cs.id = w.k.Register(&w.conns)
	return cs
}

// Handle handles the events of the transports.
func (cs *conns) Handle(ev sim.Event) {
	cn := cs.all[ev.Arg]
	kind := ev.Kind()
	if kind >= connFirstMessage && kind != connLoadDue {
		cn.messages--
		if cn.closed {
			cn.forget()
			return
		}
	}
	switch kind {
	case connAge:
		cn.ageReached()
	case connGrace:
		cn.graceOver()
	case connForced:
		cn.forceClose()
	case connIdle:
		cn.maybeIdle()
	case connKeepalive:
		cn.keepaliveFired()
	case connGiveUp:
		cn.stalls[toBackend].giveUp = 0
		cn.c.connectionLost(cn.sc, cn.number, policies.TCPTimeout)
	case connAgainUp:
		cn.retransmit(toBackend)
	case connAgainDown:
		cn.retransmit(toClient)
	case connGoAway, connTooMany:
		cn.goAway(kind == connTooMany)
	case connLost:
		cn.c.connectionLost(cn.sc, cn.number, policies.ConnectionReset)
	case connPing:
		cn.pinged()
	case connPong:
		cn.heard(cn.c.k.Now())
	case connHealthRequest:
		cn.healthRequested()
	case connServing:
		cn.healthArrived(policies.Ready, nil)
	case connHandlerDone:
		cn.serveNext()
	case connNotServing:
		cn.healthArrived(policies.TransientFailure, errNotServing)
	case connLoadRequest:
		cn.loadRequested()
	case connLoad:
		cn.loadArrived()
	case connNoLoad:
		cn.loadUnimplemented()
	case connLoadDue:
		cn.sendLoad()
	}
}

// connOf returns the transport on which an RPC was sent, or nil if it has none.
func (w *World) connOf(r *rpc) *conn {
	return w.clients[r.client].channel.conn(r.sc, r.connNumber)
}

// conn returns the transport of a connection of a SubConn, or nil if it has none.
func (c *channel) conn(sc policies.SubConn, number uint32) *conn {
	for i := c.subConns[sc].conn; i != 0; {
		cn := c.w.conns.all[i]
		if cn.number == number {
			return cn
		}
		i = cn.older
	}
	return nil
}

// transport returns the transport of the current connection of a SubConn. If there is none it makes
// one, and counts its streams and requests from the RPCs.
func (c *channel) transport(sc policies.SubConn) *conn {
	s := &c.subConns[sc]
	if cn := c.conn(sc, s.connNumber); cn != nil {
		return cn
	}
	cs := &c.w.conns
	cn := &conn{
		c: c, b: &c.w.backends[s.backend], path: &c.w.paths[s.address],
		older: s.conn, sc: sc, number: s.connNumber, luck: s.luck,
		draining: s.state == policies.Shutdown,
	}
	if n := len(cs.free); n > 0 {
		cn.slot, cs.free = cs.free[n-1], cs.free[:n-1]
		cs.all[cn.slot] = cn
	} else {
		cn.slot = uint32(len(cs.all))
		cs.all = append(cs.all, cn)
	}
	s.conn = cn.slot
	c.conns++
	cn.b.conns++
	for i := range c.w.rpcs.rpcs {
		r := &c.w.rpcs.rpcs[i]
		if r.holders == 0 || r.client != c.number || r.sc != sc || r.connNumber != s.connNumber {
			continue
		}
		if r.state == rpcSent {
			cn.streams++
		}
		if r.place <= inService {
			cn.pending++
		}
	}
	return cn
}

// close closes the transport at the client. The server may still work on requests that came by it,
// but no reply gets through.
func (cn *conn) close() {
	cn.endWatches()
	cn.closed = true
	cn.stopTimers()
	cn.dropWaiting()
	cn.dropHeld()
	cn.forget()
}

// forget removes a closed transport when no request and no message refers to it any more.
func (cn *conn) forget() {
	w := cn.c.w
	if cn.number < cn.b.lostBefore {
		cn.pending = 0 // lost in a crash
	}
	if cn.pending > 0 || cn.messages > 0 || w.conns.all[cn.slot] != cn {
		return
	}
	link := &cn.c.subConns[cn.sc].conn
	for *link != cn.slot {
		link = &w.conns.all[*link].older
	}
	*link = cn.older
	w.conns.all[cn.slot] = nil
	w.conns.free = append(w.conns.free, cn.slot)
	cn.c.conns--
	cn.b.conns--
}

// delay draws the delay of the next message.
func (cn *conn) delay() time.Duration {
	cn.drawn++
	return cn.c.w.net.delay.Quantile(sim.Unit(sim.Mix(cn.luck, saltMessage+cn.drawn)))
}

// send sends a message about the transport to the other end.
func (cn *conn) send(kind sim.Kind) {
	cn.messages++
	d := cn.delay()
	if kind == connServing || kind == connNotServing {
		d = cn.inOrder(d)
	}
	cn.c.k.After(d, cn.c.w.conns.id, kind, cn.slot)
}

// setTimer sets a timer of the transport. If it is set already, it is set anew.
func (cn *conn) setTimer(t *sim.Timer, d time.Duration, kind sim.Kind) {
	cn.cancel(t)
	*t = cn.c.k.SetTimer(d, cn.c.w.conns.id, kind, cn.slot)
}

// cancel cancels a timer of the transport, if it is set.
func (cn *conn) cancel(t *sim.Timer) {
	if *t != 0 {
		cn.c.k.Cancel(*t)
		*t = 0
	}
}
