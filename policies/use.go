package policies

import "time"

// User is a Policy that lists what it needs of the clients and backends, so that lbsim can warn
// where that is absent. A Policy without Uses chooses among READY endpoints and reacts to health.
type User interface {
	// Uses returns what the policy needs, its children included.
	Uses() []Use
}

// Use is one thing that a policy needs.
type Use struct {
	What Thing
	// Option is the option that asks for the thing; "" for the policy as a whole.
	Option string
	// Name is the name of the header or of the child, where the Thing has one.
	Name string
	// Count is the least number of things, where they can be counted.
	Count uint64
	// Period is the least duration of the run, or the time in which Count RPCs must end.
	Period time.Duration
	// Path is the names of children on the way from the policy to the child with the need.
	Path []string
	// Without describes what happens without the thing; "" where that is no reason to warn.
	Without string
	// Fails reports whether all RPCs fail without the thing.
	Fails bool
}

// Thing is something that a policy can need.
type Thing uint8

// The things.
const (
	// Nothing is always absent: the options themselves lead to what Without describes.
	Nothing Thing = iota
	// LoadPerCall is load reports in trailers, LoadOutOfBand those on streams of their own.
	LoadPerCall
	LoadOutOfBand
	// Header is RPCs with a key in the header Name.
	Header
	// Health is the health service of backends.
	Health
	// Weights is the weights of endpoints, Zones their zones and the weights of these.
	Weights
	Zones
	// Endpoints is Count endpoints.
	Endpoints
	// Child is endpoints whose path leads to the child Name.
	Child
	// Time is a run longer than Period.
	Time
	// Calls is Count RPCs of one client that end in Period.
	Calls
	// Concurrency is Count RPCs of one client at a time.
	Concurrency
)

// UsesOf returns what a policy needs.
func UsesOf(p Policy) []Use {
	if u, ok := p.(User); ok {
		return u.Uses()
	}
	return []Use{{What: Health}}
}

// below returns what a child with a name needs.
func below(name string, child Policy) []Use {
	uses := UsesOf(child)
	all := make([]Use, len(uses))
	for i, u := range uses {
		u.Path = append([]string{name}, u.Path...)
		all[i] = u
	}
	return all
}

// listens reports whether a policy reacts to health.
func listens(p Policy) bool {
	for _, u := range UsesOf(p) {
		if u.What == Health {
			return true
		}
	}
	return false
}
