package models

import (
	"time"
)

// Backoff is how a SubConn spaces its attempts to connect (in grpc-go, ConnectParams).
type Backoff struct {
	// Base is how long it waits after the first attempt that failed: exactly, without jitter.
	Base time.Duration
	// Multiplier is how many times as long it waits after each further one, up to Max, >= 1.
	Multiplier float64
	Max        time.Duration
	// Jitter is by what part a wait is longer or shorter at random, 0 to 1. It comes after Max.
	Jitter float64
	// MinConnectTimeout is the least time that an attempt gets. It gets as long as the wait after
	// it if that is longer.
	MinConnectTimeout time.Duration
}

// DefaultBackoff is that of grpc-go v1.85.0 (backoff.DefaultConfig).
func DefaultBackoff() Backoff {
	return Backoff{
		Base: time.Second, Multiplier: 1.6, Max: 120 * time.Second, Jitter: 0.2,
		MinConnectTimeout: 20 * time.Second,
	}
}

// after is how long to wait after an attempt that failed, if n had failed before it.
func (b *Backoff) after(n uint8, u float64) time.Duration {
	if n == 0 {
		return b.Base
	}
	d := float64(b.Base)
	for i := uint8(0); i < n && d < float64(b.Max); i++ {
		d *= b.Multiplier
	}
	d = min(d, float64(b.Max))
	return time.Duration(d * (1 + float64(b.Jitter*(float64(2*u)-1))))
}
