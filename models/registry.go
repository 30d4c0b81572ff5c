package models

import (
	"slices"

	"lbsim/sim"
)

// Presence is what the process of a backend did last, as far as a service registry may come to know
// of it: how and when it does is up to the resolver.
type Presence struct {
	Up bool
	// Graceful says that it took leave before it ended.
	Graceful bool
	Since    sim.Time
	// Luck is the random word of this change, the same for all clients; 0 for what has been so from
	// the beginning.
	Luck uint64
}

// registry knows which backends are there.
type registry struct {
	w       *World
	of      []Presence // by number of the backend
	changes uint64
	watches []registryWatch
}

type registryWatch struct {
	conn *resolverConn
	f    func(backend int32, p Presence)
}

const saltRegistry = 0x7265676973747279 // any constant would do

func newRegistry(w *World, backends int) registry {
	r := registry{w: w, of: make([]Presence, backends)}
	for i := range r.of {
		r.of[i].Up = true
	}
	return r
}

// left says that the process of a backend has ended: by a crash, or after it took leave.
func (r *registry) left(backend int32, graceful bool) {
	r.change(backend, Presence{Graceful: graceful})
}

// joined says that the process of a backend runs again.
func (r *registry) joined(backend int32) { r.change(backend, Presence{Up: true}) }

// change keeps the news, if it is any, and lets those who watch know when the present event is
// over.
func (r *registry) change(backend int32, p Presence) {
	if r.of[backend].Up == p.Up {
		return // down a second time, or not yet up as often as it went down
	}
	p.Since = r.w.k.Now()
	r.changes++
	p.Luck = sim.Mix(sim.Mix(r.w.cfg.Seed, saltRegistry), r.changes)
	r.of[backend] = p
	r.watches = slices.DeleteFunc(r.watches, func(o registryWatch) bool { return o.conn.closed })
	for _, o := range r.watches {
		o.conn.AfterFunc(0, func() { o.f(backend, p) })
	}
}
