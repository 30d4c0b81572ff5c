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
	// Name is the name of the group in errors, warnings and traces.
	Name string
	// Count is how many clients the group has, 1 to 1000000; 1 by default.
	Count int `toml:"count"`

	// Rate is the arrival rate of the whole group in an open loop: RPCs begin whatever becomes of
	// earlier ones. 0 for a closed loop. At most 1e9 per second and client.
	Rate options.Rate `toml:"rate,omitzero"`
	// Arrivals is how the RPCs of an open loop are spaced: poisson (default) or even.
	Arrivals Arrivals `toml:"arrivals"`

	// Callers is the number of callers of each client in a closed loop: each begins an RPC, waits
	// for its end, thinks, and begins the next. 0 for an open loop, at most 1000000.
	Callers int `toml:"callers"`
	// Think is the think time of a caller; by default (nil or a constant 0) none. Without think
	// time, an RPC that takes no time costs its client 10 µs, one such RPC after the other.
	Think dist.Distribution `toml:"think"`

	// At is when each client begins its RPCs, after Start, if it has neither a rate nor callers.
	At []time.Duration

	// Start is when the group begins; 0 by default.
	Start time.Duration `toml:"start"`
	// Requests is how many RPCs each client begins in all; 0 (default) for no limit.
	Requests uint64 `toml:"requests"`
	// Method is the method of its RPCs, which selects their part of a service config;
	// "/lbsim.Service/Method" by default.
	Method string `toml:"method"`
	// Timeout is the deadline of each RPC, from its intended start; 0 (default) for none.
	Timeout time.Duration `toml:"timeout"`
	// WaitForReady makes RPCs wait while the channel is in TRANSIENT_FAILURE, where others fail. It
	// overrides the service config; by default (nil) the service config decides.
	WaitForReady *bool `toml:"wait_for_ready"`
	// Keys is the distribution of the keys of its RPCs, in the header KeyHeader, whose name is in
	// lower case; nil (default) for RPCs without keys.
	Keys      *Keys  `toml:"key"`
	KeyHeader string `toml:"key_header"`

	// Zone is where the group is; "" (default): nowhere.
	Zone string `toml:"zone"`
	// ZoneWeights are the zones that the control plane shows to the group, with their weights, > 0,
	// which replace those of the backends; empty (default) for all zones. Each is the zone of some
	// backends.
	ZoneWeights map[string]uint32 `toml:"zone_weights"`

	// IdleTimeout is the time without an RPC after which a channel closes its connections and
	// forgets the state of its policy; 30m by default, 0 for never.
	IdleTimeout time.Duration `toml:"idle_timeout"`
	// KeepaliveTime is the silence on a connection before the client sends a PING; less than 10s
	// counts as 10s, 0 (default) for no keepalive. KeepaliveTimeout is how long it waits then for
	// anything to read before it closes the connection, > 0; 20s by default.
	KeepaliveTime    time.Duration `toml:"keepalive_time"`
	KeepaliveTimeout time.Duration `toml:"keepalive_timeout"`
	// KeepaliveWithoutStream sends PINGs also while no RPC is on the connection; not by default.
	KeepaliveWithoutStream bool `toml:"keepalive_permit_without_stream"`

	// The following fields are from the service config of the clients (see Configure).

	// ServiceTimeout is the timeout of each RPC, from when it has its config; 0 for none. The
	// sooner deadline of this and Timeout counts.
	ServiceTimeout time.Duration
	// ServiceWait is its waitForReady.
	ServiceWait bool
	// Retry and Hedging are the retry or hedging policy, at most one of the two; nil for none.
	Retry   *serviceconfig.Retry
	Hedging *serviceconfig.Hedging
	// Throttle limits retries and hedging, by channel; nil for no limit.
	Throttle *serviceconfig.Throttle
	// HealthCheck makes clients watch the health of backends, if the policy uses it.
	HealthCheck bool
}

// SetDefaults sets the defaults of a file. Times are those of grpc-go v1.85.0.
func (g *ClientGroup) SetDefaults() {
	*g = ClientGroup{
		Count: 1, Think: dist.Constant(0), Method: "/lbsim.Service/Method",
		IdleTimeout: 30 * time.Minute, KeepaliveTimeout: 20 * time.Second,
	}
}

// WaitsForReady reports whether RPCs wait for ready.
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
		return wrong("max attempts must be from 2 to %d (is %d)", serviceconfig.MaxAttempts,
			r.MaxAttempts)("retry")
	case r != nil && (r.InitialBackoff < 0 || r.MaxBackoff < 0 || !(r.Multiplier > 0)):
		return wrong("backoffs must not be negative, and the multiplier must be greater than 0 "+
			"(are %v, %v and %v)", r.InitialBackoff, r.MaxBackoff, r.Multiplier)("retry")
	case h != nil && (h.MaxAttempts < 2 || h.MaxAttempts > serviceconfig.MaxAttempts):
		return wrong("max attempts must be from 2 to %d (is %d)", serviceconfig.MaxAttempts,
			h.MaxAttempts)("hedging")
	case h != nil && h.Delay < 0:
		return wrong("delay must not be negative (is %v)", h.Delay)("hedging")
	case t != nil && !(t.MaxTokens > 0 && t.MaxTokens <= 1000 && t.TokenRatio > 0):
		return wrong("max tokens must be greater than 0 and at most 1000, and the token ratio "+
			"greater than 0 (are %v and %v)", t.MaxTokens, t.TokenRatio)("throttle")
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
