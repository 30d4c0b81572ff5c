package models

import (
	"time"
)

// Backoff is the backoff of a SubConn between attempts to connect (in grpc-go, ConnectParams).
//
// Fields with a tag are the keys of [backoff] in an experiment, where they have the defaults of
// SetDefaults.
type Backoff struct {
	// Base is the wait after the first failed attempt, without jitter, > 0; 1s by default.
	Base time.Duration `toml:"base"`
	// Multiplier multiplies the wait after each further failed attempt, up to Max; 1 to 1e6; 1.6 by
	// default.
	Multiplier float64 `toml:"multiplier"`
	// Jitter makes a wait longer or shorter at random, by up to this part of it, after Max is
	// applied; 0 to 1; 0.2 by default.
	Jitter float64 `toml:"jitter"`
	// Max is the greatest wait before jitter, at least Base; 2m by default.
	Max time.Duration `toml:"max"`
	// MinConnectTimeout is the least timeout of an attempt, >= 0; 20s by default. The timeout is
	// the wait after the attempt if that is longer.
	MinConnectTimeout time.Duration `toml:"min_connect_timeout"`
}

// SetDefaults makes the backoff that of grpc-go v1.85.0 (backoff.DefaultConfig).
func (b *Backoff) SetDefaults() {
	*b = Backoff{
		Base: time.Second, Multiplier: 1.6, Max: 120 * time.Second, Jitter: 0.2,
		MinConnectTimeout: 20 * time.Second,
	}
}

// DefaultBackoff returns the backoff with its defaults.
func DefaultBackoff() (b Backoff) {
	b.SetDefaults()
	return b
}

// check returns what is wrong with the backoff, or nil.
func (b *Backoff) check() error {
	switch {
	case b.Base <= 0:
		return wrong("must be longer than 0s")("base")
	case !(b.Multiplier >= 1 && b.Multiplier <= 1e6):
		return wrong("must be from 1 to 1e6 (is %v)", b.Multiplier)("multiplier")
	case !(b.Jitter >= 0 && b.Jitter <= 1):
		return wrong("must be from 0 to 1 (is %v)", b.Jitter)("jitter")
	case b.Max < b.Base:
		return wrong("must be at least base, %v (is %v)", b.Base, b.Max)("max")
	case b.MinConnectTimeout < 0:
		return wrong("must not be negative (is %v)", b.MinConnectTimeout)("min_connect_timeout")
	}
	return nil
}

// after is how long to wait after an attempt that failed, if n had failed before it.
func (b *Backoff) after(n uint8, u float64) time.Duration {
	if n == 0 {
		return b.Base
	}
	d := grown(b.Base, b.Max, b.Multiplier, int(n))
	return nanoseconds(d * (1 + float64(b.Jitter*(float64(2*u)-1))))
}

// grown returns base·multiplierⁿ in nanoseconds, at most limit.
func grown(base, limit time.Duration, multiplier float64, n int) float64 {
	d := float64(base)
	for i := 0; i < n && d < float64(limit); i++ {
		d *= multiplier
	}
	return min(d, float64(limit))
}
