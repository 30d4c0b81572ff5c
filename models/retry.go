package models

import (
	"time"

	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

const retryJitter = 0.2

// retryBackoff is how long to wait before retry n, counted from 0: InitialBackoff·Multiplierⁿ, at
// most MaxBackoff, and then ±20 % of that (grpc-go as of v1.69).
func retryBackoff(p *serviceconfig.Retry, n int, u float64) time.Duration {
	d := grown(p.InitialBackoff, p.MaxBackoff, p.Multiplier, n)
	return nanoseconds(d * (1 - retryJitter + float64(2*retryJitter*u)))
}

// retried says whether an attempt that failed is followed by another, or else whether only the
// number of attempts forbids it. It is not asked of drops, which are never retried. A server that
// says never costs a token whatever the code.
func retried(
	p *serviceconfig.Retry, code policies.Code, made int, t *throttle, push *time.Duration,
) (again, exhausted bool) {
	if never(push) {
		t.failed()
		return false, false
	}
	if !p.Codes.Has(code) {
		return false, false // and costs no token
	}
	open, more := t.failed(), made < p.MaxAttempts
	return open && more, open && !more
}

// never reports whether a server has said that there shall be no further attempt.
func never(push *time.Duration) bool { return push != nil && *push < 0 }

// throttle holds the tokens of a channel; nil lets everything pass. Every update of the resolver
// makes a new one, whether or not it changes anything, and RPCs keep theirs (grpc-go v1.85.0).
type throttle struct {
	policy *serviceconfig.Throttle
	tokens float64
}

func newThrottle(p *serviceconfig.Throttle) *throttle {
	if p == nil {
		return nil
	}
	return &throttle{p, p.MaxTokens}
}

// failed takes a token for a failed attempt and says whether there may be another.
func (t *throttle) failed() bool {
	if t == nil {
		return true
	}
	t.tokens = max(0, t.tokens-1)
	return t.open()
}

// open says whether further attempts may be made.
func (t *throttle) open() bool { return t == nil || t.tokens > t.policy.MaxTokens/2 }

// succeeded gives back a part of a token for an RPC that ended OK.
func (t *throttle) succeeded() {
	if t != nil {
		t.tokens = min(t.policy.MaxTokens, t.tokens+t.policy.TokenRatio)
	}
}
