package policies

import "errors"

// Leaf is a policy that chooses among READY endpoints and leaves the connecting to its parent:
// most policies. The parent is [NewEndpointSharding], which runs a pick_first for each endpoint.
type Leaf interface {
	// Update brings the endpoints that are READY, at least one, in the resolver's order. The slice
	// is valid until the next Update. Endpoints that become READY while others are may come
	// together, just before the next Pick.
	Update(ready []ReadyEndpoint)
	Picker
}

// Configurable is a Leaf whose options may change while it is at work. A Leaf without it keeps the
// options with which it was built.
type Configurable interface {
	// Configure takes the options from now on. They come before the list of endpoints to which they
	// belong, and are of the kind that built the Leaf.
	Configure(p Policy)
}

// ReadyEndpoint is an endpoint and its connection.
type ReadyEndpoint struct {
	*Endpoint
	SubConn SubConn
}

// NewEndpointSharding returns a balancer that connects to every endpoint and asks leaf for a pick
// while at least one of them is READY. Without a leaf the READY endpoints are picked in turn, as
// round_robin does.
//
// Source: grpc-go v1.85.0, balancer/endpointsharding, with automatic reconnection; each child is a
// pick_first, as in all policies of grpc-go that are built on it.
//
// Reacts to: connections that come and go, and health where clients check it. The state of the
// channel is the best of any child's, in the order READY, CONNECTING, IDLE, TRANSIENT_FAILURE.
//
// Traps: an endpoint named twice is one child. A connection that is lost is made anew at once, even
// without RPCs. While no endpoint is READY the leaf is not asked: RPCs wait, or fail with the
// errors of the children in turn. Out-of-band load reports do not reach the leaf: a balancer that
// calls WatchLoad wraps this one and handles LoadReport itself.
func NewEndpointSharding(h Host, leaf Leaf) Balancer { return newEndpointSharding(h, leaf) }

func newEndpointSharding(h Host, leaf Leaf) *endpointSharding {
	return &endpointSharding{Host: h, leaf: leaf, decider: deciderOf(h)}
}

// endpointSharding runs a pick_first for each endpoint and picks among them.
//
// The picker of grpc-go's endpointsharding takes the children of the best state in turn, from a
// random start that is drawn anew at each report; that picker is the whole of round_robin. A leaf
// takes its place while a child is READY. An overseer takes its place in every state; then children
// wait in IDLE to be woken at the beginning, and again when they have lost their connection.
//
// While a thousand endpoints connect there are a thousand reports and more. So that this takes no
// million steps, the lists to pick from are made when the first Pick after a report asks for them.
type endpointSharding struct {
	Host
	leaf     Leaf     // nil for round_robin
	overseer overseer // nil for all but ring_hash
	decider  Decider  // of the order of children; nil for the resolver's

	children []*endpointChild // in the resolver's order
	owner    []*pickFirst     // of each SubConn, by its number
	muted    bool             // children change without a report, until all have

	count [Shutdown]int // children by state; their sum is len(children) while not muted
	best  Connectivity  // best state of any child at the last report
	lost  bool          // a child has left READY, or the list is another, since the last report

	// Of ready and picking at most one has elements: the children that were in the best state when
	// the lists were made.
	stale   bool            // both lists are of an earlier report
	ready   []ReadyEndpoint // best is READY
	picking []*pickFirst    // best is another state
	next    uint32          // index of the next pick, modulo the length of the list

	fromFirst bool // turns start with the first child, not at random
}

// endpointChild is the pick_first of one endpoint.
type endpointChild struct {
	pickFirst
	endpoint *Endpoint
}

// overseer is a policy that makes its state and its picker of all children, in whatever state they
// are, and decides which of them connect when.
type overseer interface {
	// childrenChanged is called in place of a report.
	childrenChanged(count [Shutdown]int)
}

// Update makes a child for each new endpoint and closes those of endpoints that are gone. Children
// get their addresses in the resolver's order from a random start on.
func (s *endpointSharding) Update(st State) error {
	if l, ok := s.leaf.(Configurable); ok && st.Policy != nil {
		l.Configure(st.Policy)
	}
	n := len(st.Endpoints)
	s.muted = true
	start := 0
	if n > 0 {
		start = s.Rand().IntN(n)
	}
	byID := s.byID(st)
	fresh := make([]endpointChild, n) // one allocation for all that are new
	addresses := countAddresses(st)
	space := make([]candidate, 0, addresses)
	if s.owner == nil {
		s.owner = make([]*pickFirst, 0, addresses)
	}
	for i := range n {
		e := st.Endpoints[(start+i)%n]
		c := byID[e.ID]
		if c == nil {
			c, fresh = &fresh[0], fresh[1:]
			c.pickFirst = newPickFirst()
			if s.overseer != nil {
				c.pickFirst = newLazyPickFirst()
			}
			c.petiole = true
			byID[e.ID] = c
		}
		if c.listed {
			continue // named twice
		}
		c.listed, c.endpoint = true, e
		k := len(e.Addresses)
		c.update(s, e.Addresses, space[:0:k])
		space = space[k:k]
	}
	s.replaceChildren(st, byID)
	s.muted = false
	s.publish()
	if n == 0 {
		return errors.New(errNoChildren.Text)
	}
	return nil
}

// byID returns the children by the ID of their endpoint, with room for the endpoints of st.
func (s *endpointSharding) byID(st State) []*endpointChild {
	var most int32 = -1
	for _, e := range st.Endpoints {
		most = max(most, e.ID)
	}
	for _, c := range s.children {
		most = max(most, c.endpoint.ID)
	}
	byID := make([]*endpointChild, most+1)
	for _, c := range s.children {
		byID[c.endpoint.ID] = c
	}
	return byID
}

func countAddresses(st State) int {
	n := 0
	for _, e := range st.Endpoints {
		n += len(e.Addresses)
	}
	return n
}

// replaceChildren closes the children that are not listed and puts the others in st's order.
func (s *endpointSharding) replaceChildren(st State, byID []*endpointChild) {
	for _, c := range s.children {
		if !c.listed {
			c.close(s)
		}
	}
	s.children = make([]*endpointChild, 0, len(st.Endpoints))
	for _, e := range st.Endpoints {
		if c := byID[e.ID]; c.listed {
			c.listed = false
			s.children = append(s.children, c)
		}
	}
	s.count, s.lost = [Shutdown]int{}, true
	for _, c := range s.children {
		c.counted = c.state
		s.count[c.state]++
	}
}

// ResolverError goes to every child.
func (s *endpointSharding) ResolverError(err *Status) {
	s.muted = true
	for _, c := range s.children {
		c.resolverError(s, err)
	}
	s.muted = false
	s.publish()
}

// ExitIdle goes to every child.
func (s *endpointSharding) ExitIdle() {
	s.muted = true
	for _, c := range s.children {
		c.exitIdle(s)
	}
	s.muted = false
	s.publish()
}

// Close closes every child. The picker stays as it was.
func (s *endpointSharding) Close() {
	s.refresh()
	for _, c := range s.children {
		c.close(s)
	}
}

// SubConnState goes to the child that owns the SubConn.
func (s *endpointSharding) SubConnState(sc SubConn, c Connectivity, err *Status) {
	p := s.owner[sc]
	p.subConnState(s, sc, c, err)
}

// HealthState goes to the child that owns the SubConn.
func (s *endpointSharding) HealthState(sc SubConn, c Connectivity, err *Status) {
	s.owner[sc].healthState(s, sc, c, err)
}

// LoadReport does nothing: neither endpointSharding nor a Leaf calls WatchLoad.
func (s *endpointSharding) LoadReport(SubConn, *Load) {}

func (s *endpointSharding) newSubConn(p *pickFirst, a *Address) SubConn {
	sc := s.NewSubConn(a)
	for int(sc) >= len(s.owner) {
		s.owner = append(s.owner, nil)
	}
	s.owner[sc] = p
	return sc
}

// report takes a report of a child and publishes the state of all. A child that has lost its
// connection connects again by itself.
func (s *endpointSharding) report(p *pickFirst) {
	if p.counted != p.state {
		s.lost = s.lost || p.counted == Ready
		s.count[p.counted]--
		s.count[p.state]++
		p.counted = p.state
	}
	if !s.muted {
		s.publish()
	}
	if p.state == Idle && s.overseer == nil {
		s.AfterFunc(0, func() { p.exitIdle(s) })
	}
}
