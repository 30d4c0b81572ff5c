package resolvers

import (
	"errors"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
)

// Push is a control plane that streams the list to each client (xDS, EDS): every change reaches
// each after a delay of its own.
type Push struct {
	// Backends are those that the control plane knows, in the order of the list; empty for all.
	Backends []string `toml:"backends"`
	// At takes the place of Backends where they change: the list, by the moment from which it is
	// good. Before the first of these moments RPCs wait.
	At map[string][]string `toml:"at"`
	// Lookup is the time until the channel has the list when it leaves idle.
	Lookup dist.Distribution `toml:"lookup"`
	// Delay is the time from a change to a client, drawn for each client and change.
	Delay dist.Distribution `toml:"delay"`
	// Follow takes backends out of the list while their process is down; else only At changes it.
	Follow bool `toml:"follow"`
}

// Doc says what the resolver does.
func (Push) Doc() string {
	return "a control plane: each change reaches each client after a delay of its own"
}

// Check refuses unknown backends and moments that are none or stand twice.
func (p Push) Check(c *models.Config) error {
	if err := checkLists("at", p.At, c); err != nil {
		return err
	}
	if len(p.At) > 0 && len(p.Backends) > 0 {
		return errors.New("backends: cannot stand beside at, which says it by the moment")
	}
	return checkWatch(p.Backends, p.Lookup, p.Delay, c)
}

// Start opens the stream.
func (p Push) Start(to models.ResolverConn) models.Resolution {
	script := lists(to, mustSteps("at", p.At))
	if len(script) == 0 {
		script = []step[[]int32]{{0, to.Backends(p.Backends)}}
	}
	w := &watch{to: to, lookup: p.Lookup, delay: p.Delay}
	w.effect = func(b models.Presence) (bool, time.Duration) { return b.Up || !p.Follow, 0 }
	w.content = func(listed func(int32) bool) ([]int32, bool) {
		list := at(script, to.Now(), nil)
		return those(list, listed), list != nil
	}
	w.start(momentsOf(script)...)
	return nil
}
