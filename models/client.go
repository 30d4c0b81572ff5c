package models

import (
	"fmt"
	"math"
	"time"

	"lbsim/models/dist"
	"lbsim/policies"
	"lbsim/sim"
)

// client begins RPCs and owns them: every outcome is an event to the client, and only the client
// ends an RPC. So a reply, a deadline and a broken connection cannot each end it.
type client struct {
	w       *World
	k       *sim.Kernel
	id      sim.ID
	number  int32 // among all clients, from 0
	group   *ClientGroup
	channel *channel

	rand     *sim.Rand // stream of inter-arrival gaps and think times
	luck     uint64    // from which the luck of its RPCs derives
	begun    uint64    // RPCs so far; the next one has this number
	requests uint64    // RPCs that it begins in all; begun <= requests
	// busy is the end of the CPU time for RPCs that take no time; see callCost.
	busy      sim.Time
	calls     []call        // slab of calls, by rpc.call - 1
	freeCalls []uint32      // calls that have ended
	gap       float64       // open loop: mean time between arrivals, in ns
	nextGap   time.Duration // open loop with Poisson arrivals: the gap after the next arrival
	offset    float64       // even arrivals: time from the group's start to the first, in ns
	think     dist.Distribution
}

// Events of a client. The argument is the handle of an RPC, save where a call stands.
const (
	clientArrive       sim.Kind = iota // an RPC begins; no argument
	clientDeadline                     // the deadline of an RPC passes
	clientReply                        // a reply arrives; rpc.status has its code
	clientBroken                       // the connection was reset under the RPC
	clientUnsent                       // the channel failed the RPC unsent; the reason is rpc.note
	clientDropped                      // the picker dropped the RPC; likewise
	clientCallDeadline                 // the deadline of a call passes; index of the call
	clientNextAttempt                  // its next attempt is due; index of the call
	clientBrokenBy                     // + a policies.Reason: the connection broke by that
)

const saltClient = 0x636c69656e74 // any constant would do

func newClient(w *World, g *ClientGroup, v *view, inGroup int) *client {
	n := len(w.clients)
	c := &client{
		w: w, k: w.k, number: int32(n), group: g, requests: g.requests(), think: orZero(g.Think),
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
	c.gap = 1e9 * float64(g.Count) / float64(g.Rate)
	c.offset = c.gap * float64(inGroup) / float64(g.Count)
	c.drawGap()
	w.k.At(c.nextArrival(start), c.id, clientArrive, 0)
	return c
}

// nextArrival returns when an open loop begins its next RPC. With even arrivals the clients of a
// group take turns, so the arrivals of the whole group are even.
func (c *client) nextArrival(now sim.Time) sim.Time {
	if c.group.Arrivals == EvenArrivals {
		since := c.offset + float64(float64(c.begun)*c.gap)
		return sim.Time(c.group.Start).Add(nanoseconds(since))
	}
	gap := c.nextGap
	c.drawGap()
	return now.Add(gap)
}

// drawGap draws the gap after the next arrival. Drawn early, its logarithm delays no branch.
func (c *client) drawGap() {
	c.nextGap = nanoseconds(sim.ExponentialQuantile(c.rand.Unit()) * c.gap)
}

// nanoseconds converts ns to a duration, at most sim.Never: a plain conversion of a larger float
// has a result that differs between CPUs.
func nanoseconds(ns float64) time.Duration {
	if ns < float64(sim.Never) {
		return time.Duration(ns)
	}
	return time.Duration(sim.Never)
}

// Handle handles the events of the client.
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
		// The deadline, or the end of a hedged call, may have come first.
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
	default: // clientBrokenBy + the reason
		why := policies.Reason(ev.Kind() - clientBrokenBy)
		c.sentEnded(h, ending{policies.Unavailable, why})
	}
}

// arrive begins an RPC. In an open loop it schedules the next arrival.
func (c *client) arrive() {
	if c.exhausted() {
		return // another caller began the last RPC
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
	if ch.balancer == nil { // the channel is idle
		ch.exitIdle()
	}
	if ch.calling.hedged {
		// A hedged RPC needs its call at once. With a retry policy the call is made later, if the
		// first attempt fails.
		c.beginCall(number)
		return
	}
	h := c.w.rpcs.new()
	r := c.w.rpcs.at(h)
	r.luck = sim.Mix(c.luck, number) // common random numbers: the policy has no influence
	r.start, r.client, r.holders = now, c.number, 1
	r.status, r.call = ch.calling.waits, ch.calling.call
	if t := c.w.cfg.Trace; t != nil {
		t.numbered(h, number)
	}
	// The deadline is scheduled first, so at equal times it comes before the reply.
	if d := ch.calling.timeout; d > 0 {
		r.deadline = c.k.SetTimeout(d, c.id, clientDeadline, uint32(h))
	}
	ch.pick(h)
}

// exhausted reports whether the client has begun all of its RPCs.
func (c *client) exhausted() bool { return c.begun >= c.requests }

// requests returns how many RPCs each client of the group begins in all; the largest number for no
// limit.
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

// sentEnded handles the end of an RPC or attempt that was sent. It has no effect if the deadline or
// a cancellation ended it earlier.
func (c *client) sentEnded(h handle, e ending) {
	if c.w.rpcs.at(h).state == rpcSent {
		c.channel.done(h, e)
		c.attemptEnded(h, e)
	}
	c.w.rpcs.release(h)
}

// attemptEnded handles the end of an RPC, or of an attempt of a call.
func (c *client) attemptEnded(h handle, e ending) {
	switch call := c.w.rpcs.at(h).call; {
	case call == noCallYet && e.code == policies.OK:
		// The first attempt was enough. Only the retry budget has to know that it was a call.
		c.channel.throttle.succeeded()
	case call != 0:
		c.callAttemptEnded(h, e)
		return
	}
	c.endRPC(h, e)
}

// timeOut handles the deadline of an RPC without a call.
func (c *client) timeOut(h handle) {
	r := c.w.rpcs.at(h)
	r.deadline = 0
	e := c.expired(h) // before giveUp changes the place of the RPC
	r.missed()
	waiting := c.giveUp(h, e.code)
	c.endRPC(h, e)
	if waiting {
		c.channel.dropEnded()
	}
}

// giveUp informs the picker and the backend that the client no longer waits for an RPC or attempt.
// It reports whether the RPC is still unsent; then the caller calls channel.dropEnded when the RPC
// has ended.
func (c *client) giveUp(h handle, code policies.Code) (waiting bool) {
	if c.w.rpcs.at(h).state == rpcWaiting {
		return true
	}
	c.channel.done(h, ending{code, policies.InFlight})
	c.channel.cancel(h)
	return false
}

// endRPC ends an RPC without a call.
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

// recordEnd records the end of an RPC that was sent so often. In a closed loop its caller
// begins the next one.
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
		c.k.After(c.thinkTime(start), c.id, clientArrive, 0)
	}
}

// callCost is the CPU time of the client for an RPC that otherwise takes no time, such as one that
// fails before it is sent. A gRPC client begins and ends some 60,000 RPCs per second that do go
// over the wire (ghz, 500 callers, one connection: 59,924, so 17 µs each). Making a call, picking
// and returning a status is the smaller part of that.
const callCost = 10 * time.Microsecond

// thinkTime returns how long a caller of a closed loop waits after an RPC. Without think time, RPCs
// that take no time would repeat for ever at one instant; so the client does them one after the
// other, each in callCost.
func (c *client) thinkTime(start sim.Time) time.Duration {
	think, now := c.think.Quantile(c.rand.Unit()), c.k.Now()
	if think > 0 || start < now {
		return think
	}
	c.busy = max(c.busy, now).Add(callCost)
	return c.busy.Sub(now)
}
