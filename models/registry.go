package models

import (
	"slices"

	"lbsim/sim"
)

// Presence is the condition of a backend from a moment on, as far as a service registry can detect
// it. How and when a registry detects it is up to the resolver.
type Presence struct {
	Up bool // its process runs and takes connections
	// Graceful reports whether the process signed off before it ended. One that was cut off did
	// not.
	Graceful bool
	// Cut reports whether all of its addresses are in black holes.
	Cut bool
	// Refuses reports whether all of its addresses outside of black holes refuse connections.
	Refuses bool
	// Mute reports whether it accepts connections and then sends nothing.
	Mute bool
	// NotServing reports whether its health is NOT_SERVING.
	NotServing bool
	// Since is when this condition began.
	Since sim.Time
	// Luck is the random word of this change, the same for all clients; 0 for the condition at the
	// beginning of the run.
	Luck uint64
}

// registry holds the conditions of all backends, with their history.
type registry struct {
	w       *World
	of      [][]Presence    // changes, by number of the backend, in order
	changes uint64          // of all backends; the luck of each derives from its number
	watches []registryWatch // resolvers that are notified of changes
}

type registryWatch struct {
	conn *resolverConn
	f    func(backend int32, p Presence)
}

const saltRegistry = 0x7265676973747279 // any constant would do

func newRegistry(w *World, backends int) registry {
	return registry{w: w, of: make([][]Presence, backends)}
}

// now returns the current condition of a backend.
func (r *registry) now(backend int32) Presence {
	if all := r.of[backend]; len(all) > 0 {
		return all[len(all)-1]
	}
	return Presence{Up: true}
}

// update records the condition of a backend if it has changed, and notifies the watches after the
// current event. graceful reports whether its process has just signed off.
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
		return // e.g. down for a second reason
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
