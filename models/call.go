package models

import (
	"time"

	"lbsim/models/serviceconfig"
	"lbsim/policies"
	"lbsim/sim"
)

// call is an RPC that may be sent more than once. Each attempt is an rpc of its own. The first has
// the luck of the call, so it meets what it would meet without a retry policy; each further one has
// its own, so it meets other delays and makes other work.
//
// While an RPC is not hedged and nothing has gone wrong, its first attempt is all there is to know
// of it. Its call is made when that fails.
type call struct {
	luck     uint64
	start    sim.Time
	deadline sim.Timer // 0 where there is none
	next     sim.Timer // of the next attempt; 0 where none is scheduled
	number   uint64    // among the client's RPCs
	attempts [serviceconfig.MaxAttempts]handle
	running  int8   // how many of attempts
	sent     uint8  // how often those that are over were sent
	made     int8   // attempts that have begun, running or not
	backoffs int8   // since the call began, or since a server said when to try again
	never    bool   // no hedge may follow: a server has said so
	last     ending // of an attempt that failed

	// What the service config said when it began, one of the first two.
	retrying *serviceconfig.Retry
	hedging  *serviceconfig.Hedging
	throttle *throttle
	waits    rpcStatus // of its attempts: waitForReady or 0
}

// Salts for the luck of a call.
const (
	saltAttempt = 16  // + number of the attempt
	saltAgain   = 128 // + number of the retry
)

// unmade, in place of the place of a call, marks an rpc that is the first attempt of one which has
// not been made yet.
const noCallYet = ^uint32(0)

// called says whether there is a call that it is an attempt of.
func (r *rpc) hasCall() bool { return r.call != 0 && r.call != noCallYet }

// callOf returns the call of an attempt, made now if it has not been.
func (c *client) callOf(h handle) (i uint32) {
	r := c.w.rpcs.at(h)
	if r.call != noCallYet {
		return r.call - 1
	}
	return c.makeCall(h, c.due(r))
}

// due is when the deadline of an RPC comes, Never where it has none.
func (c *client) due(r *rpc) sim.Time {
	if r.deadline == 0 {
		return sim.Never
	}
	return c.k.Due(r.deadline)
}

// makeCall makes the call of an RPC that has begun, whose deadline it takes over.
func (c *client) makeCall(h handle, due sim.Time) (i uint32) {
	r := c.w.rpcs.at(h)
	i = c.newCall(r.luck, r.start, c.w.cfg.Trace.numberOf(h))
	if r.deadline != 0 {
		c.k.Cancel(r.deadline)
		r.deadline = 0
	}
	if due < sim.Never {
		c.calls[i].deadline = c.k.SetTimer(due.Sub(c.k.Now()), c.id, clientCallDeadline, i)
	}
	c.join(i, h)
	return i
}

// makeCalls makes those that have not been made, since the service config will be another.
func (c *client) makeCalls() {
	for h := range c.w.rpcs.rpcs {
		r := &c.w.rpcs.rpcs[h]
		if r.client == c.number && r.call == noCallYet && r.state != rpcEnded {
			c.callOf(handle(h))
		}
	}
}

// beginCall begins an RPC that is hedged.
func (c *client) beginCall(number uint64) {
	i := c.newCall(sim.Mix(c.luck, number), c.k.Now(), number)
	if d := c.channel.calling.timeout; d > 0 {
		c.calls[i].deadline = c.k.SetTimeout(d, c.id, clientCallDeadline, i)
	}
	c.attempt(i)
	c.hedge(i)
}

// newCall makes a call that obeys the service config of the moment.
func (c *client) newCall(luck uint64, start sim.Time, number uint64) (i uint32) {
	if n := len(c.freeCalls); n > 0 {
		i, c.freeCalls = c.freeCalls[n-1], c.freeCalls[:n-1]
	} else {
		i = uint32(len(c.calls))
		c.calls = append(c.calls, call{})
	}
	g := c.channel.group
	c.calls[i] = call{
		luck: luck, start: start, number: number,
		retrying: g.Retry, hedging: g.Hedging, throttle: c.channel.throttle,
		waits: c.channel.calling.waits,
	}
	return i
}

// attempt makes the first or a further attempt of a call.
func (c *client) attempt(i uint32) {
	k := &c.calls[i]
	h := c.w.rpcs.new()
	r := c.w.rpcs.at(h)
	r.luck, r.start, r.client, r.holders = k.luck, k.start, c.number, 1
	r.status = k.waits
	if k.made > 0 {
		r.luck = sim.Mix(k.luck, saltAttempt+uint64(k.made))
		r.status |= laterAttempt
		c.w.rpcs.extra[h].sentBefore = 0
	}
	c.join(i, h)
	if t := c.w.cfg.Trace; t != nil {
		t.numbered(h, k.number)
	}
	c.channel.pick(h)
}

// join makes an RPC the latest attempt of a call.
func (c *client) join(i uint32, h handle) {
	k, r := &c.calls[i], c.w.rpcs.at(h)
	r.call = i + 1
	k.attempts[k.running] = h
	k.running++
	k.made++
}

// hedge makes or schedules the next attempt of a call that is hedged.
func (c *client) hedge(i uint32) {
	p := c.calls[i].hedging
	if p == nil {
		return
	}
	for k := &c.calls[i]; int(k.made) < p.MaxAttempts && k.throttle.open(); {
		if p.Delay > 0 {
			k.next = c.k.SetTimeout(p.Delay, c.id, clientNextAttempt, i)
			return
		}
		c.attempt(i)
	}
}

// nextAttempt is when the backoff or the hedging delay is over.
func (c *client) nextAttempt(i uint32) {
	k := &c.calls[i]
	k.next = 0
	if k.hedging != nil && !k.throttle.open() {
		if k.running == 0 {
			c.endCall(i, k.last)
		}
		return
	}
	c.attempt(i)
	c.hedge(i)
}

// attemptOver is the end of an attempt that was not broken off: another follows, or the call ends.
func (c *client) callAttemptEnded(h handle, e ending) {
	r, i := c.w.rpcs.at(h), c.callOf(h)
	var push *time.Duration
	if e.reason == policies.BackendFull {
		push = c.w.backendOf(r).group.Pushback
	}
	c.removeAttempt(i, h)
	k := &c.calls[i]
	k.last = e
	switch {
	case e.code == policies.OK:
		k.throttle.succeeded()
	case e.reason == policies.DroppedByPolicy, e.reason == policies.BadServiceConfig:
	case k.retrying != nil:
		again, exhausted := retried(k.retrying, e.code, int(k.made), k.throttle, push)
		if again {
			c.retry(i, push)
			return
		}
		if exhausted {
			e.reason |= policies.Exhausted
		}
	case k.hedging.NonFatal.Has(e.code):
		if c.hedgeFailed(i, push) {
			return
		}
	case never(push):
		k.throttle.failed()
	}
	c.endCall(i, e)
}

// retry schedules the next attempt: when the server has said, after which backoff begins anew, or
// after a backoff.
func (c *client) retry(i uint32, push *time.Duration) {
	k := &c.calls[i]
	var after time.Duration
	if push != nil {
		after, k.backoffs = *push, 0
	} else {
		u := sim.Unit(sim.Mix(k.luck, saltAgain+uint64(k.made)))
		after = retryBackoff(k.retrying, int(k.backoffs), u)
		k.backoffs++
	}
	k.next = c.k.SetTimer(after, c.id, clientNextAttempt, i)
}

// hedgeFailed makes the next attempt of a hedged call in place of one that failed, at once or when
// the server has said, and says whether any is running or to come.
func (c *client) hedgeFailed(i uint32, push *time.Duration) bool {
	k := &c.calls[i]
	k.never = k.never || never(push)
	again := k.throttle.failed() && int(k.made) < k.hedging.MaxAttempts
	if k.next != 0 && (again || k.never) {
		c.k.Cancel(k.next)
		k.next = 0
	}
	switch {
	case !again || k.never:
	case push != nil:
		k.next = c.k.SetTimer(*push, c.id, clientNextAttempt, i)
	default:
		c.attempt(i)
		c.hedge(i)
	}
	return k.running > 0 || k.next != 0
}

// letGo takes an attempt from those that run.
func (c *client) removeAttempt(i uint32, h handle) {
	k := &c.calls[i]
	for n, other := range k.attempts[:k.running] {
		if other == h {
			k.running--
			copy(k.attempts[n:k.running], k.attempts[n+1:])
			break
		}
	}
	k.sent += c.w.rpcs.sent(h)
	c.w.rpcs.at(h).state = rpcEnded
	c.w.rpcs.release(h)
}

// callTimeOut ends a call whose deadline has come.
func (c *client) callTimeOut(i uint32) {
	k := &c.calls[i]
	k.deadline = 0
	e := ending{policies.DeadlineExceeded, policies.InBackoff}
	if k.running > 0 {
		e = c.expired(k.attempts[0])
	}
	for _, h := range k.attempts[:k.running] {
		c.w.rpcs.at(h).missed()
	}
	c.endCall(i, e)
}

// endCall is the end of a call. What still runs of it is cancelled.
func (c *client) endCall(i uint32, e ending) {
	k := &c.calls[i]
	fate := policies.Canceled
	if e.code == policies.DeadlineExceeded {
		fate = e.code
	}
	for k.running > 0 {
		h := k.attempts[0]
		waiting := c.giveUp(h, fate)
		c.removeAttempt(i, h)
		if waiting {
			c.channel.dropEnded()
		}
	}
	for _, t := range [...]sim.Timer{k.deadline, k.next} {
		if t != 0 {
			c.k.Cancel(t)
		}
	}
	c.freeCalls = append(c.freeCalls, i)
	c.recordEnd(k.start, k.number, k.sent, e)
}
