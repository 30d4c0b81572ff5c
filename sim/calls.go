package sim

import "time"

// Call is a scheduled call of a function, made by [Kernel.AfterFunc].
type Call struct {
	k     *Kernel
	f     func()
	timer Timer // zero once made or stopped
	slot  uint32
}

// AfterFunc calls f d from now. It is for what happens rarely (the tick of a policy, the script of
// a failure); what happens for each RPC is an event.
func (k *Kernel) AfterFunc(d time.Duration, f func()) *Call {
	c := &Call{k: k, f: f}
	c.slot = k.calls.add(c)
	c.timer = k.SetTimer(d, k.calls.id, 0, c.slot)
	return c
}

// Stop takes the call back and reports whether it was still to come.
func (c *Call) Stop() bool {
	if c.timer == 0 {
		return false
	}
	c.k.calls.take(c.slot)
	c.k.Cancel(c.timer)
	c.timer = 0
	return true
}

// calls is the actor that makes the calls of AfterFunc.
type calls struct {
	id   ID
	open []*Call
	free []uint32
}

// add stores a call in a free slot and returns the slot.
func (c *calls) add(call *Call) uint32 {
	if n := len(c.free); n > 0 {
		slot := c.free[n-1]
		c.free = c.free[:n-1]
		c.open[slot] = call
		return slot
	}
	c.open = append(c.open, call)
	return uint32(len(c.open) - 1)
}

// take removes the call of a slot, which is free then.
func (c *calls) take(slot uint32) *Call {
	call := c.open[slot]
	c.open[slot] = nil
	c.free = append(c.free, slot)
	return call
}

// Handle makes the call.
func (c *calls) Handle(ev Event) {
	call := c.take(ev.Arg)
	call.timer = 0
	call.f()
}
