package models

import "lbsim/policies"

// The capacity of a backend is how much work it can do for clients: workers × speed ÷ the factors
// by which it is slowed. It has none while it is down, while no client's resolver lists it, while
// black holes cut off all of its addresses that are listed, and while it says NOT_SERVING; and of
// the requests of which it answers a share with errors, that share finds none. So a policy that
// leaves such a backend alone is not one that leaves capacity unused. A backend that refuses new
// connections, or is mute to them, serves those that it has, and keeps its capacity.
//
// A client's last list holds until the next one, also while the client is idle. Behind an L4
// balancer a backend is listed while the balancer is. What a policy names itself, as the lists of
// grpclb do, is listed from then on.

// relist says which endpoints a channel's resolver lists from now on.
func (c *channel) relist(endpoints []*policies.Endpoint) {
	before := c.listed
	c.listed = endpoints
	c.w.countLists(endpoints, +1)
	c.w.countLists(before, -1)
}

// countLists says that so many clients more list these endpoints (or, negative, fewer).
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

// named says that a policy has learnt of addresses from elsewhere. They stay listed.
func (c *channel) named(list []*policies.Address) {
	for _, a := range list {
		if c.w.paths[a.ID].lists == 0 {
			c.w.countLists([]*policies.Endpoint{{Addresses: []*policies.Address{a}}}, +1)
		}
	}
}

// measureCapacity records the capacity that a backend has from now on.
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

// reachable says whether a way to a backend is listed that no black hole cuts off.
func (w *World) reachable(backend int32) bool {
	for _, a := range w.shown[backend].Addresses {
		p := &w.paths[a.ID]
		way := p
		if p.l4 > 0 { // a balancer takes the first address of a backend
			way = &w.paths[w.endpoints[backend].Addresses[0].ID]
		}
		if p.lists > 0 && way.cut == 0 {
			return true
		}
	}
	return false
}
