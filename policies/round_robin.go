package policies

// RoundRobin sends RPCs to the READY endpoints in turn. The turn starts at random, anew whenever
// any connection of the channel changes its state.
//
// Source: grpc-go v1.85.0, balancer/roundrobin, which is endpointsharding and nothing more.
//
// Reacts to: connections that come and go, and to health where clients check it. Not to how slow a
// backend is, how loaded, or how often it fails.
//
// Traps: there are no weights, and an endpoint named twice counts once. A connection that flaps
// makes every turn start anew, so the spread becomes that of random picks.
type RoundRobin struct {
	// FromFirst starts each turn with the first endpoint of the list in place of a random one, as
	// grpc-java did before grpc/grpc-java#4462. grpc-go cannot.
	FromFirst bool `toml:"from_first" json:"-"`
}

// Doc describes the policy in a line.
func (RoundRobin) Doc() string {
	return "one after the other, from a random start"
}

// Build makes the balancer of one channel.
func (r RoundRobin) Build(h Host) Balancer {
	s := newEndpointSharding(h, nil)
	s.fromFirst = r.FromFirst
	return turns{s}
}

// turns is an endpointSharding without a leaf, and its options.
type turns struct{ *endpointSharding }

// Update takes the options, and the list.
func (t turns) Update(s State) error {
	if p, ok := s.Policy.(RoundRobin); ok {
		t.fromFirst = p.FromFirst
	}
	return t.endpointSharding.Update(s)
}
