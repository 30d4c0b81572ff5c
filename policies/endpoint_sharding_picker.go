package policies

import "slices"

// errNoChildren is the failure where there are no endpoints.
var errNoChildren = &Status{Code: Unavailable, Text: "no children to pick from", Reason: NoChildren}

// publish reports the best state of any child, in the order READY, CONNECTING, IDLE,
// TRANSIENT_FAILURE, and a picker over the children in that state. A leaf gets an Update at once
// when a child leaves READY, and when the first one becomes READY, so that it sees endpoints that
// come and go between two picks.
func (s *endpointSharding) publish() {
	if s.decider != nil {
		s.reorder()
	}
	best := TransientFailure
	for _, c := range [...]Connectivity{Idle, Connecting, Ready} {
		if s.count[c] > 0 {
			best = c
		}
	}
	s.next = 0
	if !s.fromFirst {
		s.next = uint32(s.Rand().IntN(max(1, s.count[best]))) + 1
	}
	if s.overseer != nil {
		s.overseer.childrenChanged(s.count)
		return
	}
	another := s.lost || best != s.best
	s.best, s.lost, s.stale = best, false, true
	if another && s.leaf != nil {
		s.refresh()
	}
	s.UpdateState(best, s)
}

// refresh makes the lists to pick from, unless they are of the last report.
func (s *endpointSharding) refresh() {
	if !s.stale {
		return
	}
	s.stale = false
	s.picking, s.ready = s.picking[:0], s.ready[:0]
	for _, c := range s.children {
		switch {
		case c.state != s.best:
		case s.best == Ready:
			s.ready = append(s.ready, ReadyEndpoint{c.endpoint, c.list[c.at].sc})
		default:
			s.picking = append(s.picking, &c.pickFirst)
		}
	}
	if s.leaf != nil && s.best == Ready {
		s.leaf.Update(s.ready)
	}
}

// reorder puts the children into the order that the decider wants.
func (s *endpointSharding) reorder() {
	ids := make([]int32, len(s.children))
	for i, c := range s.children {
		ids[i] = c.endpoint.ID
	}
	s.decider.OrderChildren(ids)
	slices.SortFunc(s.children, func(a, b *endpointChild) int {
		return slices.Index(ids, a.endpoint.ID) - slices.Index(ids, b.endpoint.ID)
	})
}

// Pick takes the children of the best state in turn, or asks the leaf.
func (s *endpointSharding) Pick(c Call) Pick {
	if s.stale {
		s.refresh()
	}
	if s.leaf != nil && len(s.ready) > 0 {
		return s.leaf.Pick(c)
	}
	at := s.next
	s.next++
	switch {
	case len(s.ready) > 0:
		return Send(s.ready[at%uint32(len(s.ready))].SubConn)
	case len(s.picking) > 0:
		return s.picking[at%uint32(len(s.picking))].pick(s)
	}
	return Fail(errNoChildren)
}

// Done goes to the leaf. The turn needs none.
func (s *endpointSharding) Done(p Pick, o Outcome) {
	if s.leaf != nil {
		s.leaf.Done(p, o)
	}
}
