package models

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"lbsim/models/dist"
	"lbsim/models/serviceconfig"
	"lbsim/options"
	"lbsim/policies"
)

// ClientGroup is a number of equal clients. Each has a channel of its own.
//
// Fields with a tag are the keys of [clients.NAME] in an experiment, where they have the defaults
// of SetDefaults. Lengths of time are not negative.
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
	// Think is how long a caller thinks; by default (nil or a constant 0) not at all. Where it does
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
	// does not, whatever the service config says; by default (nil) as the service config says.
	WaitForReady *bool `toml:"wait_for_ready"`
	// Keys are those of the RPCs, in the header KeyHeader, which has a name in small letters; nil
	// (default) where they have none.
	Keys      *Keys  `toml:"key"`
	KeyHeader string `toml:"key_header"`

	// Zone is where the group is; "" (default): nowhere.
	Zone string `toml:"zone"`
	// ZoneWeights are what the control plane tells the group of zones: their weights, > 0, in place
	// of those of the backends, and nothing of zones that are not among them; empty (default)
	// for all. Each is the zone of some backends.
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

// check returns what is wrong with the group, or nil.
func (g *ClientGroup) check() error {
	switch {
	case g.Count < 1 || g.Count > mostActors:
		return wrong("must be from 1 to %d (is %d)", mostActors, g.Count)("count")
	case g.Callers < 0 || g.Callers > mostActors:
		return wrong("must be from 1 to %d (is %d)", mostActors, g.Callers)("callers")
	case g.Rate == 0 && g.Callers == 0 && len(g.At) == 0:
		return wrong("needs a rate, such as \"100/s\", for an open loop, or callers, " +
			"such as 10, for a closed loop")()
	case g.Rate > 0 && g.Callers > 0:
		return wrong("cannot stand beside rate: the rate of a closed loop results")("callers")
	case len(g.At) > 0 && (g.Rate > 0 || g.Callers > 0):
		return wrong("cannot stand beside rate or callers")("at")
	case g.Rate > 0 && float64(g.Rate)/float64(g.Count) > 1e9:
		return wrong("must be at most 1/ns for each client")("rate")
	}
	for _, at := range g.At {
		if at < 0 {
			return wrong("must not be negative (is %v)", at)("at")
		}
	}
	for _, zone := range slices.Sorted(maps.Keys(g.ZoneWeights)) {
		if g.ZoneWeights[zone] == 0 {
			return wrong("must be at least 1 (is 0): leave out a zone that should get nothing")(
				"zone_weights", zone)
		}
	}
	if g.KeepaliveTime > 0 && g.KeepaliveTimeout == 0 {
		return wrong("must be longer than 0s")("keepalive_timeout")
	}
	return cmp.Or(g.checkKey(), checkValues(nil, *g), g.checkService())
}

// checkKey refuses a key without a header and the other way round.
func (g *ClientGroup) checkKey() error {
	switch {
	case g.Keys == nil && g.KeyHeader == "":
		return nil
	case g.Keys == nil:
		return wrong("needs a key, such as \"uniform(n=1000)\", beside it")("key_header")
	case g.KeyHeader == "":
		return wrong("needs a key_header, such as \"x-session\", beside it")("key")
	case g.KeyHeader != strings.ToLower(g.KeyHeader):
		return wrong("must be in small letters (is %q)", g.KeyHeader)("key_header")
	}
	if err := policies.CheckHeader(g.KeyHeader); err != nil {
		return wrong("%w", err)("key_header")
	}
	return nil
}

// checkService checks what is of a service config, which is read from a text as a rule.
func (g *ClientGroup) checkService() error {
	switch r, h, t := g.Retry, g.Hedging, g.Throttle; {
	case g.ServiceTimeout < 0:
		return wrong("must not be negative (is %v)", g.ServiceTimeout)("service_timeout")
	case r != nil && h != nil:
		return wrong("cannot stand beside retry")("hedging")
	case r != nil && (r.MaxAttempts < 2 || r.MaxAttempts > serviceconfig.MaxAttempts):
		return wrong("max attempts must be from 2 to %d (are %d)", serviceconfig.MaxAttempts,
			r.MaxAttempts)("retry")
	case r != nil && (r.InitialBackoff < 0 || r.MaxBackoff < 0 || !(r.Multiplier > 0)):
		return wrong("backoffs must not be negative, and the multiplier must be greater than 0 "+
			"(are %v, %v and %v)", r.InitialBackoff, r.MaxBackoff, r.Multiplier)("retry")
	case h != nil && (h.MaxAttempts < 2 || h.MaxAttempts > serviceconfig.MaxAttempts):
		return wrong("max attempts must be from 2 to %d (are %d)", serviceconfig.MaxAttempts,
			h.MaxAttempts)("hedging")
	case h != nil && h.Delay < 0:
		return wrong("delay must not be negative (is %v)", h.Delay)("hedging")
	case t != nil && !(t.MaxTokens > 0 && t.MaxTokens <= 1000 && t.TokenRatio > 0):
		return wrong("max tokens must be above 0 to 1000, and the ratio above 0 (are %v and %v)",
			t.MaxTokens, t.TokenRatio)("throttle")
	}
	return nil
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
