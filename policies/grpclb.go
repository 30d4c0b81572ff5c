package policies

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"lbsim/sim"
)

// GRPCLB takes its backends from a look-aside balancer, which is told here in a script, and from
// the resolver while there is none.
//
// Source: grpc-go v1.85.0, balancer/grpclb (deprecated in gRPC in favour of xDS).
//
// Reacts to: the lists of the balancer and the end of its connection; connections that come and go.
//
// Traps: which entry of a list is next and which connection is next are two turns that have nothing
// to do with each other; the first begins with a list at its head, the second anywhere. Drops count
// only while a connection is READY. Errors of the resolver, and a list without addresses, are
// ignored. Left out: load reports to the balancer, and how the connection to it comes about: a list
// is there at its moment. With PickFirst grpc-go has one SubConn of all addresses, which tries them
// one after the other; here they are tried as pick_first does, with head starts.
type GRPCLB struct {
	// PickFirst uses one of the backends in place of all; in a service config, childPolicy with
	// pick_first in it and no round_robin before.
	PickFirst ChildIsPickFirst `toml:"pick_first" json:"childPolicy"`
	// ServiceName is whom the client asks the balancer for; with another it asks anew.
	ServiceName string `toml:"service_name" json:"serviceName"`
	// Balancer holds, by the moment ("0s", "10s") from when the policy first has a list of the
	// resolver, what the balancer sends: a list of backends ("b/0", or "b" for a group), as often
	// each as it should count, and "drop" for RPCs to be dropped; or "lost" alone for the end of
	// the connection, or "fallback" alone for the order to do without. The resolver need not list
	// them. Empty: there is no balancer.
	Balancer map[string][]string `toml:"balancer" json:"-"`
}

// ChildIsPickFirst is whether a childPolicy stands for pick_first.
type ChildIsPickFirst bool

// UnmarshalJSON reads a list of policies.
func (c *ChildIsPickFirst) UnmarshalJSON(text []byte) error {
	var list []map[string]json.RawMessage
	if json.Unmarshal(text, &list) != nil {
		return errors.New("must be a list of policies")
	}
	*c = false
	for _, p := range list {
		if _, ok := p["round_robin"]; ok {
			break
		}
		if _, ok := p["pick_first"]; ok {
			*c = true
			break
		}
	}
	return nil
}

const (
	fallbackTimeout = 10 * time.Second // until the first list
	subConnCache    = 10 * time.Second // for which connections are kept that are in no list
)

// Uses says that it does not hear of health, and what it does without a balancer.
func (p GRPCLB) Uses() []Use {
	if len(p.Balancer) > 0 {
		return nil
	}
	return []Use{{
		Option: "balancer", Without: "is not given, so the backends are those of the resolver",
	}}
}

// Doc says what the policy does.
func (GRPCLB) Doc() string { return "the backends of a look-aside balancer in turn, and its drops" }

// Check refuses moments that are none.
func (p GRPCLB) Check() error {
	_, err := p.script()
	return err
}

// lbStep is something that the balancer does.
type lbStep struct {
	at   time.Duration
	list []string
}

const lbDrop, lbLost, lbFallback = "drop", "lost", "fallback"

// BackendNames returns those in the balancer's lists.
func (p GRPCLB) BackendNames() (option string, names []string) {
	for _, at := range slices.Sorted(maps.Keys(p.Balancer)) {
		for _, word := range p.Balancer[at] {
			if word != lbDrop && word != lbLost && word != lbFallback {
				names = append(names, word)
			}
		}
	}
	return "balancer", names
}

// script returns what the balancer does, in order of time.
func (p GRPCLB) script() (steps []lbStep, err error) {
	for _, at := range slices.Sorted(maps.Keys(p.Balancer)) {
		d, err := time.ParseDuration(at)
		if err != nil || d < 0 {
			return nil, fmt.Errorf(`balancer: %q is no moment, such as "10s"`, at)
		}
		list := p.Balancer[at]
		for _, word := range list {
			if (word == lbLost || word == lbFallback) && len(list) > 1 {
				return nil, fmt.Errorf("balancer: %q: %q must stand alone", at, word)
			}
		}
		steps = append(steps, lbStep{d, list})
	}
	slices.SortStableFunc(steps, func(a, b lbStep) int { return cmp.Compare(a.at, b.at) })
	return steps, nil
}

// Build makes the balancer of one channel.
func (p GRPCLB) Build(h Host) Balancer {
	return &grpclb{Host: h, options: p, picker: queue}
}

type grpclb struct {
	Host
	options  GRPCLB
	timers   []*sim.Call // of the script and the fallback, nil before it has begun
	resolved []*Address  // what it names now
	sent     []string    // the last list of the balancer

	connected bool // to the balancer
	received  bool // a list, ever
	fallback  bool // the backends are those of the resolver
	pickFirst bool // one of them is used

	full     []string    // the list, nil without one
	backends []*Address  // of the list or of the resolver, as often as they are named
	inUse    []SubConn   // one for each of them
	to       []SubConn   // the same by the ID of the address, noSubConn for others
	subConns []lbSubConn // by number
	first    *pickFirst  // in place of those, with pickFirst

	state  Connectivity
	picker Picker
	err    *Status // of the last connection that failed
}

// Update takes the resolver's list, and begins the balancer's script.
func (g *grpclb) Update(s State) error {
	if p, ok := s.Policy.(GRPCLB); ok {
		other := p.ServiceName != g.options.ServiceName
		g.options = p
		if other && g.connected {
			g.lose()
			g.AfterFunc(0, func() { g.list(g.sent) })
		}
	}
	if want := bool(g.options.PickFirst); want != g.pickFirst {
		g.refresh(g.backends, g.fallback, want)
	}
	var list []*Address
	for _, e := range s.Endpoints {
		list = append(list, e.Addresses...)
	}
	alone := len(g.options.Balancer) == 0
	if len(list) == 0 && alone {
		return errors.New("bad resolver state")
	}
	if !alone && g.timers == nil {
		g.begin()
	}
	g.resolved = list
	if alone || g.fallback {
		g.refresh(g.resolved, true, g.pickFirst)
	}
	return nil
}

// begin begins the script.
func (g *grpclb) begin() {
	steps, err := g.options.script()
	if err != nil {
		panic(err) // Check has refused it
	}
	for _, s := range steps {
		g.timers = append(g.timers, g.AfterFunc(s.at, func() { g.hear(s.list) }))
	}
	g.timers = append(g.timers, g.AfterFunc(fallbackTimeout, func() {
		if !g.fallback && !g.received {
			g.refresh(g.resolved, true, g.pickFirst)
		}
	}))
}

// hear is what the balancer sends.
func (g *grpclb) hear(list []string) {
	switch strings.Join(list, " ") {
	case lbLost:
		g.lose()
	case lbFallback:
		g.refresh(g.resolved, true, g.pickFirst)
	default:
		g.sent = list
		g.list(list)
	}
}

// list takes a list of the balancer, unless it is the one before.
func (g *grpclb) list(list []string) {
	g.connected, g.received = true, true
	var backends []*Address
	full := []string{}
	for _, word := range list {
		if word == lbDrop {
			full = append(full, word)
			continue
		}
		for _, a := range g.AddressesOf(word) {
			full, backends = append(full, a.Text), append(backends, a)
		}
	}
	if g.full != nil && slices.Equal(g.full, full) {
		return
	}
	g.full = full
	g.refresh(backends, false, g.pickFirst)
}

// lose is the end of the connection to the balancer.
func (g *grpclb) lose() {
	g.ResolveNow()
	g.connected, g.full = false, nil
	if !g.fallback && g.state != Ready {
		g.refresh(g.resolved, true, g.pickFirst)
	}
}

// ResolverError is ignored: it would not be at work had the resolver never worked.
func (g *grpclb) ResolverError(*Status) {}

// ExitIdle has no effect: it never waits in Idle.
func (g *grpclb) ExitIdle() {}

// HealthState and LoadReport are not asked for.
func (g *grpclb) HealthState(SubConn, Connectivity, *Status) {}
func (g *grpclb) LoadReport(SubConn, *Load)                  {}
