package grpcgo

import (
	"slices"
	"testing/synctest"
	"time"

	"lbsim/sim"
)

// Clock is the clock of a bubble of testing/synctest, kept at the time of a simulation. It is made
// inside the bubble, when the simulation begins, and told by [sim.Kernel.Follow].
type Clock struct {
	kernel  *sim.Kernel
	start   time.Time
	timer   *time.Timer
	wake    chan struct{} // a balancer wants something, which it has not been asked for
	bridges []*bridge
}

// NewClock returns the clock of the bubble around the caller, which follows that of k.
func NewClock(k *sim.Kernel) *Clock {
	c := &Clock{kernel: k, start: time.Now(), wake: make(chan struct{}, 1)}
	c.timer = time.NewTimer(0)
	<-c.timer.C
	k.Follow(c.follow)
	return c
}

func (c *Clock) join(b *bridge) {
	b.clock = c
	c.bridges = append(c.bridges, b)
}

func (c *Clock) leave(b *bridge) {
	c.bridges = slices.DeleteFunc(c.bridges, func(o *bridge) bool { return o == b })
}

// follow lets the time of the bubble pass, until to or until a timer or a goroutine of a balancer
// has made it ask for something. That is done at its moment.
func (c *Clock) follow(to sim.Time) {
	for {
		synctest.Wait()
		asked := false
		for _, b := range c.bridges {
			if b.asking() {
				asked = true
				c.kernel.AfterFunc(time.Since(c.start)-time.Duration(c.kernel.Now()), b.grant)
			}
		}
		rest := time.Duration(to) - time.Since(c.start)
		if asked || rest <= 0 {
			return
		}
		c.timer.Reset(rest)
		select {
		case <-c.timer.C:
		case <-c.wake:
			c.timer.Stop()
		}
	}
}

// stir says that a balancer wants something.
func (c *Clock) stir() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}
