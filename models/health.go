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
	on    bool     // it is open at the client
	asked bool     // the backend knows of it
	last  sim.Time // when the latest answer arrives
}

// errNotServing is what an ill backend says.
var errNotServing = &policies.Status{
	Code: policies.Unavailable, Text: "connected, but the backend says NOT_SERVING",
	Reason: policies.HealthCheckFailed,
}

// Sicken makes a backend call itself NOT_SERVING, until as many Cures. It serves what comes.
func (w *World) SetNotServing(backend int32) {
	b := &w.backends[backend]
	b.ills++
	if b.ills == 1 {
		w.measureCapacity(backend)
		w.registry.look(backend, false)
		w.tellHealth(b)
	}
}

// Cure takes back a Sicken.
func (w *World) SetServing(backend int32) {
	b := &w.backends[backend]
	b.ills--
	if b.ills == 0 {
		w.measureCapacity(backend)
		w.registry.look(backend, false)
		w.tellHealth(b)
	}
}

// tellHealth sends the health of a backend, which has changed, to all who have asked.
func (w *World) tellHealth(b *backend) {
	for _, cn := range w.conns.of(b) {
		if cn.watch.asked {
			cn.tellHealth()
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
	cn.watch.on = true
	cn.streams++
	cn.pending++
	if cn.blocked(toBackend) {
		cn.hold(toBackend, heldLetter{kind: connWatch})
		return
	}
	cn.post(connWatch)
}

// unwatch ends what watches there are: the SubConn is about to lose or leave the transport.
func (cn *conn) unwatch() {
	cn.unwatchLoad()
	if cn.watch.on {
		asked := cn.watch.asked
		cn.watch = healthWatch{}
		cn.streams--
		cn.watched(asked)
	}
}

// watched ends a stream that watches, of which the backend may not know yet.
func (cn *conn) watched(asked bool) {
	if asked {
		cn.handled()
	} else {
		cn.served()
	}
}

// healthAsked is the arrival of the question at the backend.
func (cn *conn) healthAsked() {
	if !cn.watch.on || cn.number < cn.b.epoch {
		return // its cancellation is close behind, or the process has ended
	}
	cn.watch.asked = true
	cn.handlers.running++
	cn.probed()
	cn.tellHealth()
}

// tellHealth sends an answer, unless the process that would has ended or writes no more.
func (cn *conn) tellHealth() {
	if cn.number < cn.b.epoch || cn.server.silent {
		return
	}
	cn.server.wrote = true
	if cn.b.ills > 0 {
		cn.tell(connNotServing)
	} else {
		cn.tell(connServing)
	}
}

// inOrder is the delay of an answer that has a delay of d by itself: those of one stream do not
// overtake each other, or the client would believe the older for good.
func (cn *conn) inOrder(d time.Duration) time.Duration {
	now := cn.c.k.Now()
	cn.watch.last = max(cn.watch.last, now.Add(d))
	return cn.watch.last.Sub(now)
}

// healthIs is the arrival of an answer at the client.
func (cn *conn) healthIs(s policies.Connectivity, err *policies.Status) {
	if !cn.watch.on {
		return
	}
	cn.heardReply()
	cn.c.balancer.HealthState(cn.sc, s, err)
	cn.c.fulfil()
}
