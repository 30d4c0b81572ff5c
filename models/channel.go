package models

import (
	"fmt"
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// channel is a client's view of the service (grpc-go: ClientConn): its resolver, its balancer with
// the current picker, its SubConns, and the RPCs that wait for a picker. It is the Host of the
// balancer.
//
// An idle channel has no balancer, no picker and no resolver. The first RPC makes it exit idle.
type channel struct {
	// The first fields are those that every RPC reads: three cache lines.
	w       *World
	k       *sim.Kernel
	group   *ClientGroup // with the current service config applied
	calling calling      // how an RPC begins
	id      sim.ID
	client  sim.ID // its client, as an actor
	number  int32  // of its client

	picker   policies.Picker   // nil until the balancer has set one
	targets  []subConnTarget   // by SubConn
	conns    int               // transports of its SubConns in World.conns
	balancer policies.Balancer // nil while the channel is idle

	wishes    []wish   // what the balancer asked for and fulfil has not done yet
	repicks   []handle // RPCs whose connection drained before they got a stream
	newPicker bool     // the picker has been replaced and the waiting RPCs have not met it yet
	lastEnd   sim.Time // when an RPC last ended

	subConns []subConn // by SubConn; those that were shut down remain
	throttle *throttle // for RPCs that begin now; nil for none
	service  service
	view     *view                // the endpoints that the control plane shows to this group
	resolver *resolverConn        // nil while the channel is idle
	listed   []*policies.Endpoint // the resolver's latest list
	state    policies.Connectivity

	// waiting are the RPCs that wait for a picker, in order of arrival. Those that ended meanwhile
	// remain until dropEnded or repick removes them: endedWaiting counts those that timed out.
	waiting      []handle
	endedWaiting int
	spare        []handle // the array that waiting had before; reused by repick

	rand *sim.Rand // stream of the balancer
	luck *sim.Rand // stream of the lucks of attempts to connect

	keepalive time.Duration // keepalive time of new transports; 0 for no keepalive
}

// wish is something that the balancer asked its Host for. It is fulfilled when the balancer has
// returned, as grpc-go does: a balancer is never called from within its own call.
type wish struct {
	sc    policies.SubConn
	what  wishKind
	every time.Duration // of wishLoad: the interval; 0 ends the watch
}

// fewWishes is the capacity of channel.wishes that is kept between uses.
const fewWishes = 16

// wishKind is what a policy asks of a channel.
type wishKind uint8

const (
	wishConnect  wishKind = iota // connect a SubConn
	wishShutDown                 // shut it down
	wishHealth                   // watch its health
	wishLoad                     // watch its load reports, or end that
)

// Events of a channel. The argument is a SubConn, save of channelIdle.
const (
	channelSYN       sim.Kind = iota // the first SYN arrives at the backend
	channelConnected                 // the client reads the backend's SETTINGS
	channelRefused                   // the client reads the refusal
	channelTimedOut                  // the attempt's deadline passes
	channelBackedOff                 // the backoff after a failed attempt is over
	channelReset                     // the client reads the reset of a crashed backend
	channelIdle                      // the idle timeout may be over; no argument
	channelSYNAgain                  // + 0 to 5: the first to sixth repeated SYN arrives
)

// newChannel returns the channel of a client. It is idle: it has neither a balancer nor a resolver.
func newChannel(w *World, c *client, v *view) *channel {
	// Streams have names by client, so that the draws of a client do not depend on the others.
	ch := &channel{
		w: w, k: w.k, group: c.group, client: c.id, number: c.number, view: v,
		rand: w.k.Rand(fmt.Sprintf("client/%d/picks", c.number)),
		luck: w.k.Rand(fmt.Sprintf("client/%d/connections", c.number)),
	}
	if c.group.KeepaliveTime > 0 {
		ch.keepalive = max(leastKeepalive, c.group.KeepaliveTime)
	}
	if p, is := w.cfg.Policy.(policies.FromServiceConfig); is {
		ch.service.follows, ch.service.policy = true, p.Default
	}
	ch.id = w.k.Register(ch)
	return ch
}

// exitIdle starts the balancer and the resolver of an idle channel.
func (c *channel) exitIdle() {
	c.setChannelState(policies.Connecting)
	c.awaitNames()
	// The balancer is there before the resolver, whose first list may come at once.
	c.balancer = c.w.cfg.Policy.Build(c)
	startResolver(c)
	c.startIdleTimer()
	c.fulfil()
}

// pick asks the picker about an RPC, and sends, queues, fails or drops it accordingly.
func (c *channel) pick(h handle) {
	if c.picker == nil {
		c.wait(h)
		return
	}
	r := c.w.rpcs.at(h)
	p := c.picker.Pick(c.call(r))
	switch p.Verdict {
	case policies.Sent:
		if c.targets[p.SubConn].connNumber == 0 {
			// The SubConn has left READY and the balancer has not replaced its picker yet. As in
			// grpc-go the pick is undone, and the RPC waits for the next picker.
			c.picker.Done(p, policies.Outcome{})
			c.wait(h)
			return
		}
		c.send(h, r, p)
	case policies.Queued:
		c.wait(h)
	case policies.Failed:
		r.note = uint64(p.Status.Reason)
		if r.status.has(waitForReady) {
			// The reason is kept for the deadline, which reports the last error (see expired).
			c.wait(h)
			return
		}
		c.unsent(h, policies.Unavailable, clientUnsent)
	case policies.Dropped:
		r.note = uint64(p.Status.Reason)
		// A drop fails wait-for-ready RPCs too (gRFC A32).
		c.unsent(h, dropCode(p.Status.Code), clientDropped)
	}
}

// send sends an RPC to the SubConn that was picked. Where no stream is free the RPC waits for one.
func (c *channel) send(h handle, r *rpc, p policies.Pick) {
	to := c.targets[p.SubConn]
	r.state, r.picker, r.note = rpcSent, c.picker, p.Note
	r.sc, r.connNumber = p.SubConn, to.connNumber
	c.w.rpcs.extra[h].picked = c.k.Now()
	c.w.rec.InFlights[to.backend].Add(c.k.Now(), 1)
	// Without transports there are no limits on streams, and nothing to count.
	if c.conns > 0 {
		if cn := c.conn(r.sc, r.connNumber); cn != nil && !cn.openStream(h, r) {
			return
		}
	}
	c.sendRequest(h, r, to.backend)
}

// sendRequest puts the request of an RPC on the network. Without delay it arrives at once.
func (c *channel) sendRequest(h handle, r *rpc, backend int32) {
	r.holders++ // the request: released when the reply arrives, or when the request is lost
	c.w.rec.Attempts[backend]++
	if t := c.w.cfg.Trace; t != nil {
		t.add(TraceEntry{
			At: c.k.Now(), What: Sent, Client: c.number, RPC: t.number[h],
			Backend: backend, Address: c.subConns[r.sc].address, SubConn: r.sc,
		})
	}
	if c.w.net.cuts+c.conns > 0 && c.holdIfBlocked(h, r, heldRequest) {
		return
	}
	// A call in place of an event saves a fourth of the time of a small run.
	if c.w.net.instant && c.conns == 0 {
		c.w.backends[backend].request(h)
		return
	}
	c.w.net.send(r, h, saltRequest, c.w.backendID(backend), backendRequest)
}

// unsent fails an RPC before it was sent. The client learns of it by an event.
func (c *channel) unsent(h handle, code policies.Code, kind sim.Kind) {
	r := c.w.rpcs.at(h)
	r.status = r.status.with(code)
	r.holders++ // the event
	// An event in place of a call: the picker may be in use by the caller.
	c.k.After(0, c.client, kind, uint32(h))
}

// notInFlight takes an RPC off the count of those in flight to its backend.
func (c *channel) notInFlight(r *rpc) {
	to := c.targets[r.sc]
	if to.connNumber != r.connNumber { // the SubConn has lost that connection
		to.backend = int32(c.w.backendOf(r).number)
	}
	c.w.rec.InFlights[to.backend].Add(c.k.Now(), -1)
}

// done reports the end of an RPC that was sent to the picker that picked it.
func (c *channel) done(h handle, e ending) {
	r := c.w.rpcs.at(h)
	p := policies.Pick{Verdict: policies.Sent, SubConn: r.sc, Note: r.note}
	c.notInFlight(r)
	if c.conns > 0 {
		c.streamEnded(r)
	}
	received := e.reason <= policies.BackendFull // the reasons up to there are those of replies
	o := policies.Outcome{
		Latency:   c.k.Now().Sub(c.w.rpcs.extra[h].picked),
		BytesSent: r.place != awaitsStream, BytesReceived: received,
	}
	if e.code != policies.OK {
		o.Status = c.w.statusOf(r, e)
	}
	if received && len(c.w.loads) > 0 {
		o.Load = c.loadOf(h, r)
	}
	r.picker.Done(p, o)
	if len(c.wishes) > 0 || c.newPicker || len(c.repicks) > 0 {
		c.fulfil()
	}
}

// cancel sends a cancellation to the backend, if the backend stops cancelled work.
func (c *channel) cancel(h handle) {
	r := c.w.rpcs.at(h)
	b := c.w.backendOf(r)
	// A backend that finishes cancelled work would ignore the message, so there is none.
	if b.group.OnCancel == StopCancelled && r.place != awaitsStream {
		r.holders++ // the cancellation
		if c.w.net.cuts+c.conns > 0 && c.holdIfBlocked(h, r, heldCancel) {
			return
		}
		c.w.net.send(r, h, saltCancel, b.id, backendCancel)
	}
}

// fulfil fulfils the wishes of the balancer, in order, including those that it adds meanwhile. Then
// the waiting RPCs meet the new picker, if there is one. Every entry point that calls the balancer
// ends with fulfil.
func (c *channel) fulfil() {
	for i := 0; i < len(c.wishes); i++ {
		switch w := c.wishes[i]; w.what {
		case wishConnect:
			c.connect(w.sc)
		case wishShutDown:
			c.shutDown(w.sc)
		case wishHealth:
			c.watchHealth(w.sc)
		case wishLoad:
			c.watchLoad(w.sc, w.every)
		}
	}
	c.wishes = c.wishes[:0]
	if cap(c.wishes) > fewWishes {
		c.wishes = nil // a thousand channels of a thousand SubConns would keep a million
	}
	if c.newPicker {
		c.newPicker = false
		c.repick()
	}
	if len(c.repicks) > 0 {
		c.pickAgain()
	}
}
