package resolvers

import (
	"fmt"
	"time"

	"lbsim/internal/nearest"
	"lbsim/models"
	"lbsim/sim"
)

// probe describes the periodic probes by which a registry lists a backend: heartbeats of the
// backend or checks of it. Single probes are not events of the simulation: when a backend is
// delisted, and when it is listed again, is computed from the moments of its failures.
type probe struct {
	every time.Duration // period, > 0
	// timeout is how long a probe without an answer takes; it delays the next one.
	timeout time.Duration
	// fails is how many probes in a row must fail, >= 1. late is the time from the last of these to
	// the reaction of the registry; for a missing heartbeat, the rest of its validity.
	fails int
	late  time.Duration
	// lag is the period with which the registry looks for expired entries.
	lag time.Duration
	// restarts reports whether a new process is probed as soon as it begins; otherwise probes keep
	// their period.
	restarts bool
	// forget is how long a backend fails before its registration is deleted, until its process
	// restarts; 0 for never.
	forget time.Duration
	// failing reports whether the registry lists failing backends until it forgets them.
	failing bool
	// find returns what a probe finds.
	find func(p models.Presence) finding
}

// longest is the greatest time in the options of a registry: sums of several must not overflow.
const longest = 365 * 24 * time.Hour

func tooLong(option string, is time.Duration) error {
	return fmt.Errorf("%s: must be at most %v (is %v)", option, longest,
		is)
}

// finding is what a probe finds.
type finding uint8

const (
	passed       finding = iota
	failedAtOnce         // the probe fails without a timeout
	noAnswer             // the probe times out
	signedOff            // the backend has signed off from the registry
	notNoticed           // the registry learns nothing: its state stays
)

// heartbeat returns the probe of a heartbeat that the process of a backend sends.
func heartbeat(every, goodFor, lag time.Duration) probe {
	return probe{
		every: every, fails: 1, late: goodFor - every, lag: lag, restarts: true,
		find: func(p models.Presence) finding {
			switch {
			case p.Graceful:
				return signedOff
			case p.Up && !p.Cut:
				return passed
			}
			return failedAtOnce
		},
	}
}

// Check is the way in which a registry checks a backend: "tcp" (a connection is accepted), "http"
// (a request is answered, whatever the gRPC health), "grpc" (the health is SERVING), "ttl" (the
// process of the backend reports itself) or "none".
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

// answer returns what a check finds at a backend that is not cut off.
func (c Check) answer(p models.Presence) finding {
	switch {
	case p.Graceful:
		return signedOff
	case !p.Up || p.Refuses:
		return failedAtOnce
	case p.Mute && c != checkTCP:
		return noAnswer
	case p.NotServing && c == checkGRPC:
		return failedAtOnce
	}
	return passed
}

// acrossNetwork returns what a check from another machine finds.
func (c Check) acrossNetwork(p models.Presence) finding {
	if p.Cut && !p.Graceful {
		return noAnswer
	}
	return c.answer(p)
}

// registration is the state of one backend by one kind of probe, and its future without further
// changes.
type registration struct {
	begun       bool     // the backend has changed at least once
	up          bool     // its process runs
	found       finding  // of each probe until the next change
	nextProbe   sim.Time // when the next probe is due
	delistedAt  sim.Time // the backend is not listed in [delistedAt, relistedAt)
	relistedAt  sim.Time // Never where it is not relisted; >= delistedAt or Never
	forgottenAt sim.Time // when it is deregistered; Never if not
}

// saltLag makes the draw of the lag independent of that of the moment of the probe.
const saltLag = 0x6c6167

// listed reports whether the registry lists the backend at a moment from the last change on.
func (c *registration) listed(now sim.Time) bool {
	return now < c.delistedAt || now >= c.relistedAt
}

// change handles a change of the backend.
func (c *registration) change(b *probe, p models.Presence) {
	if !c.begun {
		*c = registration{
			begun: true, up: true,
			nextProbe: p.Since.Add(share(b.every, sim.Unit(p.Luck))),
		}
		c.register()
	}
	c.advance(b, p.Since)
	if p.Up && !c.up {
		c.processBegins(b, p)
	}
	c.up, c.found = p.Up, b.find(p)
	switch {
	case c.found == notNoticed:
	case c.found == signedOff:
		c.delistedAt, c.relistedAt, c.forgottenAt = min(c.delistedAt, p.Since), sim.Never, p.Since
	case c.found != passed:
		c.scheduleDelisting(b, p.Luck)
	case c.nextProbe <= c.delistedAt:
		c.register() // the failure was never detected
	case c.nextProbe < c.forgottenAt:
		c.relistedAt = c.nextProbe
	}
}

// register lists the backend for ever.
func (c *registration) register() {
	c.delistedAt, c.relistedAt, c.forgottenAt = sim.Never, sim.Never, sim.Never
}

// advance skips the probes before a moment.
func (c *registration) advance(b *probe, now sim.Time) {
	step := b.every
	if c.found == noAnswer {
		step = sim.Plus(step, b.timeout)
	}
	if c.nextProbe < now {
		passed := (now.Sub(c.nextProbe)-1)/step + 1
		c.nextProbe = c.nextProbe.Add(passed * step)
	}
	if c.relistedAt < now {
		c.register()
	}
}

// processBegins handles a restart of the backend. The new process registers itself if it is not
// registered.
func (c *registration) processBegins(b *probe, p models.Presence) {
	anew := c.forgottenAt <= p.Since
	switch {
	case b.restarts:
		c.nextProbe = p.Since
	case anew:
		c.nextProbe = p.Since.Add(share(b.every, sim.Unit(p.Luck)))
	}
	switch {
	case anew && b.failing:
		c.register()
	case anew:
		c.forgottenAt = sim.Never
	}
}

// scheduleDelisting computes when a backend that begins to fail is delisted, unless it is failing
// already.
func (c *registration) scheduleDelisting(b *probe, luck uint64) {
	if c.delistedAt != sim.Never {
		c.relistedAt = sim.Never
		return
	}
	wait := time.Duration(0)
	if c.found == noAnswer {
		wait = b.timeout
	}
	lag := share(b.lag, sim.Unit(sim.Mix(luck, saltLag)))
	more := sim.Times(b.fails-1, sim.Plus(b.every, wait))
	failed := c.nextProbe.Add(more).Add(wait).Add(b.late).Add(lag)
	if b.forget > 0 {
		c.forgottenAt = failed.Add(b.forget)
	}
	c.delistedAt = failed
	if b.failing {
		c.delistedAt = c.forgottenAt
	}
}
