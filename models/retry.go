package models

import (
	"time"

	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

const retryJitter = 0.2

// retryBackoff returns how long to wait before retry n, counted from 0: min(MaxBackoff,
// InitialBackoff·Multiplierⁿ) ±20 % (grpc-go as of v1.69). u is uniform on (0, 1).
func retryBackoff(p *serviceconfig.Retry, n int, u float64) time.Duration {
	d := grown(p.InitialBackoff, p.MaxBackoff, p.Multiplier, n)
	return nanoseconds(d * (1 - retryJitter + float64(2*retryJitter*u)))
}

// retried reports whether a failed attempt is followed by another; if not, exhausted reports
// whether only the number of attempts forbids it. made is the number of attempts so far. The caller
// does not ask about drops, which are never retried. A negative pushback costs a token whatever the
// code.
func retried(
	p *serviceconfig.Retry, code policies.Code, made int, t *throttle, push *time.Duration,
) (again, exhausted bool) {
	if never(push) {
		t.failed()
		return false, false
	}
	if !p.Codes.Has(code) {
		return false, false // no token is taken
	}
	open, more := t.failed(), made < p.MaxAttempts
	return open && more, open && !more
}

// never reports whether a pushback forbids further attempts.
func never(push *time.Duration) bool { return push != nil && *push < 0 }

// throttle is the retry budget of a channel; nil allows everything. Every update of the resolver
// makes a new throttle, changed or not, and open RPCs keep theirs (grpc-go v1.85.0).
type throttle struct {
	policy *serviceconfig.Throttle
	tokens float64 // 0 to policy.MaxTokens; more than half of that allows retries
}

func newThrottle(p *serviceconfig.Throttle) *throttle {
	if p == nil {
		return nil
	}
	return &throttle{p, p.MaxTokens}
}

// failed takes a token for a failed attempt and reports whether further attempts are allowed.
func (t *throttle) failed() bool {
	if t == nil {
		return true
	}
	t.tokens = max(0, t.tokens-1)
	return t.open()
}

// open reports whether further attempts are allowed.
func (t *throttle) open() bool { return t == nil || t.tokens > t.policy.MaxTokens/2 }

// succeeded returns TokenRatio tokens for an RPC that ended OK.
func (t *throttle) succeeded() {
	if t != nil {
		t.tokens = min(t.policy.MaxTokens, t.tokens+t.policy.TokenRatio)
	}
}
