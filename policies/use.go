package policies

import "time"

// User is a Policy that says what of the world around it it makes use of, so that whoever asks for
// it can be told what is not there. A policy that does not say chooses among READY endpoints and
// hears of their health.
type User interface {
	// Uses says what the policy uses, its children included.
	Uses() []Use
}

// Use is the use that a policy makes of something.
type Use struct {
	What Thing
	// Option is the option that asks for it; "" for the policy as a whole.
	Option string
	// Name is that of the header or of the child, where the Thing has one.
	Name string
	// Count is how many there must be, where it can be counted.
	Count uint64
	// Period is how long the run must last, or in what time Count RPCs must end.
	Period time.Duration
	// Path leads from the policy to the child that uses it: the names of children on the way.
	Path []string
	// Without says what becomes of the RPCs where it is not there; "" where nothing is amiss then.
	Without string
	// Fails says that all RPCs fail without it.
	Fails bool
}

// Thing is something that a policy may use.
type Thing uint8

// The things.
const (
	// Nothing is what no world can offer: the options make the policy do what Without says.
	Nothing Thing = iota
	// LoadPerCall is reports of load with replies, LoadOutOfBand those apart from any RPC.
	LoadPerCall
	LoadOutOfBand
	// Header is RPCs with a key in the header Name.
	Header
	// Health is what backends say of their health.
	Health
	// Weights is the weights of endpoints, Zones their zones and the weights of these.
	Weights
	Zones
	// Endpoints is Count endpoints.
	Endpoints
	// Child is endpoints whose path leads to the child Name.
	Child
	// Time is a run that is longer than Period.
	Time
	// Calls is Count RPCs of one client that end within Period.
	Calls
	// Concurrency is Count RPCs of one client at a time.
	Concurrency
)

// UsesOf says what a policy uses.
func UsesOf(p Policy) []Use {
	if u, ok := p.(User); ok {
		return u.Uses()
	}
	return []Use{{What: Health}}
}

// below says what a child uses to which the path of an endpoint leads by a name.
func below(name string, child Policy) []Use {
	uses := UsesOf(child)
	all := make([]Use, len(uses))
	for i, u := range uses {
		u.Path = append([]string{name}, u.Path...)
		all[i] = u
	}
	return all
}

// listens says whether a policy hears of health.
func listens(p Policy) bool {
	for _, u := range UsesOf(p) {
		if u.What == Health {
			return true
		}
	}
	return false
}
