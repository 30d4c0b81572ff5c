package resolvers

import (
	"fmt"
	"time"

	"lbsim/internal/nearest"
	"lbsim/models"
	"lbsim/sim"
)

// probe is what a registry goes by, again and again: a heartbeat that a backend sends, or a check
// that is made of it. No probe is an event of the simulation: when a backend leaves the list, and
// when it is back, follows from what befalls it and when.
type probe struct {
	every time.Duration // from one to the next, > 0
	// timeout is how long one that gets no answer takes; the next comes so much later.
	timeout time.Duration
	// fails is how many in a row must fail, >= 1, and late how long after the last of these the
	// registry acts: of a heartbeat, whose absence nobody sees, what is left of its time.
	fails int
	late  time.Duration
	// lag is the time from one look of the registry at what has run out to the next.
	lag time.Duration
	// restarts says that the first one comes as soon as the process of a backend begins; else they
	// go on as they were, whatever the process does.
	restarts bool
	// forget is how long a backend fails before its registration is gone, until its process begins
	// again; 0 for never.
	forget time.Duration
	// failing says that the registry lists what fails too, until it forgets it.
	failing bool
	// find is what one of them finds.
	find func(p models.Presence) finding
}

// longest is the most that a time of a registry may be: sums of several must fit.
const longest = 365 * 24 * time.Hour

func tooLong(option string, is time.Duration) error {
	return fmt.Errorf("%s: must be at most %v (is %v)", option, longest,
		is)
}

// finding is what a probe finds.
type finding uint8

const (
	well   finding = iota
	ill            // and that is known at once
	silent         // no answer
	left           // the backend has signed off from the registry
	unseen         // nothing that the registry hears of: what it has heard stays
)

// heartbeat is a probe that the process of a backend sends, and that is good for so long.
func heartbeat(every, goodFor, lag time.Duration) probe {
	return probe{
		every: every, fails: 1, late: goodFor - every, lag: lag, restarts: true,
		find: func(p models.Presence) finding {
			switch {
			case p.Graceful:
				return left
			case p.Up && !p.Cut:
				return well
			}
			return ill
		},
	}
}

// Check is how a registry checks a backend: by "tcp" (a connection is accepted), by "http" (a
// request is answered, whatever the backend's gRPC health is), by "grpc" (the backend says
// SERVING). By "ttl" the process of the backend reports itself. With "none" nobody looks.
type Check string

const (
	checkTCP  Check = "tcp"
	checkHTTP Check = "http"
	checkGRPC Check = "grpc"
	checkTTL  Check = "ttl"
	checkNone Check = "none"
)

// among returns an error unless the kind is one of these.
func (c Check) among(kinds ...Check) error {
	var known []string
	for _, k := range kinds {
		if k == c {
			return nil
		}
		known = append(known, string(k))
	}
	return fmt.Errorf("unknown check %q%s", c, nearest.Hint(string(c), known))
}

// answer is what a backend that is not cut off answers to a check.
func (c Check) answer(p models.Presence) finding {
	switch {
	case p.Graceful:
		return left
	case !p.Up || p.Refuses:
		return ill
	case p.Mute && c != checkTCP:
		return silent
	case p.NotServing && c == checkGRPC:
		return ill
	}
	return well
}

// acrossNetwork is what a check finds that is made from another machine.
func (c Check) acrossNetwork(p models.Presence) finding {
	if p.Cut && !p.Graceful {
		return silent
	}
	return c.answer(p)
}

// course is what has come of a probe of one backend, and what will if nothing more befalls it.
type course struct {
	begun bool
	up    bool     // the process runs
	found finding  // by all probes from now on
	next  sim.Time // when the next is due
	gone  sim.Time // the backend is not listed from then on ...
	back  sim.Time // ... until then
	lost  sim.Time // when its registration is gone
}

// saltLag tells the draw of the registry's lag from that of the probe's moment.
const saltLag = 0x6c6167

// listed reports whether the registry lists the backend at a moment from the last change on.
func (c *course) listed(now sim.Time) bool { return now < c.gone || now >= c.back }

// change takes in what has befallen the backend.
func (c *course) change(b *probe, p models.Presence) {
	if !c.begun {
		*c = course{begun: true, up: true, next: p.Since.Add(share(b.every, sim.Unit(p.Luck)))}
		c.register()
	}
	c.pass(b, p.Since)
	if p.Up && !c.up {
		c.begin(b, p)
	}
	c.up, c.found = p.Up, b.find(p)
	switch {
	case c.found == unseen:
	case c.found == left:
		c.gone, c.back, c.lost = min(c.gone, p.Since), sim.Never, p.Since
	case c.found != well:
		c.fail(b, p.Luck)
	case c.next <= c.gone:
		c.register() // before anybody has noticed
	case c.next < c.lost:
		c.back = c.next
	}
}

// register makes the backend listed without end.
func (c *course) register() { c.gone, c.back, c.lost = sim.Never, sim.Never, sim.Never }

// pass takes in the probes before a moment.
func (c *course) pass(b *probe, now sim.Time) {
	step := b.every
	if c.found == silent {
		step = sim.Plus(step, b.timeout)
	}
	if c.next < now {
		passed := (now.Sub(c.next)-1)/step + 1
		c.next = c.next.Add(passed * step)
	}
	if c.back < now {
		c.register()
	}
}

// begin is when the process of the backend begins again, and enters it in the registry unless it is
// there.
func (c *course) begin(b *probe, p models.Presence) {
	anew := c.lost <= p.Since
	switch {
	case b.restarts:
		c.next = p.Since
	case anew:
		c.next = p.Since.Add(share(b.every, sim.Unit(p.Luck)))
	}
	switch {
	case anew && b.failing:
		c.register()
	case anew:
		c.lost = sim.Never
	}
}

// fail says when the backend will be gone, where that is not decided yet: it was well until now.
func (c *course) fail(b *probe, luck uint64) {
	if c.gone != sim.Never {
		c.back = sim.Never
		return
	}
	wait := time.Duration(0)
	if c.found == silent {
		wait = b.timeout
	}
	lag := share(b.lag, sim.Unit(sim.Mix(luck, saltLag)))
	more := sim.Times(b.fails-1, sim.Plus(b.every, wait))
	failed := c.next.Add(more).Add(wait).Add(b.late).Add(lag)
	if b.forget > 0 {
		c.lost = failed.Add(b.forget)
	}
	c.gone = failed
	if b.failing {
		c.gone = c.lost
	}
}
