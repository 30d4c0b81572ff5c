package models

import (
	"time"

	"lbsim/models/serviceconfig"
	"lbsim/policies"
	"lbsim/sim"
)

// call is an RPC that may have several attempts, by a retry or hedging policy. Each attempt is an
// rpc of its own. The first attempt has the luck of the call, so it meets what it would meet
// without a retry policy. Each further attempt has its own luck.
//
// States:
//
//	state            fields                            next
//	not yet made     rpc.call of its only attempt is   running, or ended without a record
//	                 noCallYet
//	running          running > 0; next may be set      running, in backoff, ended
//	                 (hedging delay)
//	in backoff       running == 0, next != 0           running, ended (deadline, or
//	                                                   throttling of hedging)
//	ended            in client.freeCalls               used again for another call
//
// An RPC with a retry policy and without hedging is "not yet made" until its first attempt fails.
// Invariant: running <= made <= MaxAttempts of its policy.
type call struct {
	luck     uint64
	start    sim.Time  // intended start of the RPC
	deadline sim.Timer // 0 for none
	next     sim.Timer // of the next attempt: end of the backoff or hedging delay; 0 for none
	number   uint64    // of the RPC, among those of the client
	// attempts[:running] are the attempts that have not ended, the oldest first.
	attempts [serviceconfig.MaxAttempts]handle
	running  int8
	sent     uint8  // how often its ended attempts were sent, transparent retries included
	made     int8   // attempts begun so far
	backoffs int8   // backoffs since the call began or since the last pushback
	never    bool   // a server has forbidden further hedges (negative pushback)
	last     ending // of the latest attempt that failed; the result if no attempt follows

	// What the service config said when the call began. At most one of the first two is set.
	retrying *serviceconfig.Retry
	hedging  *serviceconfig.Hedging
	throttle *throttle
	waits    rpcStatus // flags of its attempts: waitForReady or 0
}

// Salts for the luck of a call.
const (
	saltAttempt = 16  // + number of the attempt
	saltAgain   = 128 // + number of the retry
)

// noCallYet, as rpc.call, marks the first attempt of a call whose record has not been made.
const noCallYet = ^uint32(0)

// hasCall reports whether the RPC is an attempt of a call that has a record.
func (r *rpc) hasCall() bool { return r.call != 0 && r.call != noCallYet }

// callOf returns the index of the call of an attempt. It makes the record if there is none yet.
func (c *client) callOf(h handle) (i uint32) {
	r := c.w.rpcs.at(h)
	if r.call != noCallYet {
		return r.call - 1
	}
	return c.makeCall(h, c.due(r))
}

// due returns the deadline of an RPC, or Never.
func (c *client) due(r *rpc) sim.Time {
	if r.deadline == 0 {
		return sim.Never
	}
	return c.k.Due(r.deadline)
}

// makeCall makes the record of a call from its first attempt. The deadline moves to the call.
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

// makeCalls makes the records of all open calls that have none. It runs before the service config
// changes, for a call keeps the config with which it began.
func (c *client) makeCalls() {
	for h := range c.w.rpcs.rpcs {
		r := &c.w.rpcs.rpcs[h]
		if r.client == c.number && r.call == noCallYet && r.state != rpcEnded {
			c.callOf(handle(h))
		}
	}
}

// newCall returns the index of a new call with the current service config.
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

// attempt begins the next attempt of a call.
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

// join adds an RPC to a call as its latest attempt.
func (c *client) join(i uint32, h handle) {
	k, r := &c.calls[i], c.w.rpcs.at(h)
	r.call = i + 1
	k.attempts[k.running] = h
	k.running++
	k.made++
}

// callAttemptEnded handles the end of an attempt that the client did not cancel: another attempt
// follows, or the call ends.
func (c *client) callAttemptEnded(h handle, e ending) {
	r, i := c.w.rpcs.at(h), c.callOf(h)
	var push *time.Duration
	if e.reason == policies.BackendFull {
		push = c.w.backendOf(r).group.Pushback.toStatus()
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

// retry schedules the next attempt: after the pushback of the server, which also restarts the
// sequence of backoffs, or else after a backoff.
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

// removeAttempt ends an attempt and removes it from the running ones.
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

// callTimeOut handles the deadline of a call.
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

// endCall ends a call with a result and cancels its running attempts.
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
