package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// conn is one transport, as its two ends see it. Most connections do without: their SubConn and
// the RPCs on them say all there is to know. One is made when a connection has limits or keepalive,
// or is told to go away, or when something is in its way; from then on its streams are counted.
type conn struct {
	c      *channel
	b      *backend
	path   *path
	slot   uint32 // its place among all
	older  uint32 // place of the one that its SubConn had before, 0 for none
	sc     policies.SubConn
	number uint32 // the backend's number of the connection
	luck   uint64
	drawn  uint64 // letters that had their delay from luck

	streams      int             // that the client has open
	waiting      ring            // RPCs that wait for a stream, also some that have ended since
	endedWaiting int             // how many of them
	draining     bool            // the client opens no more streams, and closes with the last one
	closed       bool            // by the client, or it knows that the server has
	goAwayReason policies.Reason // of the first GOAWAY that the client has read

	pending  int // requests that are on their way to the backend or with it
	messages int // about it that are on their way

	server   serverEnd
	handlers handlers
	alive    keepalive
	health   healthWatch
	load     *loadWatch // nil where nobody watches the load
	stalls   [2]stall   // of each direction
}

// conns holds the transports of a world and is told what happens to them. Place 0 is not used.
type conns struct {
	w    *World
	id   sim.ID
	all  []*conn
	free []uint32
}

// What happens to a transport: timers first, which are cancelled when it is closed, then letters,
// which are not.
const (
	connAge    sim.Kind = iota // MAX_CONNECTION_AGE is reached
	connGrace                  // the grace after it is over
	connForced                 // and the second after that
	connIdle                   // MAX_CONNECTION_IDLE may be reached
	connKeepalive
	connGiveUp        // TCP has waited long enough for an ACK of the client's data
	connAgainUp       // TCP sends the client's data again
	connAgainDown     // and the server's
	connGoAway        // the client reads a GOAWAY
	connTooMany       // likewise, with ENHANCE_YOUR_CALM and too_many_pings
	connLost          // the client reads FIN or RST
	connPing          // the server reads a PING
	connPong          // the client reads its ACK, or another frame that says no more
	connHealthRequest // the server reads that the client wants to know its health
	connServing       // the client reads that it is well
	connNotServing    // and that it is not
	connHandlerDone   // a handler of the server has ended
	connLoadRequest   // the server reads that the client wants to know its load
	connLoad          // the client reads it
	connNoLoad        // or that there is no such service
	connLoadDue       // a timer again: the server's next report is due
	connFirstMessage  = connGoAway
)

func newConns(w *World) conns {
	cs := conns{w: w, all: make([]*conn, 1)}
	cs.id = w.k.Register(&w.conns)
	return cs
}

// Handle is told what happens to the transports.
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

// connOf returns the transport that an RPC is on or was sent on, nil where nothing is known of it.
func (w *World) connOf(r *rpc) *conn {
	return w.clients[r.client].channel.conn(r.sc, r.connNumber)
}

// conn returns a transport of a SubConn by its number, nil where nothing is known of it.
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

// transport returns the present transport of a SubConn. If it is not known yet, the RPCs tell how
// many streams it has.
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

// close is the end of the transport for the client. The server may still work on what came by it,
// but no answer will get through.
func (cn *conn) close() {
	cn.endWatches()
	cn.closed = true
	cn.stopTimers()
	cn.dropWaiting()
	cn.dropHeld()
	cn.forget()
}

// forget takes a transport that is closed off the books, once nobody will ask for it any more.
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

// delay draws the delay of one more letter.
func (cn *conn) delay() time.Duration {
	cn.drawn++
	return cn.c.w.net.delay.Quantile(sim.Unit(sim.Mix(cn.luck, saltMessage+cn.drawn)))
}

// post sends a letter about the transport along it.
func (cn *conn) send(kind sim.Kind) {
	cn.messages++
	d := cn.delay()
	if kind == connServing || kind == connNotServing {
		d = cn.inOrder(d)
	}
	cn.c.k.After(d, cn.c.w.conns.id, kind, cn.slot)
}

// setTimer sets one of the timers of the transport anew.
func (cn *conn) setTimer(t *sim.Timer, d time.Duration, kind sim.Kind) {
	cn.cancel(t)
	*t = cn.c.k.SetTimer(d, cn.c.w.conns.id, kind, cn.slot)
}

func (cn *conn) cancel(t *sim.Timer) {
	if *t != 0 {
		cn.c.k.Cancel(*t)
		*t = 0
	}
}
