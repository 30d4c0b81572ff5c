package record

import "lbsim/sim"

// Capacity sums up over time how much work a backend can do.
type Capacity struct {
	rate    float64 // seconds of work, at speed 1, that it can do per second
	since   sim.Time
	sum     float64  // seconds of work
	changed sim.Time // when the rate did so for the last time
}

// Set says that from now on a backend can do rate seconds of work, at speed 1, per second.
func (c *Capacity) Set(now sim.Time, rate float64) {
	c.upTo(now)
	if rate != c.rate {
		c.rate, c.changed = rate, now
	}
}

func (c *Capacity) upTo(now sim.Time) {
	c.sum += float64(c.rate * now.Sub(c.since).Seconds())
	c.since = now
}

// start forgets the past, for instance the warm-up.
func (c *Capacity) start(now sim.Time) {
	c.upTo(now)
	c.sum = 0
}
