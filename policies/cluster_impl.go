package policies

import (
	"fmt"
	"slices"

	"lbsim/sim"
)

// ClusterImpl wraps the policy of a cluster: it drops a share of the RPCs, and those that would be
// too many at a time.
//
// Source: gRFC A32 (circuit breaking) and A37, grpc-go v1.85.0, internal/xds/balancer/clusterimpl.
//
// Reacts to: how many RPCs are in flight; whether its child is READY.
//
// Traps: drops by category are only while the child is READY; the limit holds always. An RPC counts
// from when it is picked until it is done, one that waits does not. In grpc-go the limit is one for
// all channels of a process to a cluster; here each channel has its own, as if each client were a
// process with one channel. There drops and the limit come from the control plane and not from the
// service config. Left out: load reports to the control plane, host rewriting.
type ClusterImpl struct {
	// Cluster is its name: RPCs in flight are counted by it, should it change.
	Cluster string `toml:"cluster" json:"cluster"`
	// Drops are asked in order, each of those that the one before let pass.
	Drops []DropOverload `toml:"drops" json:"-"`
	// MaxRequests is how many RPCs may be in flight; 0 stands for none.
	MaxRequests uint32 `toml:"max_requests" json:"-"`
	// Child is the policy that picks.
	Child Policy `toml:"child" json:"childPolicy"`
}

// DropOverload drops Numerator of Denominator RPCs at random, for a reason; at most all of them.
type DropOverload struct {
	// Category is the reason, for people to read.
	Category string `toml:"category"`
	// Numerator is how many are dropped.
	Numerator uint32 `toml:"numerator"`
	// Denominator is of how many, at least 1; 100 if not given.
	Denominator uint32 `toml:"denominator"`
}

const million = 1_000_000

// perMillion is how many of a million RPCs it drops, rounded down.
func (d DropOverload) perMillion() uint64 {
	return min(million, uint64(d.Numerator)*million/uint64(d.Denominator))
}

// SetDefaults makes the numerator percents.
func (d *DropOverload) SetDefaults() { *d = DropOverload{Denominator: 100} }

// Uses says that it needs drops, or RPCs enough for its limit.
func (p ClusterImpl) Uses() []Use {
	uses, drops := UsesOf(p.Child), uint64(0)
	for _, d := range p.Drops {
		drops = max(drops, d.perMillion())
	}
	switch {
	case drops == million:
		uses = append(uses, Use{Option: "drops", Without: "drop all RPCs", Fails: true})
	case drops == 0 && p.MaxRequests == 0:
		uses = append(uses, Use{Without: "there are no drops and no max_requests: it does nothing"})
	case drops == 0:
		uses = append(uses, Use{
			What: Concurrency, Option: "max_requests", Count: uint64(p.MaxRequests) + 1,
			Without: "the limit is never reached",
		})
	}
	return uses
}

// Doc says what the policy does.
func (ClusterImpl) Doc() string {
	return "another policy, without a share of the RPCs and those above a limit"
}

// Check refuses shares that are none, and to be without a child.
func (p ClusterImpl) Check() error {
	for _, d := range p.Drops {
		if d.Denominator == 0 {
			return fmt.Errorf("drops: %q: denominator must be >= 1 (is 0)", d.Category)
		}
	}
	if p.Child == nil {
		return Unworkable("child: must be a policy")
	}
	return nil
}

// Build makes the balancer of one channel.
func (p ClusterImpl) Build(h Host) Balancer {
	c := &clusterImpl{delegate: delegate{Host: h}, options: p}
	c.self, c.child = c, newGracefulSwitch(c)
	c.configure()
	return c
}

// clusterImpl is the Host of its child: what that reports passes through it.
type clusterImpl struct {
	delegate
	options  ClusterImpl
	drops    []dropper
	counter  *requestCounter   // of the cluster
	counters []*requestCounter // of all that it was for
	full     *Status           // of an RPC above the limit
}

// dropper drops n of RPCs, in lowest terms.
type dropper struct{ n, of int }

// requestCounter is how many RPCs to a cluster are in flight.
type requestCounter struct {
	cluster string
	n       uint32
}

// Update goes to the child; its picker has the drops and the limit of now.
func (c *clusterImpl) Update(s State) error {
	before := c.options
	if p, ok := s.Policy.(ClusterImpl); ok {
		c.options = p
	}
	c.held = true
	err := c.child.Update(State{Endpoints: s.Endpoints, Policy: c.options.Child})
	differs := !c.options.equal(before)
	if differs {
		c.configure()
	}
	if c.changed || differs && c.picker != nil {
		c.publish()
	}
	c.held, c.changed = false, false
	return err
}

// equal says whether two configs ask for the same drops and limit.
func (p *ClusterImpl) equal(q ClusterImpl) bool {
	return p.Cluster == q.Cluster && p.MaxRequests == q.MaxRequests &&
		slices.EqualFunc(p.Drops, q.Drops, func(a, b DropOverload) bool {
			return a.Category == b.Category && a.perMillion() == b.perMillion()
		})
}

// configure makes ready what pickers need of the options.
func (c *clusterImpl) configure() {
	c.drops = nil // pickers have the one before
	for _, d := range c.options.Drops {
		n := d.perMillion()
		by := gcd(n, million)
		c.drops = append(c.drops, dropper{int(n / by), int(million / by)})
	}
	text := fmt.Sprintf("max requests %d exceeded on service %s",
		c.options.MaxRequests, c.options.Cluster)
	c.full = &Status{Code: Unavailable, Text: text, Reason: DroppedByPolicy}
	for _, known := range c.counters {
		if known.cluster == c.options.Cluster {
			c.counter = known
			return
		}
	}
	c.counter = &requestCounter{cluster: c.options.Cluster}
	c.counters = append(c.counters, c.counter)
}

func gcd(a, b uint64) uint64 {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// publish reports the child's state, and its picker behind the drops and the limit of now.
func (c *clusterImpl) publish() {
	c.Host.UpdateState(c.state, &clusterPicker{
		Picker: c.picker, rand: c.Rand(), ready: c.state == Ready, drops: c.drops,
		counter: c.counter, most: c.options.MaxRequests, full: c.full,
	})
}

// SubConnState goes to the child. A failure is a hint to the resolver.
func (c *clusterImpl) SubConnState(sc SubConn, s Connectivity, err *Status) {
	if s == TransientFailure {
		c.ResolveNow()
	}
	c.child.SubConnState(sc, s, err)
}

// HealthState goes to the child.
func (c *clusterImpl) HealthState(sc SubConn, s Connectivity, err *Status) {
	c.child.HealthState(sc, s, err)
}

// Close ends the child.
func (c *clusterImpl) Close() { c.child.Close() }

// clusterPicker is the child's picker of some moment behind drops and a limit.
type clusterPicker struct {
	Picker
	rand    *sim.Rand
	ready   bool // the child was
	drops   []dropper
	counter *requestCounter
	most    uint32
	full    *Status
}

var errDropped = &Status{Code: Unavailable, Text: "RPC is dropped", Reason: DroppedByPolicy}

// Pick drops, or asks the child.
func (p *clusterPicker) Pick(c Call) Pick {
	if p.ready {
		for _, d := range p.drops {
			if p.rand.IntN(d.of) < d.n {
				return Pick{Verdict: Dropped, Status: errDropped}
			}
		}
	}
	if p.counter.n >= p.most {
		return Pick{Verdict: Dropped, Status: p.full}
	}
	pick := p.Picker.Pick(c)
	if pick.Verdict == Sent {
		p.counter.n++
	}
	return pick
}

// Done makes room for another RPC.
func (p *clusterPicker) Done(pick Pick, o Outcome) {
	p.counter.n--
	p.Picker.Done(pick, o)
}
