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
	start   time.Time // when the simulation began, by the clock of the bubble
	timer   *time.Timer
	bridges []*bridge // that are not closed

	wake   chan struct{} // a bridge was added to asking
	any    atomic.Bool   // asking is not empty
	mu     sync.Mutex
	asking []*bridge // with wishes from goroutines of their own
}

// newClock returns the clock of the caller's bubble, in which a simulation begins.
func newClock() *Clock {
	c := &Clock{start: time.Now(), wake: make(chan struct{}, 1), timer: time.NewTimer(0)}
	<-c.timer.C
	return c
}

func (c *Clock) add(b *bridge) { c.bridges = append(c.bridges, b) }

func (c *Clock) remove(b *bridge) {
	c.bridges = slices.DeleteFunc(c.bridges, func(o *bridge) bool { return o == b })
}

// close closes the balancers that are not closed yet.
func (c *Clock) close() {
	for len(c.bridges) > 0 {
		c.bridges[0].Close()
	}
}

// Follow lets time pass in the bubble and reports whether that is now at to. It is not if a timer
// or a goroutine of a balancer has a wish before: then the wish is scheduled for its moment.
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

// rest waits until all goroutines of the balancers are blocked.
func (c *Clock) rest() {
	synctest.Wait()
	c.grantLater()
}

// ask records that a balancer has wishes.
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

// grantLater schedules the wishes for the moment of the bubble, and reports whether there are any.
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
