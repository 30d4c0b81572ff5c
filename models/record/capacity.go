package record

import "lbsim/sim"

// Capacity integrates the capacity of a backend over time.
type Capacity struct {
	rate    float64 // current capacity, in seconds of work at speed 1 per second
	since   sim.Time
	sum     float64  // seconds of work
	changed sim.Time // when the rate last changed
}

// Set sets the capacity of a backend from now on, in seconds of work at speed 1 per second.
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

// start restarts the integral, at the end of the warm-up.
func (c *Capacity) start(now sim.Time) {
	c.upTo(now)
	c.sum = 0
}
