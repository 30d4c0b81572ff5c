package policies

import "errors"

// Leaf is a policy that chooses among READY endpoints and leaves the connecting to its parent:
// most policies. The parent is gRPC's endpointsharding with a pick_first for each endpoint.
type Leaf interface {
	// Update brings the endpoints that are READY, at least one, in the resolver's order. The slice
	// is good until the next Update. Endpoints that get READY beside others may come together, just
	// before the next Pick.
	Update(ready []ReadyEndpoint)
	Picker
}

// configurable is a Leaf whose options may change while it is at work.
type configurable interface{ configure(p Policy) }

// ReadyEndpoint is an endpoint and its connection.
type ReadyEndpoint struct {
	*Endpoint
	SubConn SubConn
}

// shard runs a pick_first for each endpoint and picks among them.
//
// Source: grpc-go v1.85.0, balancer/endpointsharding, with automatic reconnection. Its own picker
// takes the children of the best state in turn, from a random start that is drawn anew at each
// report; that picker is the whole of round_robin. A leaf takes its place while a child is READY.
// An overseer takes its place in every state; then children wait to be woken at the beginning, and
// again when they have lost their connection.
//
// While a thousand endpoints connect there are a thousand reports and more. So that this takes no
// million steps, the lists to pick from are made when the first Pick after a report asks for them.
type shard struct {
	Host
	leaf     Leaf     // nil for round_robin
	overseer overseer // nil for all but ring_hash
	children []*shardChild
	owner    []*pickFirst    // of each SubConn, by its number
	muted    bool            // children change without a report, until all have
	count    [Shutdown]int   // of the children, by state
	best     Connectivity    // of them as reported
	lost     bool            // a child has left READY, or the list is another, since the report
	stale    bool            // ready and picking are of an earlier report
	ready    []ReadyEndpoint // the children in the best state, if that is READY;
	picking  []*pickFirst    // if it is another
	next     uint32          // the next one to pick of them, modulo their number

	fromFirst bool // turns start with the first child, not at random
}

type shardChild struct {
	pickFirst
	endpoint *Endpoint
}

// overseer is a policy that makes its state and its picker of all children, in whatever state they
// are, and that says which of them connect when.
type overseer interface {
	// childrenChanged is told when the shard would report.
	childrenChanged(count [Shutdown]int)
}

func newShard(h Host, leaf Leaf) *shard { return &shard{Host: h, leaf: leaf} }

// Update makes a child for each new endpoint and closes those of endpoints that are gone. The
// children are told in the resolver's order from a random start on.
func (s *shard) Update(st State) error {
	if l, ok := s.leaf.(configurable); ok && st.Policy != nil {
		l.configure(st.Policy)
	}
	n := len(st.Endpoints)
	s.muted = true
	start := 0
	if n > 0 {
		start = s.Rand().IntN(n)
	}
	byID := s.byID(st)
	fresh := make([]shardChild, n) // one allocation for all that are new
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
func (s *shard) byID(st State) []*shardChild {
	var most int32 = -1
	for _, e := range st.Endpoints {
		most = max(most, e.ID)
	}
	for _, c := range s.children {
		most = max(most, c.endpoint.ID)
	}
	byID := make([]*shardChild, most+1)
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
func (s *shard) replaceChildren(st State, byID []*shardChild) {
	for _, c := range s.children {
		if !c.listed {
			c.close(s)
		}
	}
	s.children = make([]*shardChild, 0, len(st.Endpoints))
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

// ResolverError tells every child.
func (s *shard) ResolverError(err *Status) {
	s.muted = true
	for _, c := range s.children {
		c.resolverError(s, err)
	}
	s.muted = false
	s.publish()
}

// ExitIdle tells every child.
func (s *shard) ExitIdle() {
	s.muted = true
	for _, c := range s.children {
		c.exitIdle(s)
	}
	s.muted = false
	s.publish()
}

// Close closes every child. The picker stays as it was.
func (s *shard) Close() {
	s.refresh()
	for _, c := range s.children {
		c.close(s)
	}
}

// SubConnState tells the child whose SubConn it is.
func (s *shard) SubConnState(sc SubConn, c Connectivity, err *Status) {
	p := s.owner[sc]
	p.subConnState(s, sc, c, err)
}

// HealthState tells the child whose SubConn it is.
func (s *shard) HealthState(sc SubConn, c Connectivity, err *Status) {
	s.owner[sc].healthState(s, sc, c, err)
}

// LoadReport is for leaves that ask for it.
func (s *shard) LoadReport(SubConn, *Load) {}

func (s *shard) newSubConn(p *pickFirst, a *Address) SubConn {
	sc := s.NewSubConn(a)
	for int(sc) >= len(s.owner) {
		s.owner = append(s.owner, nil)
	}
	s.owner[sc] = p
	return sc
}

// report publishes the state of all when that of one has changed. A child that has lost its
// connection connects again by itself.
func (s *shard) report(p *pickFirst) {
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
