package models

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"lbsim/models/dist"
	"lbsim/options"
)

// BackendGroup is a number of equal backends, named GROUP/0, GROUP/1 and so on.
//
// Fields with a tag are the keys of [backends.NAME] in an experiment, where they have the defaults
// of SetDefaults. Lengths of time are not negative.
type BackendGroup struct {
	// Name has no slash and is the name of no other group.
	Name string
	// Count is how many backends the group has, 1 to 1000000; 1 by default.
	Count int `toml:"count"`
	// Addresses are where each listens, such as "ipv6" and "ipv4", in the resolver's order and
	// without repetitions; by default (nil) ipv4 alone. It is one endpoint with all of them, where
	// the resolver knows endpoints.
	Addresses []Label `toml:"addresses"`
	// Workers is the number of workers of each, 1 to 1000000; 1 by default. A worker serves one
	// request at a time.
	Workers int `toml:"workers"`
	// Discipline is the rule by which workers choose among requests; fifo by default.
	Discipline Discipline `toml:"discipline"`
	// Queue is how many requests may wait while all workers are busy, from 0 on; unbounded by
	// default. With lifo_preemptive and ps it is how many more requests than workers there may be.
	Queue QueueSize `toml:"queue"`
	// OnFull is the status of a request that finds the queue full: RESOURCE_EXHAUSTED (default) or
	// UNAVAILABLE.
	OnFull OnFull `toml:"on_full"`
	// Pushback is the pushback in that status (grpc-retry-pushback-ms): when the client may retry;
	// none by default.
	Pushback Pushback `toml:"pushback"`
	// Service is the service time: how long a request keeps one worker of speed 1. It must be
	// given.
	Service dist.Distribution `toml:"service"`
	// Speed divides the service time, > 0 and at most 1e6; 1 by default.
	Speed float64 `toml:"speed"`
	// OnCancel is what a backend does with a request when it learns that the client has given up:
	// finish (default) or stop.
	OnCancel OnCancel `toml:"on_cancel"`
	// OnExpired is what a worker does with a queued request whose deadline has passed: serve
	// (default) or drop.
	OnExpired OnExpired `toml:"on_expired"`

	// Weight is the weight of each backend for policies with weights, at least 1; 1 by default.
	Weight uint32 `toml:"weight"`
	// Zone is the zone of the backends; "" (default) for none.
	Zone string `toml:"zone"`
	// ZoneWeight is the weight of the zone beside other zones, at least 1; 1 by default.
	ZoneWeight uint32 `toml:"zone_weight"`
	// Path is the way to the backends through a tree of policies: the name of the child at each
	// level, not empty, the outermost first; empty by default.
	Path []string `toml:"path"`

	// ConnectCost is the work of a connection that the backend accepts; none by default (nil). It
	// keeps a worker as a request with that service time does. The handshake does not wait for it.
	ConnectCost dist.Distribution `toml:"connect_cost"`
	// MaxConnectionAge is the age at which a connection gets a GOAWAY, longer or shorter by up to
	// AgeJitter of it; 0 (default) for never. RPCs on it run on, for MaxConnectionAgeGrace at most
	// if that is not 0 (default).
	MaxConnectionAge      time.Duration `toml:"max_connection_age"`
	MaxConnectionAgeGrace time.Duration `toml:"max_connection_age_grace"`
	// AgeJitter is 0 to 1; 0.1 by default.
	AgeJitter float64 `toml:"max_connection_age_jitter"`
	// MaxConnectionIdle is for how long a connection may be without an RPC before it gets a GOAWAY;
	// 0 (default) for ever. A request whose client has given up counts while it is served.
	MaxConnectionIdle time.Duration `toml:"max_connection_idle"`
	// GoAwayChance is the chance, 0 (default) to 1, that the connection of an RPC gets a GOAWAY
	// just before the reply (kube-apiserver's goaway-chance).
	GoAwayChance float64 `toml:"goaway_chance"`
	// MaxStreams is how many RPCs may be on a connection at a time (MAX_CONCURRENT_STREAMS), at
	// most 1000000; 0 (default) for no limit. Further RPCs wait at the client for a stream of that
	// connection, even if others have free ones.
	MaxStreams int `toml:"max_concurrent_streams"`
	// PingMinTime is the least time between two PINGs of a client that the backend tolerates; 5m by
	// default.
	PingMinTime time.Duration `toml:"ping_min_time"`
	// PingWithoutStream tolerates PINGs at that rate also while no RPC is on the connection; by
	// default these must be two hours apart.
	PingWithoutStream bool `toml:"ping_permit_without_stream"`

	// LoadReport is how the backend reports its load (ORCA, gRFC A51); none by default.
	LoadReport LoadReport `toml:"load_report"`
	// LoadWindow is the time over which reports are averaged, at least 1ms with load reports; 1s by
	// default.
	LoadWindow time.Duration `toml:"load_window"`
	// LoadMinInterval is the least time between two reports out of band, at least 1ms with load
	// reports; 30s by default.
	LoadMinInterval time.Duration `toml:"min_reporting_interval"`
}

// SetDefaults sets the defaults of a file. Those about connections and LoadMinInterval are as in
// grpc-go v1.85.0. LoadWindow has no counterpart there: the application measures its load itself.
func (g *BackendGroup) SetDefaults() {
	*g = BackendGroup{
		Count: 1, Addresses: make([]Label, 1), // ipv4
		Workers: 1, Queue: Unbounded, Speed: 1, Weight: 1, ZoneWeight: 1,
		AgeJitter: 0.1, PingMinTime: 5 * time.Minute,
		LoadWindow: time.Second, LoadMinInterval: 30 * time.Second,
	}
}

// leastReporting keeps a slip of the pen from making a run endless.
const leastReporting = time.Millisecond

// check returns what is wrong with the group, or nil.
func (g *BackendGroup) check() error {
	switch {
	case strings.Contains(g.Name, "/"):
		return wrong("must not contain a slash: backend 2 of group a is a/2")()
	case g.Count < 1 || g.Count > mostActors:
		return wrong("must be from 1 to %d (is %d)", mostActors, g.Count)("count")
	case g.Addresses != nil && len(g.Addresses) == 0:
		return wrong(`must list at least one, such as ["ipv6", "ipv4"]`)("addresses")
	case g.Workers < 1 || g.Workers > mostActors:
		return wrong("must be from 1 to %d (is %d)", mostActors, g.Workers)("workers")
	case g.Service == nil:
		return wrong("needs a service time, such as service = \"exp(mean=10ms)\"")()
	case !(g.Speed > 0 && g.Speed <= 1e6):
		return wrong("must be greater than 0 and at most 1e6 (is %v)", g.Speed)("speed")
	}
	if err := CheckLabels(g.Addresses); err != nil {
		return wrong("%w", err)("addresses")
	}
	return cmp.Or(checkValues(nil, *g), g.checkPlace(), g.checkConnections())
}

func (g *BackendGroup) checkPlace() error {
	switch {
	case g.OnExpired == DropExpired && g.Discipline.StartsAtOnce():
		return wrong("has no effect with discipline %q, which begins each request at once",
			g.Discipline)("on_expired")
	case g.Weight == 0:
		return wrong("must be at least 1 (is 0)")("weight")
	case g.ZoneWeight == 0:
		return wrong("must be at least 1 (is 0)")("zone_weight")
	case slices.Contains(g.Path, ""):
		return wrong("must be names of children, such as [\"primary\"] (one is empty)")("path")
	}
	return nil
}

// checkConnections checks what the servers do with connections.
func (g *BackendGroup) checkConnections() error {
	switch {
	case !(g.AgeJitter >= 0 && g.AgeJitter <= 1):
		return wrong("must be from 0 to 1 (is %v)", g.AgeJitter)("max_connection_age_jitter")
	case g.MaxConnectionAgeGrace > 0 && g.MaxConnectionAge == 0:
		return wrong("needs a max_connection_age, such as \"10m\"")("max_connection_age_grace")
	case !(g.GoAwayChance >= 0 && g.GoAwayChance <= 1):
		return wrong("must be from 0 to 1 (is %v)", g.GoAwayChance)("goaway_chance")
	case g.MaxStreams < 0 || g.MaxStreams > mostActors:
		return wrong("must be from 1 to %d, or 0 for no limit (is %d)", mostActors,
			g.MaxStreams)("max_concurrent_streams")
	case g.LoadReport != 0 && g.LoadWindow < leastReporting:
		return wrong("must be at least %v (is %v)", leastReporting, g.LoadWindow)("load_window")
	case g.LoadReport != 0 && g.LoadMinInterval < leastReporting:
		return wrong("must be at least %v (is %v)", leastReporting,
			options.DurationText(g.LoadMinInterval))("min_reporting_interval")
	}
	return nil
}
