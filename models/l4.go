package models

import (
	"slices"

	"lbsim/options"
	"lbsim/policies"
	"lbsim/sim"
)

// L4Balancer is a balancer of connections (a virtual IP, a TCP proxy, kube-proxy). It has one
// address. When a SYN arrives it chooses one of the backends behind it, and the connection goes
// there with all its RPCs. It chooses among the backends that are up: neither crashed nor stopped,
// which it knows at once. It knows nothing of other failures. If none is up it refuses the
// connection. It takes no time itself and does not fail.
//
// In the lists of resolvers its address replaces those of its backends, once.
//
// Fields with a tag are the keys of [l4.NAME] in an experiment.
type L4Balancer struct {
	// Name is its name in errors and in the texts of attempts to connect that failed.
	Name string
	// Backends are the names of those behind it: "api", "api/2" or "api/2-4". A backend is behind
	// one balancer at most.
	Backends []string `toml:"backends"`
	// Choice is how it chooses among them; random by default.
	Choice L4Choice `toml:"choice"`
}

// MostL4 is how many L4 balancers there may be: a SubConn names its own in a byte.
const MostL4 = 255

// check returns what is wrong with the balancer beside those that stand before it, or nil.
func (l *L4Balancer) check(c *Config, before []L4Balancer) error {
	if len(l.Backends) == 0 {
		return wrong(`must name at least one, such as ["api"]`)("backends")
	}
	mine, err := c.Select(l.Backends)
	if err != nil {
		return wrong("%w", err)("backends")
	}
	for i := range before {
		others, err := c.Select(before[i].Backends)
		if err != nil {
			return wrong("%w", err)("backends")
		}
		for _, n := range mine {
			if slices.Contains(others, n) {
				return wrong("%s is behind %q already: a backend has one address",
					c.backendName(int(n)), before[i].Name)("backends")
			}
		}
	}
	return options.Valid(nil, *l)
}

// L4Choice is how an L4 balancer chooses a backend for a connection.
type L4Choice uint8

const (
	// L4Random gives each backend the same chance, as kube-proxy does with iptables.
	L4Random L4Choice = iota
	// L4RoundRobin takes the backends in turn.
	L4RoundRobin
	// L4LeastConnections takes the backend with the fewest connections through the balancer, of
	// several the next in turn. A connection counts from its SYN until its SubConn leaves READY:
	// one that drains after a GOAWAY does not count.
	L4LeastConnections
)

var l4Choices = []string{"random", "round_robin", "least_connections"}

// String returns the choice as a user writes it.
func (c L4Choice) String() string { return word(c, l4Choices) }

// MarshalText writes the choice so that it reads back.
func (c L4Choice) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a choice.
func (c *L4Choice) UnmarshalText(text []byte) error {
	return readWord(c, "choice", text, l4Choices)
}

// l4 is an L4 balancer of a run.
type l4 struct {
	address  *policies.Address
	choice   L4Choice
	backends []*backend
	up       []*backend // scratch space of choose
	next     int        // index in backends of the one whose turn it is
	errs     dialErrors
}

// addL4 makes the L4 balancers and shows their endpoints in place of those of their backends.
func (w *World) addL4() {
	w.shown = w.endpoints
	if len(w.cfg.L4) == 0 {
		return
	}
	w.shown = slices.Clone(w.endpoints)
	w.connAddress = make([]int32, 1)
	for i := range w.cfg.L4 {
		cfg := &w.cfg.L4[i]
		place := uint8(i + 1)
		a := &policies.Address{
			ID: int32(len(w.paths)), Text: w.addressText(0, len(w.backends)+i),
		}
		first := w.Select(cfg.Backends)[0]
		e := w.newEndpoint([]*policies.Address{a}, w.backends[first].group)
		w.paths = append(w.paths, path{address: a, backend: -1, l4: place, alone: e})
		l := &l4{address: a, choice: cfg.Choice, errs: newDialErrors(cfg.Name)}
		for _, n := range w.Select(cfg.Backends) {
			l.backends = append(l.backends, &w.backends[n])
			w.shown[n] = e
		}
		w.l4 = append(w.l4, l)
	}
}

// once returns a list with the first occurrence of each L4 balancer.
func (w *World) once(list []*policies.Endpoint) []*policies.Endpoint {
	seen := make([]bool, len(w.l4)+1)
	kept := make([]*policies.Endpoint, 0, len(list))
	for _, e := range list {
		if len(e.Addresses) > 0 {
			if i := w.paths[e.Addresses[0].ID].l4; i > 0 {
				if seen[i] {
					continue
				}
				seen[i] = true
			}
		}
		kept = append(kept, e)
	}
	return kept
}

// choose returns a backend for a connection, nil where none is up; u is a uniform number of (0, 1).
func (l *l4) choose(u float64) *backend {
	n := len(l.backends)
	l.up = l.up[:0]
	for i := range n {
		if b := l.backends[(l.next+i)%n]; !b.down() {
			l.up = append(l.up, b)
		}
	}
	if len(l.up) == 0 {
		return nil
	}
	if l.choice == L4Random {
		return l.up[min(int(u*float64(len(l.up))), len(l.up)-1)]
	}
	best := l.up[0]
	for _, b := range l.up {
		if l.choice == L4LeastConnections && b.l4Conns < best.l4Conns {
			best = b
		}
	}
	l.next = (slices.Index(l.backends, best) + 1) % n
	return best
}

// forward makes the L4 balancer of an attempt choose a backend, and reports whether one is up. Of
// several addresses of a backend the balancer uses the first.
func (c *channel) forward(s *subConn) bool {
	b := c.w.l4[s.l4-1].choose(sim.Unit(sim.Mix(s.luck, saltL4)))
	if b == nil {
		return false
	}
	s.backend, s.address = int32(b.number), c.w.addresses(int32(b.number))[0]
	return true
}

// accept gives a number to a connection that a backend accepts. Numbers rise through the world, so
// a connection before a crash has a lower number than each one after it.
func (c *channel) accept(s *subConn, b *backend) {
	c.w.accepted++
	s.connNumber = c.w.accepted
	if c.w.connAddress != nil {
		c.w.connAddress = append(c.w.connAddress, s.address)
	}
	if s.l4 != 0 {
		b.l4Conns++
	}
}

// uncountL4 takes the connection of a SubConn, if it has one, off the count of the L4 balancer.
func (c *channel) uncountL4(s *subConn) {
	has := s.state == policies.Ready || s.state == policies.Connecting && s.connNumber != unaccepted
	if s.l4 != 0 && has {
		c.w.backends[s.backend].l4Conns--
	}
}

// pathOf returns the path on which an RPC was sent. Through an L4 balancer the current connection
// of the SubConn may lead elsewhere.
func (w *World) pathOf(r *rpc) *path {
	if w.connAddress != nil {
		return &w.paths[w.connAddress[r.connNumber]]
	}
	return &w.paths[w.clients[r.client].channel.subConns[r.sc].address]
}

// backendOf returns the backend to which an RPC was sent.
func (w *World) backendOf(r *rpc) *backend { return &w.backends[w.pathOf(r).backend] }
