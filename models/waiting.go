package models

// The RPCs that wait at a channel: for a picker, or for another pick when their connection drained.

// wait makes an RPC wait for the next picker.
func (c *channel) wait(h handle) {
	c.w.rpcs.at(h).holders++ // the list waiting
	c.waiting = append(c.waiting, h)
}

// dropEnded records that a waiting RPC has ended. When half of the waiting RPCs have, and at least
// 16, it removes all of these.
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

// repick asks the new picker about the waiting RPCs, in order of arrival.
func (c *channel) repick() {
	// RPCs that have to wait again are appended to another array, while this one is read.
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

// pickAgain picks again for the RPCs in repicks.
func (c *channel) pickAgain() {
	again := c.repicks
	c.repicks = nil
	for _, h := range again {
		if c.w.rpcs.at(h).state == rpcWaiting {
			c.pick(h)
		}
		c.w.rpcs.release(h)
	}
}
