package resolvers

import (
	"fmt"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/sim"
)

// Etcd watches the keys that servers have put into etcd. A server that takes leave revokes its
// lease, and its key is gone at once; one that crashes leaves it until the lease ends.
//
// Left out: the order of keys (clients often list them in that of a Go map), updates that change
// nothing, what happens when the watch itself breaks.
type Etcd struct {
	// Backends are those that put a key, in the order of the list; empty for all.
	Backends []string `toml:"backends"`
	// Lookup is the time until the channel has the keys that are there when it leaves idle.
	Lookup dist.Distribution `toml:"lookup"`
	// Delay is the time from a change of the keys to the client, drawn for each.
	Delay dist.Distribution `toml:"delay"`
	// Lease is the time to live of a key of which nobody takes care, at least 2s (etcd grants none
	// that is shorter).
	Lease models.Duration `toml:"lease"`
}

// Doc says what the resolver does.
func (Etcd) Doc() string {
	return "watches keys: gone at once when a server takes leave, with its lease when it crashes"
}

// Check refuses unknown backends and a lease that etcd would not grant.
func (e Etcd) Check(c *models.Config) error {
	if e.Lease < 2*second {
		return fmt.Errorf("lease: must be at least 2s (is %v)", time.Duration(e.Lease))
	}
	return checkWatch(e.Backends, e.Lookup, e.Delay, c)
}

// Start fetches the keys.
func (e Etcd) Start(to models.ResolverConn) models.Resolution {
	w := &watch{to: to, lookup: e.Lookup, delay: e.Delay, effect: e.effect}
	w.content = listedOf(to.Backends(e.Backends))
	w.start()
	return nil
}

func (e Etcd) effect(p models.Presence) (listed bool, after time.Duration) {
	if p.Up || p.Graceful {
		return p.Up, 0
	}
	return false, e.remains(sim.Unit(p.Luck))
}

// remains is how long a key outlives its server, for a uniform number u. The server renews the
// lease when a third of it has passed, give or take its tick of 0.5s, and etcd looks for leases
// that have ended each 0.5s: from 2/3 of the lease less 0.5s to the whole lease and 0.5s. With 5s:
// from 2.83s to 5.5s.
func (e Etcd) remains(u float64) time.Duration {
	const tick = 500 * time.Millisecond
	lease := time.Duration(e.Lease)
	least := lease*2/3 - tick
	return least + share(lease+tick-least, u)
}
