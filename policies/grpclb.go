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

// GRPCLB takes its backends from a look-aside balancer, which a script plays here, and from the
// resolver while there is none.
//
// Source: grpc-go v1.85.0, balancer/grpclb (deprecated in gRPC in favour of xDS).
//
// Reacts to: the lists of the balancer and the end of its connection; connections that come and go.
//
// Traps: the entries of a list and the connections have two independent turns; the first begins at
// the head of a list, the second anywhere. RPCs are dropped only while a connection is READY.
// Errors of the resolver, and a list without addresses, are ignored. Left out: load reports to the
// balancer, and the connection to it: a list arrives at its moment. With PickFirst grpc-go has one
// SubConn of all addresses, which tries them one after the other; here they are tried as pick_first
// does, with head starts.
type GRPCLB struct {
	// PickFirst sends all RPCs to one of the backends. In a service config it is a childPolicy with
	// pick_first, and no round_robin before that.
	PickFirst ChildIsPickFirst `toml:"pick_first" json:"childPolicy"`
	// ServiceName is the service that the client asks the balancer for. When it changes the client
	// asks again.
	ServiceName string `toml:"service_name" json:"serviceName"`
	// Balancer has what the balancer sends, by moment ("0s", "10s") since the policy first got a
	// list of the resolver: a list of backends ("b/0", or "b" for a group), each as often as it
	// counts, and "drop" for RPCs to be dropped; or "lost" alone for the end of the connection; or
	// "fallback" alone for the order to use the resolver's list. The resolver need not list the
	// backends. Empty: there is no balancer.
	Balancer map[string][]string `toml:"balancer" json:"-"`
}

// ChildIsPickFirst reports whether a childPolicy is pick_first.
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
	fallbackTimeout = 10 * time.Second // in which the first list must come
	subConnCache    = 10 * time.Second // for which connections to backends in no list are kept
)

// Uses leaves out health, to which grpclb does not react, and warns of a missing balancer.
func (p GRPCLB) Uses() []Use {
	if len(p.Balancer) > 0 {
		return nil
	}
	return []Use{{
		Option: "balancer", Without: "is not given, so the backends are those of the resolver",
	}}
}

// Doc describes the policy in a line.
func (GRPCLB) Doc() string { return "the backends of a look-aside balancer in turn, and its drops" }

// Check refuses texts that are no moments.
func (p GRPCLB) Check() error {
	_, err := p.script()
	return err
}

// lbStep is one message of the balancer.
type lbStep struct {
	at   time.Duration
	list []string
}

const lbDrop, lbLost, lbFallback = "drop", "lost", "fallback"

// BackendNames returns the names in the balancer's lists.
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

// script returns the messages of the balancer in order of time.
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
	timers   []*sim.Call // of the script and of the fallback; nil before the script begins
	resolved []*Address  // the resolver's last list
	sent     []string    // the balancer's last list

	connected bool // there is a connection to the balancer
	received  bool // the balancer has ever sent a list
	fallback  bool // backends is the resolver's list
	pickFirst bool // one backend gets all RPCs

	full     []string    // the balancer's list with drops; nil without one
	backends []*Address  // of the balancer or the resolver, as often as they are named
	inUse    []SubConn   // one for each distinct backend
	to       []SubConn   // inUse by the ID of the address; noSubConn for other addresses
	subConns []lbSubConn // by number
	first    *pickFirst  // with pickFirst and any backends: owns the SubConns, and inUse is empty

	state  Connectivity
	picker Picker
	err    *Status // of the last connection that failed
}

// Update takes the resolver's list. The first Update begins the balancer's script.
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

// hear takes a message of the balancer.
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

// list takes a list of the balancer that is not the last one again.
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

// lose ends the connection to the balancer.
func (g *grpclb) lose() {
	g.ResolveNow()
	g.connected, g.full = false, nil
	if !g.fallback && g.state != Ready {
		g.refresh(g.resolved, true, g.pickFirst)
	}
}

// ResolverError is ignored: grpclb has a list already, or it would not have been built.
func (g *grpclb) ResolverError(*Status) {}

// ExitIdle has no effect: grpclb is never IDLE.
func (g *grpclb) ExitIdle() {}

// HealthState and LoadReport are never called, for grpclb watches neither.
func (g *grpclb) HealthState(SubConn, Connectivity, *Status) {}
func (g *grpclb) LoadReport(SubConn, *Load)                  {}
