// Package serviceconfig reads a gRPC service config as grpc-go does: it refuses the same texts,
// returns the same values, and ignores what grpc-go ignores. In addition it reports what lbsim does
// with each field.
//
// Source: grpc-go v1.85.0, service_config.go, internal/balancer/gracefulswitch/config.go and
// internal/resolver/dns (gRFCs A2, A6, A21). grpc-go knows a policy only if the program imports its
// package; here all packages count as imported.
package serviceconfig

import (
	"strings"
	"time"

	"lbsim/policies"
)

// Config is a service config as a channel uses it.
type Config struct {
	// Policy is the policy that grpc-go would run, with the options of the config.
	Policy policies.Policy
	// PolicyName is the name of Policy in grpc-go, such as least_request_experimental.
	PolicyName string
	// Throttle limits the retries of the whole channel; nil: no limit.
	Throttle *Throttle
	// HealthService is the service whose health the client watches, "" the whole server; nil: none.
	HealthService *string
	// Fields has the verdict on each field, in the order of the text.
	Fields []Field
	// Entries are the entries of methodConfig that name anything, in the order of the text.
	Entries []Entry

	methods map[string]*Method // by "/service/method", "/service/" and ""
}

// Entry is an entry of methodConfig.
type Entry struct {
	Place int // in the list, from 0 on
	// Names are its methods: "/service/method", "/service/" for all of a service, "" for all.
	Names  []string
	Method *Method
}

// Method is the part of a config about a method.
type Method struct {
	// Timeout is the timeout of an RPC with all its attempts, not negative; the shorter one of this
	// and the application's own counts. 0 ends RPCs at once; nil for none.
	Timeout *time.Duration
	// WaitForReady reports whether RPCs wait for ready; nil if the config does not say.
	WaitForReady *bool
	// MaxRequestBytes and MaxResponseBytes limit messages. They may be negative; nil if the config
	// does not say.
	MaxRequestBytes, MaxResponseBytes *int64
	// Retry is the retry policy; nil for none.
	Retry *Retry
	// Hedging is the hedging policy; nil for none, and if Retry is not nil.
	Hedging *Hedging
}

// Retry is a retryPolicy (gRFC A6).
type Retry struct {
	// MaxAttempts is how often an RPC is sent at most, the first time included, 2 to 5.
	MaxAttempts int
	// InitialBackoff and MaxBackoff bound the waits between attempts, before jitter; above 0.
	InitialBackoff, MaxBackoff time.Duration
	// Multiplier is the ratio of each backoff to the one before; above 0.
	Multiplier float64
	// Codes are the statuses after which an RPC is sent again; at least one.
	Codes Codes
}

// Hedging is a hedgingPolicy (gRFC A6). grpc-go has none; this goes beyond it.
type Hedging struct {
	// MaxAttempts is how often an RPC is sent at most, the first time included, 2 to 5.
	MaxAttempts int
	// Delay is the time between attempts, not negative; with 0 all begin at once.
	Delay time.Duration
	// NonFatal are the statuses that do not end the RPC but cause the next attempt at once.
	NonFatal Codes
}

// Throttle is a retryThrottling (gRFC A6): each failed attempt takes a token, each RPC that ends OK
// returns some, and there are no retries while half of the tokens or fewer are left.
type Throttle struct {
	// MaxTokens is the number of tokens, above 0 to 1000. In a config without methodConfig, which
	// has no retries, grpc-go accepts any number for both fields.
	MaxTokens float64
	// TokenRatio is the number of tokens that each RPC that ends OK returns, above 0.
	TokenRatio float64
}

// Codes is a set of status codes.
type Codes uint32

// Has reports whether the set holds a code.
func (c Codes) Has(code policies.Code) bool { return c>>code&1 != 0 }

// MaxAttempts is the limit of grpc-go on attempts, unless the application sets another; A6 has the
// same limit for hedging.
const MaxAttempts = 5

// Parse reads a service config. known finds a policy in the catalog, by its name there, and returns
// its prototype.
//
// An error is an [*Error]: one line that begins with the field. The Config beside an error has only
// Fields, those that could be read.
func Parse(text []byte, known func(name string) (policies.Policy, bool)) (*Config, error) {
	r := &reader{known: known, places: make(map[string]int)}
	c := &Config{methods: make(map[string]*Method)}
	if root, ok := r.root(text); ok {
		r.config(root, c)
	}
	fields, err := r.verdict()
	if err != nil {
		return &Config{Fields: fields}, err
	}
	c.Fields = fields
	return c, nil
}

// Method returns the part of the config about a method such as "/service/method": the entry for the
// method, else that for its service, else that for all methods, else an empty one. Entries are not
// merged. The result is never nil.
func (c *Config) Method(fullName string) *Method {
	service := fullName[:strings.LastIndexByte(fullName, '/')+1]
	for _, name := range []string{fullName, service, ""} {
		if m := c.methods[name]; m != nil {
			return m
		}
	}
	return &Method{}
}
