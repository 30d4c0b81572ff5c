package models

import (
	"time"

	"lbsim/policies"
)

// Retry is a retry policy (gRFC A6): a failed attempt with one of the codes is followed by another
// after a backoff.
type Retry struct {
	// MaxAttempts is how many there are at most, the first included: 2 to 5.
	MaxAttempts int
	// The backoff before retry n, from 0 on, is InitialBackoff·Multiplierⁿ, at most MaxBackoff,
	// and then ±20 % of that (grpc-go as of v1.69).
	InitialBackoff, MaxBackoff time.Duration
	Multiplier                 float64
	Codes                      CodeSet // those that are worth another attempt
}

// Hedging is a hedging policy (gRFC A6), which grpc-go does not have: further attempts begin while
// those before still run; the first good answer wins.
type Hedging struct {
	// MaxAttempts is how many there are at most, the first included: 2 to 5.
	MaxAttempts int
	// Delay is the time from one attempt to the next; 0 for all at once.
	Delay time.Duration
	// NonFatal are the codes after which the others go on, and the next begins at once. Any other
	// ends the RPC.
	NonFatal CodeSet
}

// Throttling is the retry throttling of a channel (gRFC A6): a failed attempt costs a token, an RPC
// that ends OK brings back TokenRatio, and with half of MaxTokens or less there are no retries.
type Throttling struct {
	MaxTokens  float64 // > 0, at most 1000
	TokenRatio float64 // > 0
}

// CodeSet is a set of status codes.
type CodeSet uint32

// NewCodeSet returns the set of these codes.
func NewCodeSet(codes ...policies.Code) CodeSet {
	var s CodeSet
	for _, c := range codes {
		s |= 1 << c
	}
	return s
}

// Has says whether a code is in the set.
func (s CodeSet) Has(c policies.Code) bool { return s>>c&1 != 0 }

// MaxAttempts is how many attempts an RPC has at most, whatever its policy says.
const MaxAttempts = 5

const retryJitter = 0.2

// backoff is how long to wait before retry n, counted from 0.
func (p *Retry) backoff(n int, u float64) time.Duration {
	d := float64(p.InitialBackoff)
	for i := 0; i < n && d < float64(p.MaxBackoff); i++ {
		d *= p.Multiplier
	}
	d = min(d, float64(p.MaxBackoff))
	return nanoseconds(d * (1 - retryJitter + float64(2*retryJitter*u)))
}

// again says whether an attempt that failed is followed by another, and after what time. It is not
// asked of drops, which are never retried.
func (p *Retry) again(
	code policies.Code, made int, t *throttle, u float64,
) (after time.Duration, again bool) {
	if !p.Codes.Has(code) {
		return 0, false // and costs no token
	}
	if !t.failed() || made >= p.MaxAttempts {
		return 0, false
	}
	return p.backoff(made-1, u), true
}

// throttle holds the tokens of a channel; without a policy it lets everything pass.
type throttle struct {
	policy *Throttling
	tokens float64
}

// fill is what every update of the resolver does (grpc-go v1.85.0), whether or not it changes
// anything.
func (t *throttle) fill() {
	if t.policy != nil {
		t.tokens = t.policy.MaxTokens
	}
}

// failed takes a token for a failed attempt and says whether there may be another.
func (t *throttle) failed() bool {
	if t.policy == nil {
		return true
	}
	t.tokens = max(0, t.tokens-1)
	return t.open()
}

// open says whether further attempts may be made.
func (t *throttle) open() bool { return t.policy == nil || t.tokens > t.policy.MaxTokens/2 }

// succeeded gives back a part of a token for an RPC that ended OK.
func (t *throttle) succeeded() {
	if t.policy != nil {
		t.tokens = min(t.policy.MaxTokens, t.tokens+t.policy.TokenRatio)
	}
}
