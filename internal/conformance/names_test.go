package conformance

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"google.golang.org/grpc/resolver"
)

// scheme is that of the targets that fakeNames resolves.
const scheme = "conformance"

// fakeNames is the resolver of all channels of a play: each gets what the steps say.
type fakeNames struct {
	net          *fakeNet
	ignoresHints bool     // hints are not recorded
	paths        []string // of backends

	mu       sync.Mutex
	now      *resolver.State // nil before the first list
	config   string          // with it
	channels []resolver.ClientConn
}

func (n *fakeNames) Scheme() string { return scheme }

func (n *fakeNames) Build(t resolver.Target, cc resolver.ClientConn, _ resolver.BuildOptions) (
	resolver.Resolver, error) {
	channel := remembered(t.Endpoint())
	// The channel has said so itself, just before it builds the resolver.
	channel.rec.channelIs(channel.client, "CONNECTING")
	n.mu.Lock()
	n.channels = append(n.channels, cc)
	now, config := n.now, n.config
	n.mu.Unlock()
	if now != nil {
		cc.UpdateState(with(*now, cc, config))
	}
	return &fakeResolver{channel, n, cc}, nil
}

// with is a state with a service config, of which there is none where the text is empty.
func with(s resolver.State, cc resolver.ClientConn, config string) resolver.State {
	if config != "" {
		s.ServiceConfig = cc.ParseServiceConfig(config)
	}
	return s
}

// list tells every channel a new list of endpoints, each of addresses by their numbers.
func (n *fakeNames) list(endpoints [][]int, config string) {
	for _, name := range []string{"pick_first", "round_robin"} {
		config = strings.ReplaceAll(config, `"`+name+`"`, `"traced_`+name+`"`)
	}
	state := &resolver.State{}
	for _, addresses := range endpoints {
		var e resolver.Endpoint
		for _, a := range addresses {
			e.Addresses = append(e.Addresses, resolver.Address{Addr: n.net.hosts[a].address})
		}
		if len(addresses) > 0 && addresses[0] < len(n.paths) { // each has one
			e = setPath(e, strings.Split(n.paths[addresses[0]], "/"))
		}
		state.Endpoints = append(state.Endpoints, e)
	}
	n.mu.Lock()
	n.now, n.config = state, config
	channels := n.channels
	n.mu.Unlock()
	for _, cc := range channels {
		cc.UpdateState(with(*state, cc, config))
	}
}

// fail tells every channel that the resolution has failed.
func (n *fakeNames) fail() {
	n.mu.Lock()
	channels := n.channels
	n.mu.Unlock()
	for _, cc := range channels {
		cc.ReportError(errors.New("no answer"))
	}
}

// fakeResolver is the resolver of one channel. It takes down the hints to look again.
type fakeResolver struct {
	channel *tracedConn
	names   *fakeNames
	cc      resolver.ClientConn
}

func (r *fakeResolver) ResolveNow(resolver.ResolveNowOptions) {
	if !r.names.ignoresHints {
		r.channel.rec.add(resolverOf(r.channel.client), "is hinted at")
	}
}

// Close is when the channel gets idle or is closed.
func (r *fakeResolver) Close() {
	n := r.names
	n.mu.Lock()
	defer n.mu.Unlock()
	n.channels = slices.DeleteFunc(slices.Clone(n.channels),
		func(cc resolver.ClientConn) bool { return cc == r.cc })
}
