package models

import (
	"time"

	"lbsim/models/dist"
	"lbsim/models/serviceconfig"
	"lbsim/options"
)

// ClientGroup is a number of equal clients. Each has a channel of its own. Fields with a tag are
// the keys of [clients.NAME] in an experiment; there, fields have the defaults of SetDefaults.
// Lengths of time are not negative.
type ClientGroup struct {
	Name string
	// Count is how many clients the group has, 1 to 1000000; 1 by default.
	Count int `toml:"count"`

	// Rate is how many RPCs per second the whole group begins, whatever becomes of those before: an
	// open loop. 0 for a closed loop. At most 1e9 per client.
	Rate options.Rate `toml:"rate,omitzero"`
	// Arrivals is how the RPCs of an open loop are spaced: poisson (default) or even.
	Arrivals Arrivals `toml:"arrivals"`

	// Callers is how many callers each client has, for a closed loop: each begins an RPC, waits for
	// its end, thinks, and begins the next. 0 for an open loop, at most 1000000.
	Callers int `toml:"callers"`
	// Think is how long a caller thinks; nil or a constant 0 (default): not at all. Where it does
	// not, and its RPC took no time, its client needs 10 µs for it, and for one such RPC after the
	// other.
	Think dist.Distribution `toml:"think"`

	// At is when each client begins its RPCs, after Start: where there is neither a rate nor a
	// caller.
	At []time.Duration

	// Start is when the group begins; 0 by default.
	Start time.Duration `toml:"start"`
	// Requests is how many RPCs each client begins in all; 0 (default) for no limit.
	Requests uint64 `toml:"requests"`
	// Method is what its RPCs call, by which they find their part of a service config;
	// "/lbsim.Service/Method" by default.
	Method string `toml:"method"`
	// Timeout is the deadline of each RPC, from its intended start; 0 (default) for none.
	Timeout time.Duration `toml:"timeout"`
	// WaitForReady keeps RPCs while the channel is in TRANSIENT_FAILURE instead of failing them, or
	// does not, whatever the service config says; nil (default): as the service config says.
	WaitForReady *bool `toml:"wait_for_ready"`
	// Keys are those of the RPCs, in the header KeyHeader, which has a name in small letters; nil
	// (default) where they have none.
	Keys      *Keys  `toml:"key"`
	KeyHeader string `toml:"key_header"`

	// Zone is where the group is; "" (default): nowhere.
	Zone string `toml:"zone"`
	// ZoneWeights are what the control plane tells the group of zones: their weights, > 0, in place
	// of [BackendGroup.ZoneWeight], and nothing of zones that are not among them; empty (default)
	// for all. Each is a zone of backends.
	ZoneWeights map[string]uint32 `toml:"zone_weights"`

	// IdleTimeout is after what time without an RPC a channel closes its connections and forgets
	// its policy's state; 30m by default, 0 for never.
	IdleTimeout time.Duration `toml:"idle_timeout"`
	// KeepaliveTime is how long a connection is silent before the client sends a PING; less than
	// 10s counts as 10s, 0 (default) for no keepalive. KeepaliveTimeout is how long it waits for a
	// sign of life then, > 0; 20s by default.
	KeepaliveTime    time.Duration `toml:"keepalive_time"`
	KeepaliveTimeout time.Duration `toml:"keepalive_timeout"`
	// KeepaliveWithoutStream sends PINGs also while there is no RPC on the connection; not by
	// default.
	KeepaliveWithoutStream bool `toml:"keepalive_permit_without_stream"`

	// Of the service config that the clients have of their own (see Configure):

	// ServiceTimeout is the deadline of each RPC, from when it has its config; 0 for none. The
	// sooner one of this and Timeout counts.
	ServiceTimeout time.Duration
	// ServiceWait is its waitForReady.
	ServiceWait bool
	// Retry and Hedging make RPCs be sent more than once, at most one of the two; nil for neither.
	Retry   *serviceconfig.Retry
	Hedging *serviceconfig.Hedging
	// Throttle bounds both, by channel; nil for no bound.
	Throttle *serviceconfig.Throttle
	// HealthCheck watches the health of each connection, where the policy listens to it.
	HealthCheck bool
}

// SetDefaults makes the group what it is where a file does not say. Times are those of grpc-go
// v1.85.0.
func (g *ClientGroup) SetDefaults() {
	*g = ClientGroup{
		Count: 1, Think: dist.Constant(0), Method: "/lbsim.Service/Method",
		IdleTimeout: 30 * time.Minute, KeepaliveTimeout: 20 * time.Second,
	}
}

// WaitsForReady reports whether RPCs wait where they would fail for want of a connection.
func (g *ClientGroup) WaitsForReady() bool {
	if g.WaitForReady != nil {
		return *g.WaitForReady
	}
	return g.ServiceWait
}

// Arrivals is how the RPCs of an open loop are spaced.
type Arrivals uint8

const (
	// PoissonArrivals makes the arrivals at each client a Poisson process.
	PoissonArrivals Arrivals = iota
	// EvenArrivals spaces the arrivals of the whole group evenly.
	EvenArrivals
)

var arrivals = []string{"poisson", "even"}

// String returns the arrivals as a user writes them.
func (a Arrivals) String() string { return word(a, arrivals) }

// MarshalText writes the arrivals so that they read back.
func (a Arrivals) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads arrivals.
func (a *Arrivals) UnmarshalText(text []byte) error {
	return readWord(a, "arrivals", text, arrivals)
}
