package resolvers

import (
	"fmt"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
)

// Etcd watches keys that servers put into etcd under a lease, which they renew. A server that stops
// gracefully revokes its lease, and its key is deleted at once. A server that crashes or is cut off
// does not renew its lease, and its key is deleted when the lease expires. The key is put again as
// soon as the server is back, or with the first renewal that gets through. A server that is mute,
// refuses connections or is NOT_SERVING renews its lease, so it stays listed.
//
// A renewal is due after a third of the lease and is sent at the client's next tick of 0.5s. etcd
// looks each 0.5s for expired leases. With a lease of 5s the key is deleted 3s to 5.5s after the
// crash.
//
// Source: go.etcd.io/etcd/client/v3, lease.go; server/lease/lessor.go.
//
// Left out: the order of keys (clients often use that of a Go map), updates without a change,
// failures of the watch itself, servers that do not put a deleted key again.
type Etcd struct {
	// Backends are those that put a key, in the order of the list; empty for all.
	Backends []string `toml:"backends"`
	// Lookup is the time until the channel has the keys that are there when it exits idle.
	Lookup dist.Distribution `toml:"lookup"`
	// Delay is the time from a change of the keys to the client, drawn for each.
	Delay dist.Distribution `toml:"delay"`
	// Lease is the time to live of a key that is not renewed, at least 2s (etcd grants no shorter
	// lease).
	Lease time.Duration `toml:"lease"`
}

// Doc implements [models.Resolver].
func (Etcd) Doc() string {
	return "watches keys: deleted when a server stops, or when its lease expires"
}

// Check refuses unknown backends and a lease that etcd would not grant.
func (e Etcd) Check(c *models.Config) error {
	if e.Lease < 2*time.Second {
		return fmt.Errorf("lease: must be at least 2s (is %v)", e.Lease)
	}
	if e.Lease > longest {
		return tooLong("lease", e.Lease)
	}
	return checkWatch(e.Backends, e.Lookup, e.Delay, c)
}

// Start implements [models.Resolver].
func (e Etcd) Start(to models.ResolverConn) models.Resolution {
	const tick = 500 * time.Millisecond
	lease := e.Lease
	renewal := (lease / 3).Truncate(tick) + tick
	w := &watch{to: to, lookup: e.Lookup, delay: e.Delay}
	w.probes = []probe{heartbeat(renewal, lease, tick)}
	w.content = listedOf(to.Backends(e.Backends))
	w.start()
	return nil
}
