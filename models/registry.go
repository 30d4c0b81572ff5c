package models

import (
	"slices"

	"lbsim/sim"
)

// Presence is how a backend is from a moment on, as far as a service registry may come to know of
// it: how and when a registry does is up to the resolver.
type Presence struct {
	Up bool // its process runs
	// Graceful says that the process took leave before it ended, and was not cut off then.
	Graceful bool
	// Cut says that each of its addresses is in a black hole, so nothing leaves or reaches it.
	Cut bool
	// Refuses says that none of its addresses that are not in a black hole accepts connections.
	Refuses bool
	// Mute says that it accepts connections and then says nothing.
	Mute bool
	// NotServing is what it says of its health.
	NotServing bool
	Since      sim.Time
	// Luck is the random word of this change, the same for all clients; 0 for what has been so from
	// the beginning.
	Luck uint64
}

// registry knows how backends are and have been.
type registry struct {
	w       *World
	of      [][]Presence // the changes of each backend, by its number
	changes uint64
	watches []registryWatch
}

type registryWatch struct {
	conn *resolverConn
	f    func(backend int32, p Presence)
}

const saltRegistry = 0x7265676973747279 // any constant would do

func newRegistry(w *World, backends int) registry {
	return registry{w: w, of: make([][]Presence, backends)}
}

// now is how a backend is according to what the registry knows.
func (r *registry) now(backend int32) Presence {
	if all := r.of[backend]; len(all) > 0 {
		return all[len(all)-1]
	}
	return Presence{Up: true}
}

// look sees whether anything has befallen a backend, keeps the news, and lets those who watch know
// when the present event is over. Graceful says that its process has just taken leave.
func (r *registry) update(backend int32, graceful bool) {
	old, b := r.now(backend), &r.w.backends[backend]
	p := Presence{Up: !b.down(), Mute: b.mutes > 0, NotServing: b.notServing > 0, Cut: true}
	p.Refuses = true
	for _, a := range r.w.addresses(backend) {
		way := &r.w.paths[a]
		p.Cut = p.Cut && way.cut > 0
		p.Refuses = p.Refuses && (way.cut > 0 || way.refuses > 0)
	}
	p.Refuses = p.Refuses && !p.Cut
	p.Graceful = !p.Up && (old.Graceful || old.Up && graceful && !p.Cut)
	p.Since, p.Luck = old.Since, old.Luck
	if p == old {
		return // down a second time, or not yet up as often as it went down
	}
	p.Since = r.w.k.Now()
	r.changes++
	p.Luck = sim.Mix(sim.Mix(r.w.cfg.Seed, saltRegistry), r.changes)
	r.of[backend] = append(r.of[backend], p)
	r.watches = slices.DeleteFunc(r.watches, func(o registryWatch) bool { return o.conn.closed })
	for _, o := range r.watches {
		o.conn.AfterFunc(0, func() { o.f(backend, p) })
	}
}
