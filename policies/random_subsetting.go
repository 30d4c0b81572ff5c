package policies

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
)

// RandomSubsetting gives its child a random part of the endpoints, so that a large fleet of clients
// needs fewer connections. Each channel draws a part of its own. The part changes little with the
// list: an endpoint that comes or goes changes at most one other.
//
// Source: grpc-go v1.85.0, balancer/randomsubsetting (random_subsetting_experimental, gRFC A68).
//
// Reacts to: the list, and what its child reacts to within the part.
//
// Traps: the hash is of an address as grpc-go prints it, not of the bare address. The part is in
// the order of hashes; a list that is no longer than the part keeps its order. Parts are drawn
// independently, so some endpoints have more clients than others.
type RandomSubsetting struct {
	// SubsetSize is the number of endpoints that a channel uses, at least 1.
	SubsetSize uint32 `toml:"subset_size" json:"subsetSize"`
	// Child is the policy that picks among them.
	Child Policy `toml:"child" json:"childPolicy"`
}

// Check refuses an empty part and a config without a child.
func (r RandomSubsetting) Check() error {
	switch {
	case r.SubsetSize == 0:
		return errors.New("subset_size: must be greater than 0")
	case r.Child == nil:
		return errors.New("child: must be specified, such as \"round_robin\"")
	}
	return nil
}

// Uses asks for more endpoints than are in a part.
func (r RandomSubsetting) Uses() []Use {
	return append(UsesOf(r.Child), Use{
		What: Endpoints, Option: "subset_size", Count: uint64(r.SubsetSize) + 1,
		Without: "each client uses all",
	})
}

// Doc describes the policy in a line.
func (RandomSubsetting) Doc() string {
	return "another policy, over a random part of the endpoints"
}

// Build makes the balancer of one channel, and draws its seed.
func (r RandomSubsetting) Build(h Host) Balancer {
	return &randomSubsetting{newGracefulSwitch(h), r, h.Rand().Uint64()}
}

type randomSubsetting struct {
	*gracefulSwitch
	options RandomSubsetting
	seed    uint64
}

// Update gives the child its part of a list.
func (r *randomSubsetting) Update(s State) error {
	if o, ok := s.Policy.(RandomSubsetting); ok {
		r.options = o
	}
	part := subset(s.Endpoints, r.options.SubsetSize, r.seed)
	return r.gracefulSwitch.Update(State{Endpoints: part, Policy: r.options.Child})
}

// subset returns up to size endpoints: those with the least hashes, in their order.
func subset(endpoints []*Endpoint, size uint32, seed uint64) []*Endpoint {
	empty := func(e *Endpoint) bool { return len(e.Addresses) == 0 }
	if slices.ContainsFunc(endpoints, empty) {
		endpoints = slices.DeleteFunc(slices.Clone(endpoints), empty)
	}
	if uint64(len(endpoints)) <= uint64(size) {
		return endpoints
	}
	type hashed struct {
		*Endpoint
		hash uint64
	}
	list := make([]hashed, len(endpoints))
	var text []byte
	for i, e := range endpoints {
		text = append(text[:0], "{Addr: "...)
		text = strconv.AppendQuote(text, e.Addresses[0].Text)
		text = append(text, `, ServerName: "", }`...)
		list[i] = hashed{e, xxHash(seed, text)}
	}
	slices.SortFunc(list, func(a, b hashed) int { return cmp.Compare(a.hash, b.hash) })
	part := make([]*Endpoint, size)
	for i := range part {
		part[i] = list[i].Endpoint
	}
	return part
}
