package models

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"

	"lbsim/internal/nearest"
	"lbsim/models/dist"
	"lbsim/options"
	"lbsim/policies"
)

// Limits on what a world may hold, so that a slip of the pen does not eat the machine.
const (
	mostActors   = 1_000_000
	mostSubConns = 1<<31 - 1  // they have numbers
	mostSamples  = 50_000_000 // of in-flight: bins times backends
)

// Check returns what is wrong with the config as an [options.KeyError], or nil: then a run comes to
// its end. The key is that of an experiment's file, such as backends.pod.speed. In place of its
// name there, a failure has its number from 0, and the policy has "policy".
func (c *Config) Check() error {
	for _, check := range []func() error{
		c.checkTimes, c.checkClients, c.checkBackends, c.checkSize, c.checkL4, c.checkZones,
		c.checkNetwork, c.checkKinds,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// wrong returns an error about a key.
func wrong(format string, values ...any) func(key ...string) error {
	return func(key ...string) error { return options.Errorf(key, format, values...) }
}

// checkTimes checks the duration, the warm-up and the bin.
func (c *Config) checkTimes() error {
	switch {
	case c.Duration <= 0:
		return wrong("must be longer than 0s")("duration")
	case c.Warmup < 0:
		return wrong("must not be negative (is %v)", c.Warmup)("warmup")
	case c.Warmup >= c.Duration:
		return wrong("must be shorter than the duration, %v (is %v)",
			c.Duration, c.Warmup)("warmup")
	case c.Bin <= 0:
		return wrong("must be longer than 0s")("bin")
	}
	return options.Valid([]string{"addresses_and_keys"}, c.Texts)
}

// checkClients checks each group of clients, and their number.
func (c *Config) checkClients() error {
	channels := 0
	for i := range c.Clients {
		g := &c.Clients[i]
		if err := g.check(); err != nil {
			return options.Under([]string{"clients", g.Name}, err)
		}
		channels += g.Count
	}
	if len(c.Clients) == 0 {
		return wrong("there must be a group of clients, such as [clients.web]")("clients")
	}
	if channels > mostActors {
		return wrong("%d are too many: at most %d", channels, mostActors)("clients")
	}
	return nil
}

// checkBackends checks each group of backends, their names and their number.
func (c *Config) checkBackends() error {
	var names []string
	for i := range c.Backends {
		g := &c.Backends[i]
		if slices.Contains(names, g.Name) {
			return wrong("must be the name of one group (is that of two)")("backends", g.Name)
		}
		names = append(names, g.Name)
		if err := g.check(); err != nil {
			return options.Under([]string{"backends", g.Name}, err)
		}
	}
	if len(c.Backends) == 0 {
		return wrong("there must be a group of backends, such as [backends.fast]")("backends")
	}
	return nil
}

// checkSize refuses worlds that are too large.
func (c *Config) checkSize() error {
	channels, backends, addresses := 0, c.backendCount(), 0
	for i := range c.Clients {
		channels += c.Clients[i].Count
	}
	for i := range c.Backends {
		addresses += c.Backends[i].Count * len(c.Backends[i].labels())
	}
	bins := float64(c.Duration) / float64(min(c.Bin, c.Duration))
	switch {
	case backends > mostActors || channels*addresses > mostSubConns:
		return wrong("%d clients × %d addresses are too many SubConns: at most %d",
			channels, addresses, mostSubConns)("backends")
	case bins*float64(backends) > mostSamples:
		return wrong("makes %.0f bins of %d backends, which are too many: at most %d in all",
			math.Ceil(bins), backends, mostSamples)("bin")
	}
	return nil
}

// checkL4 checks each L4 balancer against those before it, and their number.
func (c *Config) checkL4() error {
	if len(c.L4) > MostL4 {
		return wrong("are %d, which are too many: at most %d", len(c.L4), MostL4)("l4")
	}
	for i := range c.L4 {
		if err := c.L4[i].check(c, c.L4[:i]); err != nil {
			return options.Under([]string{"l4", c.L4[i].Name}, err)
		}
	}
	return nil
}

// checkZones checks that each zone that clients name is one of backends, and that clients are in
// zones by which they rank.
func (c *Config) checkZones() error {
	var known []string
	for i := range c.Backends {
		if zone := c.Backends[i].Zone; zone != "" && !slices.Contains(known, zone) {
			known = append(known, zone)
		}
	}
	for i := range c.Clients {
		g := &c.Clients[i]
		for _, zone := range slices.Sorted(maps.Keys(g.ZoneWeights)) {
			if !slices.Contains(known, zone) {
				return wrong("no backends are in zone %q%s", zone, nearest.Hint(zone, known))(
					"clients", g.Name, "zone_weights", zone)
			}
		}
		if c.Rank == RankZone && g.Zone == "" {
			return wrong("must be given: the resolver ranks by zone")("clients", g.Name, "zone")
		}
	}
	return options.Valid([]string{"resolver", "rank"}, c.Rank)
}

// checkNetwork checks the network and the backoff.
func (c *Config) checkNetwork() error {
	if err := checkValues([]string{"network"}, c.Network); err != nil {
		return err
	}
	if c.Backoff == nil {
		return nil
	}
	return options.Under([]string{"backoff"}, c.Backoff.check())
}

// checkKinds checks the resolver, the failures and the policy.
func (c *Config) checkKinds() error {
	if missing(c.Resolver) {
		return wrong("must be given, such as resolvers.Static{}")("resolver")
	}
	if err := options.Valid([]string{"resolver", "order"}, c.Order); err != nil {
		return err
	}
	if err := checkKind([]string{"resolver"}, c.Resolver, c); err != nil {
		return err
	}
	for i, f := range c.Failures {
		key := []string{"failures", strconv.Itoa(i)}
		if missing(f) {
			return wrong("must not be nil")(key...)
		}
		if err := checkKind(key, f, c); err != nil {
			return err
		}
	}
	return c.CheckPolicy([]string{"policy"}, c.Policy)
}

// missing reports whether a kind is nil or a nil pointer.
func missing(kind any) bool {
	v := reflect.ValueOf(kind)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// checkKind checks the options of a kind for a config.
func checkKind(key []string, kind interface{ Check(*Config) error }, c *Config) error {
	if err := checkValues(key, kind); err != nil {
		return err
	}
	return options.Under(key, kind.Check(c))
}

// CheckPolicy returns what is wrong with the options of a policy that stands under a key, and of
// those inside it, for this config, or nil.
func (c *Config) CheckPolicy(key []string, p policies.Policy) error {
	if f, is := p.(policies.FromServiceConfig); is {
		p = f.Default
	}
	if missing(p) {
		return wrong("must be given, such as policies.RoundRobin{}")(key...)
	}
	if err := options.Valid(key, p); err != nil {
		return err
	}
	var err error
	options.Walk(key, p, func(key []string, _ policies.FromServiceConfig) {
		if err == nil {
			err = wrong("must be a policy of its own: this one cannot be inside another")(key...)
		}
	})
	options.Walk(key, p, func(key []string, inner policies.BackendNamer) {
		option, names := inner.BackendNames()
		for _, name := range names {
			if why := c.unknownBackend(name); why != nil && err == nil {
				err = &options.KeyError{Key: options.Sub(key, option), Err: why}
			}
		}
	})
	return err
}

// checkValues returns an error if a value, or one inside it, is none that a file can give.
func checkValues(key []string, v any) error {
	err := options.Valid(key, v)
	options.Walk(key, v, func(key []string, d dist.Distribution) {
		if m := d.Mean(); err == nil && !(m >= 0) {
			err = options.Errorf(key, "must not be negative (its mean is %vs)", m)
		}
	})
	return err
}
