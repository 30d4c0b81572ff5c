package models

import "lbsim/policies"

// The capacity of a backend is the work that it can do for clients: workers × speed ÷ its slow-down
// factors, in seconds of work per second. It is 0 while the backend is down, while no client's
// resolver lists it, while black holes cut off all of its listed addresses, and while its health is
// NOT_SERVING. A failure of kind errors takes its share of the capacity. So a policy that avoids
// such a backend does not leave capacity unused. A backend that refuses new connections, or is mute
// to them, serves on those that it has and keeps its capacity.
//
// A client's latest list counts until the next one, also while the client is idle. Behind an L4
// balancer a backend is listed while the balancer is. Addresses that a policy names itself, from
// the lists of grpclb, are listed from then on.

// relist sets the endpoints that a channel's resolver lists.
func (c *channel) relist(endpoints []*policies.Endpoint) {
	before := c.listed
	c.listed = endpoints
	c.w.countLists(endpoints, +1)
	c.w.countLists(before, -1)
}

// countLists records that by more clients list these endpoints (or, negative, fewer).
func (w *World) countLists(endpoints []*policies.Endpoint, by int) {
	for _, e := range endpoints {
		for _, a := range e.Addresses {
			p := &w.paths[a.ID]
			was := p.lists
			p.lists += by
			switch {
			case (was > 0) == (p.lists > 0):
			case p.l4 > 0:
				for _, b := range w.l4[p.l4-1].backends {
					w.measureCapacity(int32(b.number))
				}
			default:
				w.measureCapacity(p.backend)
			}
		}
	}
}

// named records that a policy got addresses from elsewhere than the resolver. They are listed to
// the end of the run.
func (c *channel) named(list []*policies.Address) {
	for _, a := range list {
		if c.w.paths[a.ID].lists == 0 {
			c.w.countLists([]*policies.Endpoint{{Addresses: []*policies.Address{a}}}, +1)
		}
	}
}

// measureCapacity records the current capacity of a backend.
func (w *World) measureCapacity(backend int32) {
	b := &w.backends[backend]
	rate := 0.0
	if !b.down() && b.notServing == 0 && w.reachable(backend) {
		rate = float64(b.group.Workers) / b.timePerWork
		if n := len(b.failing); n > 0 {
			rate *= 1 - b.failing[n-1].ratio
		}
	}
	w.rec.Capacities[backend].Set(w.k.Now(), rate)
}

// reachable reports whether some address of a backend is listed and not cut off.
func (w *World) reachable(backend int32) bool {
	for _, a := range w.shown[backend].Addresses {
		p := &w.paths[a.ID]
		way := p
		if p.l4 > 0 { // an L4 balancer uses the first address of a backend
			way = &w.paths[w.endpoints[backend].Addresses[0].ID]
		}
		if p.lists > 0 && way.cut == 0 {
			return true
		}
	}
	return false
}
