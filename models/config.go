// Package models is the machine that is simulated: clients, their channels and SubConns, the
// network and the backends.
//
// What goes down (client, channel, picker, network) is a call; what comes back is an event, a
// letter addressed to an actor. The client owns each of its RPCs: every answer is addressed to it,
// and it alone ends the RPC, so a reply, a deadline and a broken connection cannot disagree.
package models

import (
	"time"

	"lbsim/policies"
)

// Config is all that a run depends on.
type Config struct {
	Seed uint64
	// Texts are those of addresses and of keys, which policies hash.
	Texts HashedTexts

	Duration time.Duration // > 0
	// Warmup is the time at the start of which nothing is measured, 0 to Duration.
	Warmup time.Duration
	// Bin is the length of one step of the series, > 0.
	Bin time.Duration

	Clients  []ClientGroup
	Backends []BackendGroup
	L4       []L4Balancer
	Network  Network
	Resolver Resolver
	Order    AddressOrder // of the resolver's lists
	// WrongPort has clients connect to a port on which nobody listens: all attempts are refused.
	WrongPort bool
	// Rank is by what backends are in ranks for each client. By zone, each client is in one.
	Rank     Rank
	Failures []Failure
	Policy   policies.Policy
	// Backoff is that of every SubConn; nil for [DefaultBackoff].
	Backoff *Backoff

	// Trace is filled with what happens; nil for a run without.
	Trace *Trace
}

// SetDefaults makes the config what an experiment's file is that says nothing: a minute in bins of
// a second. It has no clients, backends, resolver and policy yet.
func (c *Config) SetDefaults() {
	*c = Config{Seed: 1, Texts: DrawnTexts, Duration: time.Minute, Bin: time.Second}
	c.Network.SetDefaults()
}

// Failure is something that goes wrong for a while. It is the options struct of a kind.
type Failure interface {
	// Check says what is wrong with the options for this experiment, or returns nil. The text
	// begins with the name of the option and a colon where it is about one.
	Check(c *Config) error
	// Start schedules what will go wrong.
	Start(w *World)
	// Doc says in a line what goes wrong.
	Doc() string
	// Window is from when to when it lasts; to is 0 where it lasts to the end of the run.
	Window() (from, to time.Duration)
}
