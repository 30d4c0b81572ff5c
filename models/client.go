package models

import (
	"fmt"
	"math"
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// client begins RPCs, owns them, and ends each of them once.
type client struct {
	w       *World
	k       *sim.Kernel
	id      sim.ID
	number  int32
	group   *ClientGroup
	channel *channel

	rand      *sim.Rand // for gaps between arrivals and for thinking
	luck      uint64    // that of its RPCs derives from it
	begun     uint64
	requests  uint64   // RPCs that it begins in all
	busy      sim.Time // until when it has RPCs to do that take no time
	calls     []call   // RPCs that may have several attempts
	freeCalls []uint32
	gap       float64       // mean nanoseconds between arrivals
	nextGap   time.Duration // of a Poisson process, drawn already
	offset    float64       // nanoseconds before the first of evenly spaced arrivals
}

const (
	clientArrive sim.Kind = iota
	clientDeadline
	clientReply   // from the backend, with rpc.status
	clientBroken  // the connection was reset under the RPC
	clientUnsent  // no connection could be had; the reason is in rpc.note
	clientDropped // the picker dropped it; the code is in rpc.status
	clientCallDeadline
	clientNextAttempt
	clientBrokenBy // + the reason: the connection broke in another way
)

const saltClient = 0x636c69656e74 // any constant would do

func newClient(w *World, g *ClientGroup, v *view, inGroup int) *client {
	n := len(w.clients)
	c := &client{
		w: w, k: w.k, number: int32(n), group: g, requests: g.requests(),
		rand: w.k.Rand(fmt.Sprintf("client/%d/arrivals", n)),
		luck: sim.Mix(sim.Mix(w.cfg.Seed, saltClient), uint64(n)),
	}
	if !c.exhausted() {
		w.clientsToBegin++
	}
	c.id = w.k.Register(c)
	c.channel = newChannel(w, c, v)
	start := sim.Time(g.Start)
	if g.Rate == 0 {
		for range g.Callers {
			w.k.At(start, c.id, clientArrive, 0)
		}
		for _, at := range g.At {
			w.k.At(start.Add(at), c.id, clientArrive, 0)
		}
		return c
	}
	c.gap = 1e9 * float64(g.Count) / g.Rate
	c.offset = c.gap * float64(inGroup) / float64(g.Count)
	c.drawGap()
	w.k.At(c.nextArrival(start), c.id, clientArrive, 0)
	return c
}

// nextArrival is when an open loop begins its next RPC. Clients of a group with even arrivals take
// turns, so the group as a whole is even.
func (c *client) nextArrival(now sim.Time) sim.Time {
	if c.group.Even {
		since := c.offset + float64(float64(c.begun)*c.gap)
		return sim.Time(c.group.Start).Add(nanoseconds(since))
	}
	gap := c.nextGap
	c.drawGap()
	return now.Add(gap)
}

// drawGap draws the gap after the next arrival, so that its logarithm is not waited for.
func (c *client) drawGap() {
	c.nextGap = nanoseconds(sim.ExponentialQuantile(c.rand.Unit()) * c.gap)
}

// nanoseconds turns a float into a length of time; one that is too long becomes the longest. The
// bare conversion of such a float differs between CPUs.
func nanoseconds(ns float64) time.Duration {
	if ns < float64(sim.Never) {
		return time.Duration(ns)
	}
	return time.Duration(sim.Never)
}

// Handle is told what happens to the client and to its RPCs.
func (c *client) Handle(ev sim.Event) {
	h := handle(ev.Arg)
	switch ev.Kind() {
	case clientArrive:
		c.arrive()
	case clientDeadline:
		c.timeOut(h)
	case clientReply:
		c.sentEnded(h, endingOf(c.w.rpcs.at(h).status))
	case clientBroken:
		c.sentEnded(h, ending{policies.Unavailable, policies.ConnectionReset})
	case clientUnsent, clientDropped:
		if r := c.w.rpcs.at(h); r.state != rpcEnded {
			why := policies.Reason(r.note)
			if ev.Kind() == clientDropped && why != policies.BadServiceConfig {
				why = policies.DroppedByPolicy
			}
			c.attemptEnded(h, ending{r.status.code(), why})
		}
		c.w.rpcs.release(h)
	case clientCallDeadline:
		c.callTimeOut(ev.Arg)
	case clientNextAttempt:
		c.nextAttempt(ev.Arg)
	case clientBrokenBy + sim.Kind(policies.Unprocessed):
		c.unprocessed(h)
	default:
		why := policies.Reason(ev.Kind() - clientBrokenBy)
		c.sentEnded(h, ending{policies.Unavailable, why})
	}
}

// arrive begins an RPC and, in an open loop, schedules the next.
func (c *client) arrive() {
	if c.exhausted() {
		return // another caller was quicker
	}
	now, number := c.k.Now(), c.begun
	c.begun++
	if c.exhausted() {
		c.w.clientsToBegin--
	}
	if c.group.Rate > 0 && !c.exhausted() {
		c.k.At(c.nextArrival(now), c.id, clientArrive, 0)
	}
	c.w.rec.Begin(now)
	if t := c.w.cfg.Trace; t != nil {
		t.add(TraceEntry{At: now, What: Began, Client: c.number, RPC: number})
	}
	ch := c.channel
	if ch.balancer == nil {
		ch.exitIdle()
	}
	if ch.calling.hedged {
		c.beginCall(number)
		return
	}
	h := c.w.rpcs.new()
	r := c.w.rpcs.at(h)
	r.luck = sim.Mix(c.luck, number)
	r.start, r.client, r.holders = now, c.number, 1
	r.status, r.call = ch.calling.waits, ch.calling.call
	if t := c.w.cfg.Trace; t != nil {
		t.numbered(h, number)
	}
	// Set before anything else is sent, so at one instant the deadline comes before the reply.
	if d := ch.calling.timeout; d > 0 {
		r.deadline = c.k.SetTimeout(d, c.id, clientDeadline, uint32(h))
	}
	ch.pick(h)
}

func (c *client) exhausted() bool { return c.begun >= c.requests }

// requests is how many RPCs each client of the group begins in all, or more than it ever can.
func (g *ClientGroup) requests() uint64 {
	most := uint64(math.MaxUint64)
	if g.Requests > 0 {
		most = g.Requests
	}
	if g.Rate == 0 && g.Callers == 0 {
		most = min(most, uint64(len(g.At)))
	}
	return most
}

// answered is how an RPC ends that was sent, unless its deadline has ended it before.
func (c *client) sentEnded(h handle, e ending) {
	if c.w.rpcs.at(h).state == rpcSent {
		c.channel.done(h, e)
		c.attemptEnded(h, e)
	}
	c.w.rpcs.release(h)
}

// ended is the end of an RPC or of one of its attempts.
func (c *client) attemptEnded(h handle, e ending) {
	switch call := c.w.rpcs.at(h).call; {
	case call == noCallYet && e.code == policies.OK:
		c.channel.throttle.succeeded()
	case call != 0:
		c.callAttemptEnded(h, e)
		return
	}
	c.endRPC(h, e)
}

// timeOut ends an RPC whose deadline has come.
func (c *client) timeOut(h handle) {
	r := c.w.rpcs.at(h)
	r.deadline = 0
	e := c.expired(h)
	r.missed()
	waiting := c.giveUp(h, e.code)
	c.endRPC(h, e)
	if waiting {
		c.channel.dropEnded()
	}
}

// giveUp lets the picker and the backend know that the client no longer waits for an RPC, or for
// an attempt, if it was sent. Else it waits for a picker, which the channel is told of at its end.
func (c *client) giveUp(h handle, code policies.Code) (waiting bool) {
	if c.w.rpcs.at(h).state == rpcWaiting {
		return true
	}
	c.channel.done(h, ending{code, policies.InFlight})
	c.channel.cancel(h)
	return false
}

// end is the end of an RPC that is sent once.
func (c *client) endRPC(h handle, e ending) {
	r, sent := c.w.rpcs.at(h), c.w.rpcs.sent(h)
	r.state = rpcEnded
	if r.deadline != 0 {
		c.k.Cancel(r.deadline)
		r.deadline = 0
	}
	start, number := r.start, c.w.cfg.Trace.numberOf(h)
	c.w.rpcs.release(h)
	c.recordEnd(start, number, sent, e)
}

// over is the end of every RPC, which was sent so often.
func (c *client) recordEnd(start sim.Time, number uint64, sent uint8, e ending) {
	c.channel.lastEnd = c.k.Now()
	c.w.rec.End(c.k.Now(), start, sent, uint8(e.code), uint8(e.reason))
	if c.w.clientsToBegin == 0 && c.w.rec.Open() == 0 {
		c.w.rec.WorkOver(c.k.Now())
	}
	if t := c.w.cfg.Trace; t != nil {
		t.add(TraceEntry{
			At: c.k.Now(), What: Ended, Client: c.number, RPC: number,
			Code: e.code, Reason: e.reason,
		})
	}
	if c.group.Callers > 0 && !c.exhausted() {
		c.k.After(c.pause(start), c.id, clientArrive, 0)
	}
}

// callCost is the CPU time that a client needs for an RPC which takes no time: which fails before
// it is sent, say. A client of gRPC that does nothing else begins and ends some 60,000 RPCs per
// second that do go over the wire (ghz, 500 callers, one connection: 59,924, so 17 µs each); to
// make a call, pick and hand back a status is the smaller part of that.
const callCost = 10 * time.Microsecond

// pause is how long a caller waits after an RPC. One without think time whose RPC took no time
// would never get on; so its client does such RPCs one after the other.
func (c *client) pause(start sim.Time) time.Duration {
	think, now := c.group.Think.Quantile(c.rand.Unit()), c.k.Now()
	if think > 0 || start < now {
		return think
	}
	c.busy = max(c.busy, now).Add(callCost)
	return c.busy.Sub(now)
}
