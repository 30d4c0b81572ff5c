package models

import (
	"fmt"
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// channel is a client's view of the service: its SubConns, its balancer and the picker of the
// moment, and the RPCs that wait for a better one. It is the Host of the balancer.
type channel struct {
	// What each RPC asks for stands in front, in three lines of the CPU's cache.
	w       *World
	k       *sim.Kernel
	group   *ClientGroup
	calling calling
	id      sim.ID
	client  sim.ID
	number  int32

	picker   policies.Picker   // nil until the balancer has brought one
	targets  []subConnTarget   // of each SubConn
	conns    int               // transports that are known
	balancer policies.Balancer // nil while the channel is idle

	wishes    []wish   // of the balancer, to be fulfilled when it has returned
	repicks   []handle // RPCs that a transport could not send
	newPicker bool     // the picker is new
	lastEnd   sim.Time // of an RPC

	subConns []subConn
	throttle *throttle // of RPCs that begin
	service  service
	view     *view                // of the backends
	resolver *resolverConn        // nil while the channel is idle
	listed   []*policies.Endpoint // that the resolver listed last
	state    policies.Connectivity

	waiting      []handle // in order of arrival, also some that have ended since
	endedWaiting int      // how many of them
	spare        []handle // room for the next waiting

	rand *sim.Rand // of the balancer
	luck *sim.Rand // of the attempts to connect

	keepalive time.Duration // of transports to come; 0 for none
}

// wish is something that a balancer asked for.
type wish struct {
	sc    policies.SubConn
	what  wishKind
	every time.Duration // for wishLoad
}

// fewWishes are as many as a channel keeps room for.
const fewWishes = 16

type wishKind uint8

const (
	wishConnect wishKind = iota
	wishShutDown
	wishHealth // to watch it
	wishLoad   // to watch it, or no more
)

const (
	channelSYN sim.Kind = iota
	channelConnected
	channelRefused
	channelTimedOut
	channelBackedOff
	channelReset
	channelIdle     // the idle timeout may be over
	channelSYNAgain // + 0 to 5: the first to sixth SYN that is sent again
)

func newChannel(w *World, c *client, v *view) *channel {
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

// exitIdle brings the channel to life when its first RPC begins.
func (c *channel) exitIdle() {
	c.setChannelState(policies.Connecting)
	c.awaitNames()
	c.balancer = c.w.cfg.Policy.Build(c)
	startResolver(c)
	c.startIdleTimer()
	c.fulfil()
}

// pick asks the picker where to send an RPC.
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
			c.wait(h)
			return
		}
		c.unsent(h, policies.Unavailable, clientUnsent)
	case policies.Dropped:
		r.note = uint64(p.Status.Reason)
		c.unsent(h, dropCode(p.Status.Code), clientDropped)
	}
}

func (c *channel) send(h handle, r *rpc, p policies.Pick) {
	to := c.targets[p.SubConn]
	r.state, r.picker, r.note = rpcSent, c.picker, p.Note
	r.sc, r.connNumber = p.SubConn, to.connNumber
	c.w.rpcs.extra[h].picked = c.k.Now()
	c.w.rec.InFlights[to.backend].Add(c.k.Now(), 1)
	if c.conns > 0 {
		if cn := c.conn(r.sc, r.connNumber); cn != nil && !cn.openStream(h, r) {
			return
		}
	}
	c.sendRequest(h, r, to.backend)
}

// post puts the request of an RPC onto the wire. One that takes no time is there at once.
func (c *channel) sendRequest(h handle, r *rpc, backend int32) {
	r.holders++
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
	if c.w.net.instant && c.conns == 0 {
		c.w.backends[backend].request(h)
		return
	}
	c.w.net.send(r, h, saltRequest, c.w.backendID(backend), backendRequest)
}

// unsent lets the client know that an RPC has failed here.
func (c *channel) unsent(h handle, code policies.Code, kind sim.Kind) {
	r := c.w.rpcs.at(h)
	r.status = r.status.with(code)
	r.holders++
	c.k.After(0, c.client, kind, uint32(h))
}

// keep makes an RPC wait for the next picker.
func (c *channel) wait(h handle) {
	c.w.rpcs.at(h).holders++
	c.waiting = append(c.waiting, h)
}

// abandon says that an RPC has ended that may be among those that wait. Now and then all such are
// let go.
func (c *channel) dropEnded() {
	c.endedWaiting++
	if c.endedWaiting < 16 || c.endedWaiting < len(c.waiting)/2 {
		return
	}
	keep := c.waiting[:0]
	for _, h := range c.waiting {
		if c.w.rpcs.at(h).state == rpcEnded {
			c.w.rpcs.release(h)
		} else {
			keep = append(keep, h)
		}
	}
	c.waiting, c.endedWaiting = keep, 0
}

// repick asks a new picker about the RPCs that wait, in order of arrival.
func (c *channel) repick() {
	waiting := c.waiting
	c.waiting, c.endedWaiting = c.spare[:0], 0
	for _, h := range waiting {
		if c.w.rpcs.at(h).state == rpcWaiting {
			c.pick(h)
		}
		c.w.rpcs.release(h)
	}
	c.spare = waiting
}

// notInFlight records that the client no longer waits for an RPC that was sent.
func (c *channel) notInFlight(r *rpc) {
	to := c.targets[r.sc]
	if to.connNumber != r.connNumber { // the SubConn has another connection by now, or none
		to.backend = int32(c.w.backendOf(r).number)
	}
	c.w.rec.InFlights[to.backend].Add(c.k.Now(), -1)
}

// done tells the picker how an RPC ended that it sent.
func (c *channel) done(h handle, e ending) {
	r := c.w.rpcs.at(h)
	p := policies.Pick{Verdict: policies.Sent, SubConn: r.sc, Note: r.note}
	c.notInFlight(r)
	if c.conns > 0 {
		c.streamEnded(r)
	}
	received := e.reason <= policies.BackendFull
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

// cancel lets a backend that cares know that the client has given up.
func (c *channel) cancel(h handle) {
	r := c.w.rpcs.at(h)
	b := c.w.backendOf(r)
	if b.group.StopsCancelled && r.place != awaitsStream {
		r.holders++
		if c.w.net.cuts+c.conns > 0 && c.holdIfBlocked(h, r, heldCancel) {
			return
		}
		c.w.net.send(r, h, saltCancel, b.id, backendCancel)
	}
}

// fulfil does what the balancer asked for in the calls that have returned, and what it asks for
// meanwhile, in the order of asking. Then the RPCs that wait meet the new picker, if there is one.
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
		c.wishes = nil // of a new list; a thousand channels of a thousand SubConns are a million
	}
	if c.newPicker {
		c.newPicker = false
		c.repick()
	}
	if len(c.repicks) > 0 {
		c.pickAgain()
	}
}
