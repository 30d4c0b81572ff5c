package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// A client that checks health opens an RPC without end on each connection that is READY. The
// backend answers at once, and again whenever its health changes. The RPC is a stream like others:
// it takes one of MAX_CONCURRENT_STREAMS, and a connection with it is not idle.
//
// Source: grpc-go v1.85.0, package health (gRFC A17). Left out: services that the backend does not
// know, and backends without the health service.

// healthWatch is the state of that RPC at both ends of a transport.
type healthWatch struct {
	open        bool     // at the client
	known       bool     // the backend has its request; implies open
	lastArrival sim.Time // arrival of the latest answer sent; answers arrive in order
}

// errNotServing is the status for NOT_SERVING.
var errNotServing = &policies.Status{
	Code: policies.Unavailable, Text: "connected, but the backend says NOT_SERVING",
	Reason: policies.HealthCheckFailed,
}

// SetNotServing makes the health of a backend NOT_SERVING, until SetServing was called as often.
// The backend serves requests all the same.
func (w *World) SetNotServing(backend int32) {
	b := &w.backends[backend]
	b.notServing++
	if b.notServing == 1 {
		w.measureCapacity(backend)
		w.registry.update(backend, false)
		w.sendHealth(b)
	}
}

// SetServing takes back one SetNotServing.
func (w *World) SetServing(backend int32) {
	b := &w.backends[backend]
	b.notServing--
	if b.notServing == 0 {
		w.measureCapacity(backend)
		w.registry.update(backend, false)
		w.sendHealth(b)
	}
}

// sendHealth sends the health of a backend on all watches, since it has changed.
func (w *World) sendHealth(b *backend) {
	for _, cn := range w.conns.of(b) {
		if cn.health.known {
			cn.sendHealth()
		}
	}
}

// WatchHealth is a method of [policies.Host].
func (c *channel) WatchHealth(sc policies.SubConn) bool {
	if c.group.HealthCheck {
		c.wish(sc, wishHealth)
	}
	return c.group.HealthCheck
}

// watchHealth opens the health watch of a SubConn.
func (c *channel) watchHealth(sc policies.SubConn) {
	if c.subConns[sc].state != policies.Ready {
		return // this connection will not be READY again
	}
	cn := c.transport(sc)
	cn.health.open = true
	cn.streams++
	cn.pending++
	if cn.blocked(toBackend) {
		cn.hold(toBackend, heldMessage{kind: connHealthRequest})
		return
	}
	cn.send(connHealthRequest)
}

// endWatches closes the watches of health and load, before the transport is closed or drains.
func (cn *conn) endWatches() {
	cn.endLoadWatch()
	if cn.health.open {
		known := cn.health.known
		cn.health = healthWatch{}
		cn.streams--
		cn.watchEnded(known)
	}
}

// watchEnded ends the stream of a watch at the backend; known: the backend has its request.
func (cn *conn) watchEnded(known bool) {
	if known {
		cn.handlerDone()
	} else {
		cn.requestDone()
	}
}

// healthRequested handles the arrival of the watch request at the backend.
func (cn *conn) healthRequested() {
	if !cn.health.open || cn.number < cn.b.lostBefore {
		return // the client has closed the watch, or the process has ended
	}
	cn.health.known = true
	cn.handlers.running++
	cn.probed()
	cn.sendHealth()
}

// sendHealth sends the health, unless the process has ended or has stopped writing.
func (cn *conn) sendHealth() {
	if cn.number < cn.b.lostBefore || cn.server.stoppedWriting {
		return
	}
	cn.server.wroteSincePing = true
	if cn.b.notServing > 0 {
		cn.sendToClient(connNotServing)
	} else {
		cn.sendToClient(connServing)
	}
}

// inOrder returns the delay of an answer whose own delay is d. Answers of one stream do not
// overtake each other; otherwise the client could keep an outdated one.
func (cn *conn) inOrder(d time.Duration) time.Duration {
	now := cn.c.k.Now()
	cn.health.lastArrival = max(cn.health.lastArrival, now.Add(d))
	return cn.health.lastArrival.Sub(now)
}

// healthArrived handles the arrival of an answer at the client.
func (cn *conn) healthArrived(s policies.Connectivity, err *policies.Status) {
	if !cn.health.open {
		return
	}
	cn.heardReply()
	cn.c.balancer.HealthState(cn.sc, s, err)
	cn.c.fulfil()
}
