// Package models is the simulated system: clients with their channels and connections, the network,
// and backends.
//
// A client begins RPCs. Its channel asks the picker of its balancer for a SubConn and sends the
// request over the network to a backend. The backend queues and serves it, and the reply goes back
// to the client. Going down (client, channel, picker, network) is a call; coming back is an event.
// The client owns its RPCs: every outcome is an event to the client, and only the client ends an
// RPC. So a reply, a deadline and a broken connection cannot each end it.
//
// Where to find what:
//
//	client      client, call, retry, hedging, unprocessed (transparent retries), ending, keys
//	channel     channel, waiting, service (service configs), host, idle, done
//	names       resolver, view, names, address, registry, txt, hashed
//	connecting  subconn, syn, backoff, l4
//	connection  conn, streams, keepalive, goaway, conn_server, handlers, health, load, stall,
//	            ring
//	backend     backend, discipline, preemptive_lifo, processor_sharing, slow, errors, capacity,
//	            meter
//	world       world, config and its groups, check, rpc (records of RPCs), network, outage,
//	            trace
package models

import (
	"time"

	"lbsim/policies"
)

// Config is the input of a run. A run depends on nothing else.
type Config struct {
	Seed uint64
	// Texts is how the texts of addresses and keys, which policies hash, are made.
	Texts HashedTexts

	Duration time.Duration // > 0
	// Warmup is the beginning of the run that is not measured, >= 0 and < Duration.
	Warmup time.Duration
	// Bin is the length of one step of the series, > 0.
	Bin time.Duration

	Clients  []ClientGroup
	Backends []BackendGroup
	L4       []L4Balancer
	Network  Network
	Resolver Resolver
	Order    AddressOrder // of the resolver's lists at each channel
	// WrongPort makes clients connect to a port on which no backend listens: attempts are refused.
	WrongPort bool
	// Rank is how the control plane ranks backends for each client. With RankZone each client has a
	// zone.
	Rank     Rank
	Failures []Failure
	Policy   policies.Policy
	// Backoff is the backoff of each SubConn; nil for [DefaultBackoff].
	Backoff *Backoff

	// Trace gets the events of the run; nil for none.
	Trace *Trace
}

// SetDefaults sets the defaults of an experiment's file: a minute with bins of a second. Clients,
// backends, resolver and policy are still missing.
func (c *Config) SetDefaults() {
	*c = Config{Seed: 1, Texts: DrawnTexts, Duration: time.Minute, Bin: time.Second}
	c.Network.SetDefaults()
}

// Failure is a failure for some time. It is the options struct of a kind.
type Failure interface {
	// Check returns what is wrong with the options for this experiment, or nil. The text begins
	// with the name of the option and a colon where it is about one.
	Check(c *Config) error
	// Start schedules the failure.
	Start(w *World)
	// Doc returns a line on what goes wrong.
	Doc() string
	// Window returns when the failure begins and ends; to is 0 for the end of the run.
	Window() (from, to time.Duration)
}
