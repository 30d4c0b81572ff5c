package policies

// What the tests, which are outside of the package as those of other authors are, look at inside of
// it.

import "lbsim/sim"

// XXHash is xxHash.
func XXHash(seed uint64, data []byte) uint64 { return xxHash(seed, data) }

// ReadyOf returns the READY endpoints of a picker that is an endpointSharding.
func ReadyOf(p Picker) []ReadyEndpoint {
	s := p.(*endpointSharding)
	s.refresh()
	return s.ready
}

// leastRequestOf returns the leaf of a picker, which knows of all that is READY.
func leastRequestOf(p Picker) *leastRequest {
	s := p.(*endpointSharding)
	s.refresh()
	return s.leaf.(*leastRequest)
}

// CountsOf returns what a least_request counts of each endpoint that is READY.
func CountsOf(p Picker) []int {
	var counts []int
	for _, c := range leastRequestOf(p).ready {
		counts = append(counts, int(c.inflight))
	}
	return counts
}

// AddInFlight makes it count one RPC more of one of them.
func AddInFlight(p Picker, i int) { leastRequestOf(p).ready[i].inflight++ }

// InFlightBelow returns what the least_requests below a weighted_target count.
func InFlightBelow(b Balancer) (n int) {
	for _, t := range b.(*weightedTarget).targets {
		for _, c := range t.balancer.(*endpointSharding).leaf.(*leastRequest).ready {
			n += int(c.inflight)
		}
	}
	return n
}

// TargetsOf returns the targets that a wrr_locality has made.
func TargetsOf(b Balancer) map[string]Target { return b.(*wrrLocality).policy.Targets }

// AreWeighted returns how many weights a weighted_round_robin has scheduled.
func AreWeighted(p Picker) int { return len(p.(*weightedRoundRobin).scaled) }

// Outliers is what an outlier_detection knows.
type Outliers struct {
	Endpoints, Ejected int
	Began              sim.Time // the interval

	// Of the first endpoint:

	FirstEjected bool
	Multiplier   int64
	Good, Bad    uint32 // in this interval
}

// OutliersOf returns what an outlier_detection knows.
func OutliersOf(b Balancer) Outliers {
	o := b.(*outlierDetection)
	e := o.endpoints[0]
	return Outliers{
		len(o.endpoints), o.ejected, o.began, e.ejected, e.multiplier, e.now.good, e.now.bad,
	}
}

// LeastRate is the success rate that endpoints must have had in the last interval.
func LeastRate(b Balancer, p *SuccessRateEjection) float64 {
	_, least := b.(*outlierDetection).leastRate(p)
	return least
}

// WakeAll makes the endpoints of a ring_hash connect, which wait for RPCs otherwise.
func WakeAll(b Balancer) {
	if r, ok := b.(*ringHash); ok {
		for _, c := range r.children {
			c.wake(r.endpointSharding)
		}
	}
}

// Sizes returns the bounds of a ring.
func (r RingHash) Sizes() (least, most uint64) { return r.sizes() }

// HeaderOf returns the header that a ring_hash reads.
func HeaderOf(b Balancer) string { return b.(*ringHash).header }

// SetRing puts the points of another ring in place of its own, and the endpoints that they are of.
func SetRing(b Balancer, points []uint64, nodes []int32) {
	b.(*ringHash).ring = ring{points, nodes}
}

// RingOf returns the points of the ring and the endpoints that they are of.
func RingOf(b Balancer) (points []uint64, nodes []int32) {
	r := b.(*ringHash).ring
	return r.points, r.nodes
}

// SetChildren puts the endpoints of a ring_hash into states, with a SubConn each. One that fails
// does so with its address.
func SetChildren(b Balancer, states ...Connectivity) {
	r := b.(*ringHash)
	for i, c := range r.children {
		r.count[c.state]--
		c.state, c.lazy = states[i], false
		r.count[c.state]++
		c.list[0].sc = r.NewSubConn(c.list[0].address)
		c.err = &Status{Code: Unavailable, Text: c.list[0].address.Text}
	}
}

// Woken returns the last endpoint of a ring_hash that was asked to connect, or -1.
func Woken(b Balancer) int {
	woken := -1
	for i, c := range b.(*ringHash).children {
		if c.woken {
			woken = i
		}
	}
	return woken
}

// PickHash picks by a hash, of any endpoint if the RPC has no key.
func PickHash(b Balancer, hash uint64, keyed bool) Pick {
	if keyed {
		return b.(*ringHash).pick(hash)
	}
	return b.(*ringHash).pickAny(hash)
}

// Subset is subset.
func Subset(list []*Endpoint, size uint32, seed uint64) []*Endpoint {
	return subset(list, size, seed)
}

// Shuffled is shuffled.
func Shuffled(list []*Endpoint, r *sim.Rand) []*Endpoint { return shuffled(list, r) }
