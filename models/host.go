package models

import (
	"slices"
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// The channel as the Host of its balancer. The methods are those of [policies.Host]; what they ask
// for becomes a wish.

// NewSubConn implements policies.Host. The SubConn is IDLE until the balancer connects it.
func (c *channel) NewSubConn(a *policies.Address) policies.SubConn {
	p := &c.w.paths[a.ID]
	c.subConns = append(c.subConns, subConn{backend: p.backend, address: a.ID, l4: p.l4})
	c.targets = append(c.targets, subConnTarget{})
	return policies.SubConn(len(c.subConns) - 1)
}

// AddressesOf implements policies.Host. Each address is in the list once, however many backends
// have it.
func (c *channel) AddressesOf(name string) (list []*policies.Address) {
	backends, err := c.w.cfg.Select([]string{name})
	if err != nil {
		return nil
	}
	for _, b := range backends {
		for _, a := range c.w.shown[b].Addresses {
			if !slices.Contains(list, a) { // an L4 balancer is the address of several
				list = append(list, a)
			}
		}
	}
	c.named(list)
	return list
}

func (c *channel) ResolveNow()                  { c.resolver.resolveNow() }
func (c *channel) Connect(sc policies.SubConn)  { c.wish(sc, wishConnect) }
func (c *channel) Shutdown(sc policies.SubConn) { c.wish(sc, wishShutDown) }

// wish records a wish for fulfil.
func (c *channel) wish(sc policies.SubConn, what wishKind) {
	c.wishes = append(c.wishes, wish{sc: sc, what: what})
}

// UpdateState implements policies.Host. Buffered RPCs are offered to the new picker when the policy
// has returned.
func (c *channel) UpdateState(s policies.Connectivity, p policies.Picker) {
	c.picker, c.newPicker = p, true
	c.setChannelState(s)
}

// setChannelState changes the state of the channel. Only the trace shows it.
func (c *channel) setChannelState(s policies.Connectivity) {
	if t := c.w.cfg.Trace; t != nil && s != c.state {
		t.add(TraceEntry{At: c.k.Now(), What: ChannelChanged, Client: c.number, State: s})
	}
	c.state = s
}

func (c *channel) Method() string         { return c.group.Method }
func (c *channel) Follower() sim.Follower { return c.k.Follower() }
func (c *channel) Now() sim.Time          { return c.k.Now() }
func (c *channel) Rand() *sim.Rand        { return c.rand }

// AfterFunc implements policies.Host. What f asks for is fulfilled when f has returned.
func (c *channel) AfterFunc(d time.Duration, f func()) *sim.Call {
	return c.k.AfterFunc(d, func() {
		f()
		c.fulfil()
	})
}
