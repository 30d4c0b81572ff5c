// Package policies holds the balancing policies: which backend gets the next RPC.
//
// The shape is that of grpc-go's package balancer, so whoever has written one there is at home:
// a Policy builds a Balancer for each channel; the Balancer is told of endpoints and of SubConns
// that change state, and hands the channel a Picker; the Picker is asked for each RPC. What exists
// there only because of goroutines (locks, contexts, a closure for each RPC) is gone.
//
// A policy is one file here, one line in [Catalog] and one story in testdata. Most choose among
// READY endpoints only and leave the connecting to a shared parent: see [Leaf].
package policies

import (
	"time"

	"lbsim/sim"
)

// Policy is the configuration of a policy, and builds it. The struct is the kind: its exported
// fields are its options, with the names they have in a TOML file and in a service config as tags.
// The tag zero says which value grpc-go's parser makes of a 0, where it makes another.
type Policy interface {
	// Build makes the balancer of one channel.
	Build(h Host) Balancer
	// Doc says in a line what the policy does.
	Doc() string
}

// Checker is a Policy that can refuse its configuration.
type Checker interface {
	// Check says what is wrong with the options and what would be right, or returns nil. The text
	// begins with the name of the option and a colon where it is about one.
	Check() error
}

// BackendNamer is a Policy whose options name backends.
type BackendNamer interface {
	// BackendNames returns the option that does, and the names.
	BackendNames() (option string, names []string)
}

// Named is a Policy that is not in [Catalog] and knows the name of its kind.
type Named interface{ Kind() string }

// Unworkable is what Check says of options that grpc-go takes, though its channel then panics or
// never comes to rest.
type Unworkable string

// Error says what is wrong.
func (u Unworkable) Error() string { return string(u) }

// Defaulter is a part of a Policy's options that may be absent, and has values of its own for what
// is left out where it is not.
type Defaulter interface{ SetDefaults() }

// SetDefaults fills in what p points to, if it has such values.
func SetDefaults(p any) {
	if d, ok := p.(Defaulter); ok {
		d.SetDefaults()
	}
}

// Balancer is a policy at work for one channel. The channel calls it, one call at a time. What a
// balancer asks of its Host is done when the call has returned, so nothing is re-entered.
type Balancer interface {
	// Update brings the complete list of endpoints. An error says that the list is of no use.
	Update(s State) error
	// ResolverError says that name resolution failed; endpoints known before stay good.
	ResolverError(err *Status)
	// SubConnState says that a SubConn is now in a state; err is why, in TransientFailure.
	SubConnState(sc SubConn, c Connectivity, err *Status)
	// HealthState says how healthy the backend of a READY SubConn calls itself, where that is
	// watched: Ready, or TransientFailure and why.
	HealthState(sc SubConn, c Connectivity, err *Status)
	// LoadReport brings what the backend of a READY SubConn reports of its load apart from any RPC,
	// where that is watched. The report is good until the call returns.
	LoadReport(sc SubConn, l *Load)
	// ExitIdle asks a balancer that waits in Idle to connect.
	ExitIdle()
	// Close ends it: it shuts its SubConns down and stops its timers. No other call follows.
	Close()
}

// Remarker is a Balancer that knows what whoever reads the results of a run ought to know too.
type Remarker interface {
	// Remark says so in a line, or returns "".
	Remark() string
}

// Host is what a balancer may ask for: in gRPC, the ClientConn, and the clock and the chance that
// are global there. A policy with children is the Host of each.
type Host interface {
	// NewSubConn makes a SubConn to an address. It is Idle and stays so until Connect.
	NewSubConn(a *Address) SubConn
	// Connect makes an Idle SubConn connect; in another state it does nothing.
	Connect(sc SubConn)
	// Shutdown ends a SubConn. RPCs that run on it run on; new ones cannot be sent on it.
	Shutdown(sc SubConn)
	// AddressesOf returns the addresses of the backends with a name, "b/0" or "b" for a group,
	// whether the resolver lists them or not; none where there is none of that name.
	AddressesOf(name string) []*Address
	// WatchHealth makes the Host tell HealthState of a READY SubConn until it is no longer READY.
	// It returns false where nobody checks health: then what is READY is healthy.
	WatchHealth(sc SubConn) bool
	// WatchLoad makes the Host tell LoadReport of a READY SubConn, about every so often, until it
	// is no longer READY. The backend may report less often, or not at all. Asked again it begins
	// anew with the new interval; 0 ends the watch.
	WatchLoad(sc SubConn, every time.Duration)
	// UpdateState sets the state of the channel and the picker of all RPCs from now on, those
	// that wait included.
	UpdateState(c Connectivity, p Picker)
	// ResolveNow hints to the resolver that its list may be out of date.
	ResolveNow()
	// Method is what the RPCs of the channel call, "/service/method".
	Method() string

	// Follower is what goes along with the time of the run, nil if nothing does.
	Follower() sim.Follower

	Now() sim.Time
	// AfterFunc calls f d from now, as if by the channel. With d = 0: when the present call has
	// returned.
	AfterFunc(d time.Duration, f func()) *sim.Call
	// Rand is the stream of the policy's own draws.
	Rand() *sim.Rand
}

// State is what a resolver has found.
type State struct {
	Endpoints []*Endpoint
	// Policy holds the options from now on; nil: they are what they were.
	Policy Policy
}

// Endpoint is one backend as the resolver knows it. Equal IDs mean the same set of addresses.
type Endpoint struct {
	ID        int32 // small and dense
	Addresses []*Address
	// Weight is how much of the load it should get beside others; 0 counts as 1.
	Weight uint32
	// HashKey stands for it on a hash ring; "": its first address does.
	HashKey string
	// Locality names the zone that it is in, and LocalityWeight is how much of the load that zone
	// should get beside others.
	Locality       string
	LocalityWeight uint32
	// Path leads to it through a tree of policies: the name of a child at each level, the
	// outermost first. A policy that divides endpoints among its children takes off the first.
	Path []string

	inner *Endpoint // the same with a shorter path, once somebody needs it
}

// WithWeight returns the same endpoint with another weight.
func (e *Endpoint) WithWeight(weight uint32) *Endpoint {
	other := *e
	other.Weight, other.inner = weight, nil
	return &other
}

// inside returns the endpoint as the child sees it to whom the first name of its path leads. Who
// shares an endpoint shares this too: an endpoint that was handed out does not change.
func (e *Endpoint) inside() *Endpoint {
	if e.inner == nil {
		inner := *e
		inner.Path = e.Path[1:]
		e.inner = &inner
	}
	return e.inner
}

// Address is one address of an endpoint. There is one Address for each text, so equal pointers mean
// equal addresses and the other way round.
type Address struct {
	ID   int32 // small and dense
	Text string
}

// SubConn is one connection-to-be of a channel to one address: a number that the Host gave out.
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
