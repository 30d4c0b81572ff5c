package models

import (
	"time"

	"lbsim/sim"
)

// beginCall begins an RPC with a hedging policy.
func (c *client) beginCall(number uint64) {
	i := c.newCall(sim.Mix(c.luck, number), c.k.Now(), number)
	if d := c.channel.calling.timeout; d > 0 {
		c.calls[i].deadline = c.k.SetTimeout(d, c.id, clientCallDeadline, i)
	}
	c.attempt(i)
	c.hedge(i)
}

// hedge begins the next attempts of a hedged call, or schedules the next one after the hedging
// delay.
func (c *client) hedge(i uint32) {
	p := c.calls[i].hedging
	if p == nil {
		return
	}
	// Without a delay all attempts begin at once.
	for k := &c.calls[i]; int(k.made) < p.MaxAttempts && k.throttle.open(); {
		if p.Delay > 0 {
			k.next = c.k.SetTimeout(p.Delay, c.id, clientNextAttempt, i)
			return
		}
		c.attempt(i)
	}
}

// hedgeFailed handles a failed attempt of a hedged call. The next attempt begins at once, or after
// the pushback of the server. hedgeFailed reports whether an attempt is running or scheduled.
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

// nextAttempt handles the end of a backoff or hedging delay.
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
