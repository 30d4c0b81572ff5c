// Package serviceconfig reads a gRPC service config and makes of it what grpc-go makes of it: the
// same texts are refused, the same values come out, and what grpc-go ignores is ignored. Beside
// that it says of each field what lbsim does with it, which grpc-go keeps to itself.
//
// Source: grpc-go v1.85.0, service_config.go, internal/balancer/gracefulswitch/config.go and
// internal/resolver/dns (gRFCs A2, A6, A21). grpc-go knows a policy only if the program imports its
// package; lbsim takes the package of every policy that a config names as imported.
package serviceconfig

import (
	"strings"
	"time"

	"lbsim/policies"
)

// Config is a service config as a channel obeys it.
type Config struct {
	// Policy is the policy that grpc-go would run, with the options of the config.
	Policy policies.Policy
	// PolicyName is the name under which grpc-go has it, such as least_request_experimental.
	PolicyName string
	// Throttle limits the retries of the whole channel; nil: no limit.
	Throttle *Throttle
	// HealthService is the service whose health the client watches, "" the whole server; nil: none.
	HealthService *string
	// Fields says what becomes of each field, in the order of the text.
	Fields []Field
	// Entries are the entries of methodConfig that name anything, in the order of the text.
	Entries []Entry

	methods map[string]*Method // by "/service/method", "/service/" and ""
}

// Entry is an entry of methodConfig.
type Entry struct {
	Place int // in the list, from 0 on
	// Names are what it is for: "/service/method", "/service/" for all of a service, "" for all.
	Names  []string
	Method *Method
}

// Method is what a config says about a method.
type Method struct {
	// Timeout is the most an RPC may take, all its attempts included; the shorter one of this and
	// the application's own counts. Not negative; 0 means that it is over at once; nil: none.
	Timeout *time.Duration
	// WaitForReady reports whether an RPC waits where it would fail for want of a connection; nil:
	// the config does not say.
	WaitForReady *bool
	// MaxRequestBytes and MaxResponseBytes limit the messages, with whatever number the config has,
	// even a negative one; nil: the config does not say.
	MaxRequestBytes, MaxResponseBytes *int64
	// Retry says when an RPC is sent again; nil: never.
	Retry *Retry
	// Hedging says when an RPC is sent several times at once; nil: never. It is nil where Retry is
	// not.
	Hedging *Hedging
}

// Retry is a retryPolicy (gRFC A6).
type Retry struct {
	// MaxAttempts is how often an RPC is sent at most, the first time included, 2 to 5.
	MaxAttempts int
	// InitialBackoff and MaxBackoff bound the waits between attempts, before jitter; above 0.
	InitialBackoff, MaxBackoff time.Duration
	// Multiplier is by how much each wait is longer than the one before; above 0.
	Multiplier float64
	// Codes are the statuses after which an RPC is sent again; at least one.
	Codes Codes
}

// Hedging is a hedgingPolicy (gRFC A6). grpc-go has none; this goes beyond it.
type Hedging struct {
	// MaxAttempts is how often an RPC is sent at most, the first time included, 2 to 5.
	MaxAttempts int
	// Delay is the time between attempts, not negative; 0: all at once.
	Delay time.Duration
	// NonFatal are the statuses that do not end the RPC but bring the next attempt at once.
	NonFatal Codes
}

// Throttle is a retryThrottling (gRFC A6): failed attempts take a token each, RPCs that end well
// give a few back, and nothing is retried while no more than half of them are left.
type Throttle struct {
	// MaxTokens is how many there are, above 0 to 1000. In a config without methodConfig, in which
	// nothing is retried, grpc-go takes any number for either field.
	MaxTokens float64
	// TokenRatio is how many each RPC that ends well gives back, above 0.
	TokenRatio float64
}

// Codes is a set of status codes.
type Codes uint32

// Has reports whether the set holds a code.
func (c Codes) Has(code policies.Code) bool { return c>>code&1 != 0 }

// MaxAttempts is what grpc-go cuts retries down to unless the application says otherwise; A6 has
// the same number for hedging.
const MaxAttempts = 5

// Parse reads a service config. known finds a policy in the catalog, by its name there, and returns
// its prototype.
//
// An error is an [*Error]: one line that begins with the field. With it comes a Config that holds
// nothing but Fields, those that could be read.
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

// Method returns what the config says about a method with a name such as "/service/method". The
// entry for the method counts, else that for its service, else that for all, else an empty one:
// the first that there is, whole. It is never nil.
func (c *Config) Method(fullName string) *Method {
	service := fullName[:strings.LastIndexByte(fullName, '/')+1]
	for _, name := range []string{fullName, service, ""} {
		if m := c.methods[name]; m != nil {
			return m
		}
	}
	return &Method{}
}
