// Package policies has the balancing policies: which backend gets the next RPC.
//
// The interfaces are those of grpc-go's package balancer. A [Policy] builds a [Balancer] for each
// channel. The channel calls the Balancer with lists of endpoints and with states of SubConns, and
// the Balancer gives the channel a [Picker]. The channel asks the Picker for each RPC. What grpc-go
// has because of goroutines (locks, contexts, a closure for each RPC) is absent.
//
// A policy is one file here, one line in [Catalog] and one story in testdata. Most policies choose
// among READY endpoints and leave the connecting to [NewEndpointSharding]: see [Leaf]. Policies can
// also be written in other modules; package policytest has the tests for both.
package policies

import (
	"time"

	"lbsim/sim"
)

// Policy is a kind of balancing with its options. The type is the kind. Its exported fields are the
// options: the tag toml is the name of an option in an experiment, the tag json its name in a
// service config. The tag zero is the value that grpc-go's parser puts in the place of a 0.
type Policy interface {
	// Build makes the balancer of one channel.
	Build(h Host) Balancer
	// Doc describes the policy in one line, without a full stop.
	Doc() string
}

// Checker is a Policy that can refuse its configuration.
type Checker interface {
	// Check returns what is wrong with the options and what would be valid, or nil. A text about
	// one option begins with its name and a colon.
	Check() error
}

// BackendNamer is a Policy whose options name backends.
type BackendNamer interface {
	// BackendNames returns the option, and the names in it.
	BackendNames() (option string, names []string)
}

// Named is a Policy whose kind is not its type alone: several kinds share the type, and each value
// knows the name of its own.
type Named interface{ Kind() string }

// Unworkable is an error of Check about options that grpc-go accepts although its channel then
// panics or never comes to rest.
type Unworkable string

// Error returns what is wrong.
func (u Unworkable) Error() string { return string(u) }

// Defaulter is a part of a Policy's options that may be absent. Where the part is present,
// SetDefaults sets what it leaves out.
type Defaulter interface{ SetDefaults() }

// SetDefaults sets the defaults of what p points to, if that is a [Defaulter].
func SetDefaults(p any) {
	if d, ok := p.(Defaulter); ok {
		d.SetDefaults()
	}
}

// Balancer is a policy at work for one channel. The channel makes one call at a time. The channel
// does what a balancer asks of its Host after the call has returned, so no call is re-entered.
type Balancer interface {
	// Update brings the complete list of endpoints. An error means that the list is of no use.
	Update(s State) error
	// ResolverError reports that name resolution failed. The endpoints of the last list stay valid.
	ResolverError(err *Status)
	// SubConnState reports the new state of a SubConn, with the reason of a TransientFailure.
	SubConnState(sc SubConn, c Connectivity, err *Status)
	// HealthState reports the health of the backend of a READY SubConn for which the balancer
	// called WatchHealth: Ready, Connecting while it is unknown, or TransientFailure and why.
	HealthState(sc SubConn, c Connectivity, err *Status)
	// LoadReport brings an out-of-band load report of the backend of a READY SubConn for which the
	// balancer called WatchLoad. The report is valid until the call returns.
	LoadReport(sc SubConn, l *Load)
	// ExitIdle makes a balancer in IDLE connect.
	ExitIdle()
	// Close shuts down all SubConns and stops all timers. No other call follows.
	Close()
}

// Remarker is a Balancer with a remark for the readers of the results of a run.
type Remarker interface {
	// Remark returns one line, or "".
	Remark() string
}

// Host is what a balancer can ask for. In grpc-go that is the ClientConn, and the clock and the
// random numbers of the process. A policy with children is the Host of each child.
type Host interface {
	// NewSubConn makes a SubConn to an address. The SubConn is IDLE until Connect.
	NewSubConn(a *Address) SubConn
	// Connect makes an IDLE SubConn connect. In another state Connect does nothing.
	Connect(sc SubConn)
	// Shutdown ends a SubConn. RPCs on it run on, and no new RPC can be sent on it.
	Shutdown(sc SubConn)
	// AddressesOf returns the addresses of the backends with a name, "b/0" or "b" for a group,
	// whether the resolver lists them or not. The result is empty for an unknown name.
	AddressesOf(name string) []*Address
	// WatchHealth makes the Host call HealthState for a READY SubConn until it leaves READY.
	// WatchHealth returns false where clients do not check health: then READY counts as healthy.
	WatchHealth(sc SubConn) bool
	// WatchLoad makes the Host call LoadReport for a READY SubConn about once per interval until
	// it leaves READY. The backend may report less often or never. Another WatchLoad begins anew
	// with its interval, and an interval of 0 ends the watch.
	WatchLoad(sc SubConn, every time.Duration)
	// UpdateState sets the state of the channel, and the picker of all RPCs from now on. RPCs that
	// wait are picked for again.
	UpdateState(c Connectivity, p Picker)
	// ResolveNow asks for re-resolution.
	ResolveNow()
	// Method is the method that RPCs of the channel call, "/service/method".
	Method() string

	// Follower is what keeps pace with the time of the run; nil for nothing.
	Follower() sim.Follower

	Now() sim.Time
	// AfterFunc calls f when d has passed, as the channel would. With d = 0 the call comes after
	// the present one has returned.
	AfterFunc(d time.Duration, f func()) *sim.Call
	// Rand is the policy's own stream of random numbers.
	Rand() *sim.Rand
}

// State is what a resolver has found.
type State struct {
	Endpoints []*Endpoint
	// Policy has the options from now on. Where it is nil the options are unchanged.
	Policy Policy
}

// Endpoint is one backend as the resolver knows it. An endpoint does not change once it has been in
// a State. Equal IDs mean the same set of addresses, in all States of a run: the ID of an endpoint
// that is gone stands for no other.
type Endpoint struct {
	ID        int32 // small and dense
	Addresses []*Address
	// Weight is its share of the load relative to other endpoints; 0 counts as 1.
	Weight uint32
	// HashKey is its name on a hash ring; for "" its first address is.
	HashKey string
	// Locality is its zone, and LocalityWeight the share of the load of that zone relative to
	// other zones.
	Locality       string
	LocalityWeight uint32
	// Path leads to the endpoint through a tree of policies: the name of the child at each level,
	// the outermost first. A policy with named children removes the first name.
	Path []string

	inner *Endpoint // the endpoint with a path that lacks the first name; made at first use
}

// WithWeight returns the same endpoint with another weight.
func (e *Endpoint) WithWeight(weight uint32) *Endpoint {
	other := *e
	other.Weight, other.inner = weight, nil
	return &other
}

// firstAddress returns the text of the first address, or "" where there is none.
func (e *Endpoint) firstAddress() string {
	if len(e.Addresses) == 0 {
		return ""
	}
	return e.Addresses[0].Text
}

// inside returns the endpoint as the child sees it that the first name of the path names. All users
// of an endpoint share the result.
func (e *Endpoint) inside() *Endpoint {
	if e.inner == nil {
		inner := *e
		inner.Path = e.Path[1:]
		e.inner = &inner
	}
	return e.inner
}

// Address is one address of an endpoint. There is one Address per text: two addresses are equal if
// and only if their pointers are.
type Address struct {
	ID   int32 // small and dense
	Text string
}

// SubConn is the number of a channel's slot for a connection to one address. The Host numbers
// SubConns from 0 and uses no number twice.
//
//	state               what happens                     next states, and SHUTDOWN
//	IDLE                nothing, until Connect           CONNECTING
//	CONNECTING          an attempt to connect            READY, TRANSIENT_FAILURE, IDLE
//	READY               RPCs can be sent                 IDLE
//	TRANSIENT_FAILURE   backoff after a failed attempt   IDLE
//	SHUTDOWN            the balancer called Shutdown     none
type SubConn int32

// Connectivity is the state of a SubConn or a channel (gRPC's connectivity.State).
type Connectivity uint8

// The states, numbered as in gRPC.
const (
	Idle Connectivity = iota
	Connecting
	Ready
	TransientFailure
	Shutdown
)

// String returns the state as gRPC spells it.
func (c Connectivity) String() string {
	return [...]string{"IDLE", "CONNECTING", "READY", "TRANSIENT_FAILURE", "SHUTDOWN"}[c]
}
