package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// Backends report their load (ORCA) in two ways: in the trailer of each reply, and out of band, on
// a stream of its own for each READY connection whose client asks. The interval of the latter is
// the greater one of what the client asks for and what the backend allows.
//
// A report has: as CPU utilisation the share of the workers that were busy, which is at most 1
// however long the queue; requests answered per second (qps); those of them that failed, refusals
// for a full queue included (eps); and the named metrics in_flight and queue, numbers of requests.
// qps / utilisation is the service rate of the whole backend, under overload too: at a utilisation
// of 1, qps is what it can serve.
//
// Source: grpc-go v1.85.0, package orca (gRFC A51). Left out: costs of a request, memory, streams
// that fail while the connection lives. A stream that the client ends is over for the backend at
// once.

// loadWatch is the state of the out-of-band stream at both ends of a transport. The balancer may
// close it and open another; messages of the earlier stream may still be on their way.
type loadWatch struct {
	open        bool          // at the client
	known       bool          // the backend has a handler for the stream; implies open
	stream      uint32        // number of the current stream, from 1
	every       time.Duration // interval that the client asks for, > 0
	requestsOut int           // watch requests of all streams on their way to the backend
	interval    time.Duration // between the backend's reports
	timer       sim.Timer     // its next report; 0 for none
	reportsOut  []sentReport  // reports on their way to the client, the oldest first
}

// sentReport is a report and the stream on which it was sent.
type sentReport struct {
	stream uint32
	loadReport
}

// Names of the named metrics.
const (
	namedInFlight = "in_flight"
	namedQueue    = "queue"
)

// reports reports whether the backends of the group report their load in any way.
func (g *BackendGroup) reports() bool { return g.LoadReport != 0 }

// measured returns the load report of this moment.
func (b *backend) measured() loadReport {
	r := b.meter.report(b.w.k.Now())
	r.queued = int32(b.waiting())
	r.inFlight = int32(b.busy) + r.queued
	return r
}

// measureReply counts a reply and stores the report that goes with it.
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

// read returns a report as a policy gets it, valid until the next call.
func (w *World) read(r loadReport) *policies.Load {
	w.named = [...]policies.NamedMetric{
		{Name: namedInFlight, Value: float64(r.inFlight)},
		{Name: namedQueue, Value: float64(r.queued)},
	}
	w.load = policies.Load{CPU: r.used, QPS: r.qps, EPS: r.eps, Named: w.named[:]}
	return &w.load
}

// loadOf returns the report that came with the reply to an RPC, or nil.
func (c *channel) loadOf(h handle, r *rpc) *policies.Load {
	if !c.w.backendOf(r).group.LoadReport.Has(LoadPerCall) {
		return nil
	}
	return c.w.read(c.w.loads[h])
}

// WatchLoad is a method of [policies.Host].
func (c *channel) WatchLoad(sc policies.SubConn, every time.Duration) {
	c.wishes = append(c.wishes, wish{sc: sc, what: wishLoad, every: every})
}

// watchLoad opens the load watch of a SubConn, or closes it where every is 0. An open watch is
// closed first.
func (c *channel) watchLoad(sc policies.SubConn, every time.Duration) {
	s := &c.subConns[sc]
	if s.state != policies.Ready {
		return // this connection will not be READY again
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

// endLoadWatch closes the load watch, if it is open.
func (cn *conn) endLoadWatch() {
	l := cn.load
	if l == nil || !l.open {
		return
	}
	known := l.known
	l.open, l.known = false, false
	cn.cancel(&l.timer)
	cn.streams--
	cn.watchEnded(known)
	if !cn.draining {
		cn.nextStream()
	}
}

// loadRequested handles the arrival of a watch request at the backend. Of several on their way the
// last one counts.
func (cn *conn) loadRequested() {
	l := cn.load
	l.requestsOut--
	if l.requestsOut > 0 || !l.open || cn.number < cn.b.lostBefore {
		return // the client has closed the watch, or the process has ended
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

// sendLoad sends a report and schedules the next one, unless the process has ended or has stopped
// writing.
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

// loadArrived handles the arrival of a report at the client. Reports arrive in order.
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

// loadUnimplemented handles the answer UNIMPLEMENTED to a watch request. The client does not ask
// again.
func (cn *conn) loadUnimplemented() {
	if l := cn.load; l.requestsOut == 0 {
		cn.heardReply()
		cn.endLoadWatch()
	}
}
