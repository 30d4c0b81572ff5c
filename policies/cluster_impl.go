package policies

import (
	"fmt"
	"slices"

	"lbsim/sim"
)

// ClusterImpl wraps the policy of a cluster: it drops a share of the RPCs, and RPCs above a limit
// of RPCs in flight.
//
// Source: gRFC A32 (circuit breaking) and A37, grpc-go v1.85.0, internal/xds/balancer/clusterimpl.
//
// Reacts to: the number of RPCs in flight; whether its child is READY.
//
// Traps: drops by category happen only while the child is READY; the limit always holds. An RPC is
// in flight from its pick to its end; a waiting RPC is not. In grpc-go all channels of a process to
// a cluster share one limit; here each channel has its own, as if each client were a process with
// one channel. In grpc-go drops and the limit come from the control plane, not from the service
// config. Left out: load reports to the control plane, host rewriting.
type ClusterImpl struct {
	// Cluster is its name. RPCs in flight are counted per name.
	Cluster string `toml:"cluster" json:"cluster"`
	// Drops act in order, each on the RPCs that the one before did not drop.
	Drops []DropOverload `toml:"drops" json:"-"`
	// MaxRequests is the limit of RPCs in flight; with 0 all RPCs are dropped.
	MaxRequests uint32 `toml:"max_requests" json:"-"`
	// Child is the policy that picks.
	Child Policy `toml:"child" json:"childPolicy"`
}

// DropOverload drops Numerator of Denominator RPCs at random; at most all of them.
type DropOverload struct {
	// Category is the reason, for people to read.
	Category string `toml:"category"`
	// Numerator is the number of RPCs that are dropped,
	Numerator uint32 `toml:"numerator"`
	// Denominator of how many; at least 1, and 100 by default.
	Denominator uint32 `toml:"denominator"`
}

const million = 1_000_000

// perMillion is the number of RPCs in a million that it drops, rounded down.
func (d DropOverload) perMillion() uint64 {
	return min(million, uint64(d.Numerator)*million/uint64(d.Denominator))
}

// SetDefaults makes the numerator a percentage.
func (d *DropOverload) SetDefaults() { *d = DropOverload{Denominator: 100} }

// Uses asks for drops, or for enough RPCs at a time to reach the limit.
func (p ClusterImpl) Uses() []Use {
	uses, drops := UsesOf(p.Child), uint64(0)
	for _, d := range p.Drops {
		drops = max(drops, d.perMillion())
	}
	switch {
	case drops == million:
		uses = append(uses, Use{Option: "drops", Without: "drop all RPCs", Fails: true})
	case p.MaxRequests == 0:
		uses = append(uses, Use{
			Option: "max_requests", Without: "is 0, so all RPCs are dropped", Fails: true,
		})
	case drops == 0:
		uses = append(uses, Use{
			What: Concurrency, Option: "max_requests", Count: uint64(p.MaxRequests) + 1,
			Without: "the limit is never reached",
		})
	}
	return uses
}

// Doc describes the policy in a line.
func (ClusterImpl) Doc() string {
	return "another policy, without a share of the RPCs and those above a limit"
}

// Check refuses a denominator of 0 and a config without a child.
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

// clusterImpl is the Host of its child: the child's reports pass through it.
type clusterImpl struct {
	delegate
	options  ClusterImpl
	drops    []dropper
	counter  *requestCounter   // of the cluster of now
	counters []*requestCounter // of all clusters that there were
	full     *Status           // of an RPC above the limit
}

// dropper drops n of of RPCs, in lowest terms.
type dropper struct{ n, of int }

// requestCounter counts the RPCs to a cluster that are in flight.
type requestCounter struct {
	cluster string
	n       uint32
}

// Update goes to the child. The next picker has the new drops and limit.
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

// equal reports whether two configs ask for the same drops and limit.
func (p *ClusterImpl) equal(q ClusterImpl) bool {
	return p.Cluster == q.Cluster && p.MaxRequests == q.MaxRequests &&
		slices.EqualFunc(p.Drops, q.Drops, func(a, b DropOverload) bool {
			return a.Category == b.Category && a.perMillion() == b.perMillion()
		})
}

// configure prepares what pickers need of the options.
func (c *clusterImpl) configure() {
	c.drops = nil // earlier pickers have the array
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

// publish reports the child's state, and its picker behind the drops and the limit.
func (c *clusterImpl) publish() {
	c.Host.UpdateState(c.state, &clusterPicker{
		Picker: c.picker, rand: c.Rand(), ready: c.state == Ready, drops: c.drops,
		counter: c.counter, most: c.options.MaxRequests, full: c.full,
	})
}

// SubConnState goes to the child. A failure asks for re-resolution.
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

// Close closes the child.
func (c *clusterImpl) Close() { c.child.Close() }

// clusterPicker is a picker of the child behind drops and a limit.
type clusterPicker struct {
	Picker
	rand    *sim.Rand
	ready   bool // the child was READY
	drops   []dropper
	counter *requestCounter
	most    uint32
	full    *Status
}

var errDropped = &Status{Code: Unavailable, Text: "RPC is dropped", Reason: DroppedByPolicy}

// Pick drops the RPC or asks the child.
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

// Done takes the RPC out of the count.
func (p *clusterPicker) Done(pick Pick, o Outcome) {
	p.counter.n--
	p.Picker.Done(pick, o)
}
