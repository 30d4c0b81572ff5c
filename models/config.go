// Package models is the machine that is simulated: clients, their channels and SubConns, the
// network and the backends.
//
// What goes down (client, channel, picker, network) is a call; what comes back is an event, a
// letter addressed to an actor. The client owns each of its RPCs: every answer is addressed to it,
// and it alone ends the RPC, so a reply, a deadline and a broken connection cannot disagree.
package models

import (
	"time"

	"lbsim/models/dist"
	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// Config is all that a run depends on.
type Config struct {
	Seed uint64
	// DrawTexts draws from the seed what policies hash: the texts of addresses and of keys. Else
	// they are the same for all seeds: 10.0.0.1:80 and so on, and keys from 0 on.
	DrawTexts bool

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
	// RankByZone has the control plane put [LocalRank] at the front of the path of an endpoint in
	// the client's own zone, [RemoteRank] at that of others.
	RankByZone bool
	Failures   []Failure
	Policy     policies.Policy
	// Backoff is that of every SubConn; nil for [DefaultBackoff].
	Backoff *Backoff

	// Trace is filled with what happens; nil for a run without.
	Trace *Trace
}

// ClientGroup is a number of equal clients. Each has a channel of its own.
type ClientGroup struct {
	Name  string
	Count int // > 0

	// Rate is how many RPCs per second the whole group begins, whatever becomes of those before: an
	// open loop. 0 for a closed loop.
	Rate float64
	// Even spaces the arrivals of an open loop evenly; else they are a Poisson process.
	Even bool

	// Callers is how many callers each client has, for a closed loop: each begins an RPC, waits for
	// its end, thinks, and begins the next. 0 for an open loop.
	Callers int
	// Think is how long a caller thinks. Where it does not, and its RPC took no time, its client
	// needs 10 µs for it, and for one such RPC after the other.
	Think dist.Distribution

	// At is when each client begins its RPCs, after Start: where there is neither a rate nor a
	// caller.
	At []time.Duration

	// Start is when the group begins.
	Start time.Duration
	// Requests is how many RPCs each client begins in all; 0 for no limit.
	Requests uint64
	// Timeout is the deadline of each RPC, from its intended start; 0 for none.
	Timeout time.Duration
	// Keys are those of the RPCs, in the header KeyHeader, which has a name in small letters; nil
	// where they have none.
	Keys      *Keys
	KeyHeader string
	// Method is what its RPCs call, "/service/method", by which they find their part of a service
	// config that name resolution brings.
	Method string
	// ServiceTimeout is the deadline that the service config gives each RPC, from when it has its
	// config; 0 for none. The sooner one of this and Timeout counts.
	ServiceTimeout time.Duration
	// Retry and Hedging make RPCs be sent more than once, at most one of the two; nil for neither.
	Retry   *serviceconfig.Retry
	Hedging *serviceconfig.Hedging
	// Throttle bounds both, by channel; nil for no bound.
	Throttle *serviceconfig.Throttle
	// IdleTimeout is after what time without an RPC a channel closes its connections and forgets
	// its policy's state; 0 for never.
	IdleTimeout time.Duration
	// KeepaliveTime is how long a connection is silent before the client sends a PING, 10s at
	// least; 0 for no keepalive. KeepaliveTimeout is how long it waits for a sign of life then.
	KeepaliveTime    time.Duration
	KeepaliveTimeout time.Duration
	// KeepaliveWithoutStream sends PINGs also while there is no RPC on the connection.
	KeepaliveWithoutStream bool
	// HealthCheck watches the health of each connection, where the policy listens to it.
	HealthCheck bool
	// Zone is where the group is.
	Zone string
	// ZoneWeights are what the control plane tells the group of zones: their weights in place of
	// [BackendGroup.ZoneWeight], and nothing of zones that are not among them; empty for all.
	ZoneWeights []ZoneWeight
	// WaitForReady keeps RPCs while the channel is in TRANSIENT_FAILURE instead of failing them.
	// With OwnWait it is the application's own word, which no service config changes.
	WaitForReady bool
	OwnWait      bool
}

// ZoneWeight is how much of the load a zone should get beside others, > 0.
type ZoneWeight struct {
	Zone   string
	Weight uint32
}

// BackendGroup is a number of equal backends, named GROUP/0, GROUP/1 and so on.
type BackendGroup struct {
	Name    string
	Count   int // > 0
	Workers int // how many requests each serves at once, > 0
	// Addresses are where each listens, in the resolver's order and without repetitions; nil for
	// ipv4 alone. It is one endpoint with all of them, where the resolver knows endpoints.
	Addresses []Label
	// Discipline is which requests the workers serve.
	Discipline Discipline
	// Queue is how many requests wait while all workers are busy; -1 for any number. With a
	// discipline that shares there may be so many more than workers.
	Queue int
	// OnFull is the status of a request that finds the queue full.
	OnFull policies.Code
	// Pushback is what that status says of further attempts (grpc-retry-pushback-ms): when the next
	// may come, or, where it is negative, that there shall be none; nil where it says nothing.
	Pushback *time.Duration
	// Service is the work of a request: how long it keeps one worker of speed 1.
	Service dist.Distribution
	// Speed is how much work a worker does in a given time, > 0; 1 is ordinary.
	Speed float64
	// StopsCancelled makes the backend drop a request as soon as it learns that the client has
	// given up. Else it works on for nobody.
	StopsCancelled bool
	// DropsOverdue makes it drop a request whose deadline has passed when a worker gets to it.
	DropsOverdue bool

	// Weight is how much of the load each should get beside others. Zone is where they are, and
	// ZoneWeight how much of the load it should get; where that is 0, policies that ask for it miss
	// it. Path leads to them through a tree of policies.
	Weight     uint32
	Zone       string
	ZoneWeight uint32
	Path       []string

	// ConnectCost is the work of a connection that the backend accepts; nil for none. It keeps a
	// worker as long as a request of that work would. The handshake does not wait for it.
	ConnectCost dist.Distribution
	// MaxConnectionAge is when a client is told to leave a connection, longer or shorter by up to
	// AgeJitter of it, 0 to 1; 0 for never. RPCs on it run on, for MaxConnectionAgeGrace at most if
	// that is not 0.
	MaxConnectionAge      time.Duration
	MaxConnectionAgeGrace time.Duration
	AgeJitter             float64
	// MaxConnectionIdle is for how long a connection may be without an RPC before the client is
	// told to leave it; 0 for ever. A request that the backend works on for nobody counts as one.
	MaxConnectionIdle time.Duration
	// GoAwayChance is the chance of an RPC, 0 to 1, that with its answer, whatever that is, the
	// client is told to leave the connection (kube-apiserver's goaway-chance).
	GoAwayChance float64
	// MaxStreams is how many RPCs may be on a connection at a time (MAX_CONCURRENT_STREAMS); 0 for
	// any number. Others wait for it at the client, whatever other connections there are.
	MaxStreams int
	// PingMinTime is the least time between two PINGs of a client that the backend tolerates.
	PingMinTime time.Duration
	// PingWithoutStream tolerates them also while there is no RPC; else they must be two hours
	// apart then.
	PingWithoutStream bool

	// LoadPerCall puts a report of the load into each reply (ORCA, gRFC A51); LoadOutOfBand sends
	// one, apart from any RPC, to each client that asks, at least LoadMinInterval apart, > 0.
	LoadPerCall, LoadOutOfBand bool
	LoadMinInterval            time.Duration
	// LoadWindow is over how long a time reports are averaged, > 0.
	LoadWindow time.Duration
}

// Network is what lies between every client and every backend.
type Network struct {
	// Delay is the one-way delay of each message. A constant one keeps messages in order; others
	// are drawn for each message alone.
	Delay dist.Distribution
	// Connect is the time from SYN to READY; nil for three delays: SYN, SYN-ACK and the server's
	// SETTINGS. A refusal takes two thirds of it.
	Connect dist.Distribution
	// GiveUp is how long TCP sends data again for which no ACK comes before the connection is lost;
	// 0 for ever.
	GiveUp time.Duration
	// UserTimeout makes it the KeepaliveTimeout on connections with keepalive (TCP_USER_TIMEOUT, as
	// grpc-go sets it on Linux).
	UserTimeout bool
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
