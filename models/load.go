package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// Backends report their load in two ways: in the trailer of each reply, and, to those who ask, on a
// stream of its own for each connection that is READY, as often as asked for but not more often
// than they like.
//
// What they report: as the utilisation of the CPU the share of the workers that were busy, so it is
// at most 1, however long the queue. A machine cannot tell how much more it would have to do; and
// what it answered at a utilisation of 1 is what it can answer, so queries over utilisation are
// right under overload too. Beside it the requests answered per second and those that failed, also
// those refused for a full queue; and as in_flight and queue how many requests there are.
//
// Source: grpc-go v1.85.0, package orca (gRFC A51). Left out: costs of a request, memory, streams
// that fail while the connection lives. A stream that the client ends is over for the backend at
// once.

// loadWatch is the stream of reports on a transport, as both ends see it.
type loadWatch struct {
	open        bool // it is open at the client
	known       bool // the backend has a handler for it
	stream      uint32
	every       time.Duration // as the client asks
	requestsOut int           // of all its streams, on their way to the backend
	interval    time.Duration // of the backend
	timer       sim.Timer     // until its next report
	reportsOut  []sentReport  // on their way to the client, the oldest first
}

type sentReport struct {
	stream uint32
	loadReport
}

// The names of the metrics beside those that all have.
const (
	namedInFlight = "in_flight"
	namedQueue    = "queue"
)

// reports says whether the backends of the group report their load in any way.
func (g *BackendGroup) reports() bool { return g.LoadReport != 0 }

// measured returns what the backend reports now.
func (b *backend) measured() loadReport {
	r := b.meter.report(b.w.k.Now())
	r.queued = int32(b.waiting())
	r.inFlight = int32(b.busy) + r.queued
	return r
}

// answered measures an answer, and notes the report that goes along with it.
func (b *backend) measureReply(h handle, code policies.Code) {
	b.meter.answer(b.w.k.Now(), code)
	if !b.group.LoadReport.Has(LoadPerCall) {
		return
	}
	for int(h) >= len(b.w.loads) {
		b.w.loads = append(b.w.loads, loadReport{})
	}
	b.w.loads[h] = b.measured()
}

// read returns a report as the policy gets it, good until the next.
func (w *World) read(r loadReport) *policies.Load {
	w.named = [...]policies.NamedMetric{
		{Name: namedInFlight, Value: float64(r.inFlight)},
		{Name: namedQueue, Value: float64(r.queued)},
	}
	w.load = policies.Load{CPU: r.used, QPS: r.qps, EPS: r.eps, Named: w.named[:]}
	return &w.load
}

// loadOf returns the report that came with the reply to an RPC, nil where there was none.
func (c *channel) loadOf(h handle, r *rpc) *policies.Load {
	if !c.w.backendOf(r).group.LoadReport.Has(LoadPerCall) {
		return nil
	}
	return c.w.read(c.w.loads[h])
}

// WatchLoad is what the balancer asks for (see [policies.Host]).
func (c *channel) WatchLoad(sc policies.SubConn, every time.Duration) {
	c.wishes = append(c.wishes, wish{sc: sc, what: wishLoad, every: every})
}

// watchLoad begins to watch the load of a SubConn, anew if it did already, or ends it.
func (c *channel) watchLoad(sc policies.SubConn, every time.Duration) {
	s := &c.subConns[sc]
	if s.state != policies.Ready {
		return // nor will it be again, on this transport
	}
	if cn := c.conn(sc, s.connNumber); cn != nil && cn.load != nil {
		cn.endLoadWatch()
	}
	if every == 0 {
		return
	}
	cn := c.transport(sc)
	if cn.load == nil {
		cn.load = new(loadWatch)
	}
	l := cn.load
	l.open, l.every = true, every
	l.stream++
	l.requestsOut++
	cn.streams++
	cn.pending++
	cn.wake()
	if cn.blocked(toBackend) {
		cn.hold(toBackend, heldMessage{kind: connLoadRequest})
		return
	}
	cn.send(connLoadRequest)
}

// unwatchLoad ends the stream.
func (cn *conn) endLoadWatch() {
	l := cn.load
	if l == nil || !l.open {
		return
	}
	asked := l.known
	l.open, l.known = false, false
	cn.cancel(&l.timer)
	cn.streams--
	cn.watchEnded(asked)
	if !cn.draining {
		cn.nextStream()
	}
}

// loadAsked is the arrival of the question at the backend. Of two the later counts.
func (cn *conn) loadRequested() {
	l := cn.load
	l.requestsOut--
	if l.requestsOut > 0 || !l.open || cn.number < cn.b.lostBefore {
		return // its cancellation is close behind, or the process has ended
	}
	cn.probed()
	if !cn.b.group.LoadReport.Has(LoadOutOfBand) {
		cn.sendToClient(connNoLoad)
		return
	}
	if !l.known {
		l.known = true
		cn.handlers.running++
	}
	l.interval = max(l.every, cn.b.group.LoadMinInterval)
	cn.sendLoad()
}

// tellLoad sends a report, the first at once, unless the process that would has ended or writes no
// more.
func (cn *conn) sendLoad() {
	l := cn.load
	l.timer = 0
	if cn.number < cn.b.lostBefore || cn.server.stoppedWriting {
		return
	}
	cn.server.wroteSincePing = true
	l.reportsOut = append(l.reportsOut, sentReport{l.stream, cn.b.measured()})
	cn.sendToClient(connLoad)
	cn.setTimer(&l.timer, l.interval, connLoadDue)
}

// loadIs is the arrival of a report at the client: the next, for they do not overtake each other.
func (cn *conn) loadArrived() {
	l := cn.load
	s := l.reportsOut[0]
	l.reportsOut = append(l.reportsOut[:0], l.reportsOut[1:]...)
	if !l.open || s.stream != l.stream {
		return
	}
	cn.heardReply()
	cn.c.balancer.LoadReport(cn.sc, cn.c.w.read(s.loadReport))
	cn.c.fulfil()
}

// noLoad is the news that the backend knows no such service (UNIMPLEMENTED): nobody asks again.
func (cn *conn) loadUnimplemented() {
	if l := cn.load; l.requestsOut == 0 {
		cn.heardReply()
		cn.endLoadWatch()
	}
}
