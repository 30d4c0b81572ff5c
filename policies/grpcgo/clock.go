package grpcgo

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"

	"lbsim/sim"
)

// Clock is the clock of a bubble of testing/synctest, kept at the time of a simulation.
type Clock struct {
	start   time.Time // in the bubble, of the simulation
	timer   *time.Timer
	bridges []*bridge

	wake   chan struct{} // there are new ones among those asking
	any    atomic.Bool   // there are
	mu     sync.Mutex
	asking []*bridge // that want something, in a goroutine of their own
}

// newClock returns the clock of the bubble around the caller, where a simulation begins.
func newClock() *Clock {
	c := &Clock{start: time.Now(), wake: make(chan struct{}, 1), timer: time.NewTimer(0)}
	<-c.timer.C
	return c
}

func (c *Clock) add(b *bridge) { c.bridges = append(c.bridges, b) }

func (c *Clock) remove(b *bridge) {
	c.bridges = slices.DeleteFunc(c.bridges, func(o *bridge) bool { return o == b })
}

// close ends the balancers that are left.
func (c *Clock) close() {
	for len(c.bridges) > 0 {
		c.bridges[0].Close()
	}
}

// Follow lets the time of the bubble pass and reports whether it has come to be to. It has not if a
// balancer asks for something before, which a timer or a goroutine of its own has made it want:
// that is scheduled at its moment.
func (c *Clock) Follow(to sim.Time) bool {
	for !c.grantLater() {
		rest := time.Duration(to) - time.Since(c.start)
		if rest <= 0 {
			return true
		}
		c.timer.Reset(rest)
		select {
		case <-c.timer.C:
			return true
		case <-c.wake:
			c.timer.Stop()
		}
	}
	return false
}

// rest waits until all goroutines of the balancers have come to rest.
func (c *Clock) rest() {
	synctest.Wait()
	c.grantLater()
}

// ask takes down that a balancer wants something.
func (c *Clock) ask(b *bridge) {
	c.mu.Lock()
	c.asking = append(c.asking, b)
	c.any.Store(true)
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// grantLater has all that was asked for granted at the moment of the bubble, if anything was.
func (c *Clock) grantLater() bool {
	if !c.any.Load() {
		return false
	}
	c.mu.Lock()
	asking := c.asking
	c.asking = nil
	c.any.Store(false)
	c.mu.Unlock()
	for _, b := range asking {
		b.Host.AfterFunc(time.Since(c.start)-time.Duration(b.Host.Now()), b.grant)
	}
	return len(asking) > 0
}
