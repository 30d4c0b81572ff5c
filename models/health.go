package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// A client that checks health asks each backend how it is as soon as a connection is READY, by an
// RPC that does not end: the backend answers at once, and again whenever its health changes. That
// RPC is a stream like others: it takes one of MAX_CONCURRENT_STREAMS, and with it no connection is
// idle.
//
// Source: grpc-go v1.85.0, package health (gRFC A17). Left out: services that the backend does not
// know, and backends that do not know how to answer.

// healthWatch is that RPC, as both ends of a transport see it.
type healthWatch struct {
	open        bool     // it is open at the client
	known       bool     // the backend knows of it
	lastArrival sim.Time // when the latest answer arrives
}

// errNotServing is what an ill backend says.
var errNotServing = &policies.Status{
	Code: policies.Unavailable, Text: "connected, but the backend says NOT_SERVING",
	Reason: policies.HealthCheckFailed,
}

// Sicken makes a backend call itself NOT_SERVING, until as many Cures. It serves what comes.
func (w *World) SetNotServing(backend int32) {
	b := &w.backends[backend]
	b.notServing++
	if b.notServing == 1 {
		w.measureCapacity(backend)
		w.registry.update(backend, false)
		w.sendHealth(b)
	}
}

// Cure takes back a Sicken.
func (w *World) SetServing(backend int32) {
	b := &w.backends[backend]
	b.notServing--
	if b.notServing == 0 {
		w.measureCapacity(backend)
		w.registry.update(backend, false)
		w.sendHealth(b)
	}
}

// tellHealth sends the health of a backend, which has changed, to all who have asked.
func (w *World) sendHealth(b *backend) {
	for _, cn := range w.conns.of(b) {
		if cn.health.known {
			cn.sendHealth()
		}
	}
}

// WatchHealth is what the balancer asks for (see [policies.Host]).
func (c *channel) WatchHealth(sc policies.SubConn) bool {
	if c.group.HealthCheck {
		c.wish(sc, wishHealth)
	}
	return c.group.HealthCheck
}

// watchHealth asks for the health of a SubConn.
func (c *channel) watchHealth(sc policies.SubConn) {
	if c.subConns[sc].state != policies.Ready {
		return // nor will it be again, on this transport
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

// unwatch ends what watches there are: the SubConn is about to lose or leave the transport.
func (cn *conn) endWatches() {
	cn.endLoadWatch()
	if cn.health.open {
		asked := cn.health.known
		cn.health = healthWatch{}
		cn.streams--
		cn.watchEnded(asked)
	}
}

// watched ends a stream that watches, of which the backend may not know yet.
func (cn *conn) watchEnded(asked bool) {
	if asked {
		cn.handlerDone()
	} else {
		cn.requestDone()
	}
}

// healthAsked is the arrival of the question at the backend.
func (cn *conn) healthRequested() {
	if !cn.health.open || cn.number < cn.b.lostBefore {
		return // its cancellation is close behind, or the process has ended
	}
	cn.health.known = true
	cn.handlers.running++
	cn.probed()
	cn.sendHealth()
}

// tellHealth sends an answer, unless the process that would has ended or writes no more.
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

// inOrder is the delay of an answer that has a delay of d by itself: those of one stream do not
// overtake each other, or the client would believe the older for good.
func (cn *conn) inOrder(d time.Duration) time.Duration {
	now := cn.c.k.Now()
	cn.health.lastArrival = max(cn.health.lastArrival, now.Add(d))
	return cn.health.lastArrival.Sub(now)
}

// healthIs is the arrival of an answer at the client.
func (cn *conn) healthArrived(s policies.Connectivity, err *policies.Status) {
	if !cn.health.open {
		return
	}
	cn.heardReply()
	cn.c.balancer.HealthState(cn.sc, s, err)
	cn.c.fulfil()
}
