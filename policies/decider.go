package policies

// Decider is a Host that decides what is left to chance in grpc-go where no test can take over: the
// order of Go's maps, and one draw. The Host of a port that plays in lockstep with its original is
// one. Simulated channels are none: then endpoints are in the resolver's order, names in that of
// the alphabet, and draws are from Rand.
//
// A policy asks once, when it is built. The Hosts that policies with children put in between let
// the question through.
type Decider interface {
	// OrderChildren puts the children of [NewEndpointSharding], given by the IDs of their
	// endpoints, into the order that they have in the next report.
	OrderChildren(ids []int32)
	// OrderNames puts the names of children into the order in which the next call goes to them.
	OrderNames(names []string)
	// OrderEjections puts endpoints that outlier_detection is to eject, or to let back, in one
	// sweep into order.
	OrderEjections(ids []int32)
	// DrawEjection returns a number of [0, 100): an outlier is ejected if it is less than the
	// enforcement percentage.
	DrawEjection() int
}

// deciderOf returns the Decider that h is or is a wrapper of; nil if there is none.
func deciderOf(h Host) Decider {
	for {
		if d, ok := h.(Decider); ok {
			return d
		}
		w, ok := h.(hostWrapper)
		if !ok {
			return nil
		}
		h = w.wrapped()
	}
}

// hostWrapper is a policy, or a part of one, that is the Host of a policy inside it.
type hostWrapper interface{ wrapped() Host }

func (c *child) wrapped() Host              { return c.Host }
func (d *delegate) wrapped() Host           { return d.Host }
func (w *weightedRoundRobin) wrapped() Host { return w.Host }
