package resolvers

import (
	"errors"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/sim"
)

// Consul lists the instances whose health check passes, by a blocking query that returns when the
// list has changed. Each instance is checked at an interval, from a random moment on.
//
// Left out: checks that fail while the process lives, and that a blocking query also returns when
// nothing has changed, which no policy but round_robin's turn would notice.
type Consul struct {
	// Backends are the instances, in the order of the list; empty for all.
	Backends []string `toml:"backends"`
	// Lookup is the time until the channel has the list when it leaves idle.
	Lookup dist.Distribution `toml:"lookup"`
	// Delay is the time from a change of the list to the client, drawn for each.
	Delay dist.Distribution `toml:"delay"`
	// Interval is the time between two checks of an instance, > 0. A crash is noticed by the next,
	// and so is the return of an instance, which counts as failing until its first check.
	Interval models.Duration `toml:"check_interval"`
	// Passing lists only instances whose check passes; else all that are registered.
	Passing bool `toml:"only_passing"`
	// DeregisterAfter is how long a check fails before the instance is no longer registered, 0 for
	// never. It matters where failing instances are listed too.
	DeregisterAfter models.Duration `toml:"deregister_critical_after"`
}

// Doc says what the resolver does.
func (Consul) Doc() string {
	return "lists what passes its health check; crash and return are noticed by the next check"
}

// Check refuses unknown backends and checks without interval.
func (x Consul) Check(c *models.Config) error {
	if x.Interval <= 0 {
		return errors.New("check_interval: must be longer than 0s")
	}
	return checkWatch(x.Backends, x.Lookup, x.Delay, c)
}

// Start asks for the list.
func (x Consul) Start(to models.ResolverConn) models.Resolution {
	w := &watch{to: to, lookup: x.Lookup, delay: x.Delay, effect: x.effect}
	w.content = listedOf(to.Backends(x.Backends))
	w.start()
	return nil
}

func (x Consul) effect(p models.Presence) (listed bool, after time.Duration) {
	noticed := share(time.Duration(x.Interval), sim.Unit(p.Luck))
	switch {
	case !p.Up && p.Graceful, p.Luck == 0:
		return p.Up, 0
	case x.Passing:
		return p.Up, noticed
	case p.Up:
		return true, 0
	case x.DeregisterAfter > 0:
		return false, noticed + time.Duration(x.DeregisterAfter)
	}
	return true, 0
}
