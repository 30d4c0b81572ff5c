package validation

import (
	"lbsim/policies"
	"lbsim/sim"
)

// leastOf is what theory knows of and grpc-go has not: of so many different backends drawn at
// random, 0 for all, the one with the fewest RPCs of this client; of equals, any. Of all it is join
// the shortest queue, if there is one client and no delay. It is no kind of lbsim's: where a value
// of it is compared, the machine is on trial, and not a policy.
type leastOf struct{ choices int }

func (leastOf) Doc() string { return "the one with the fewest RPCs of some different ones" }

// Build has the parent of random do the connecting, and gives it a picker of its own.
func (l leastOf) Build(h policies.Host) policies.Balancer {
	b := &leastBalancer{rand: h.Rand(), choices: l.choices}
	b.Balancer = policies.Random{}.Build(leastHost{h, b})
	return b
}

type leastBalancer struct {
	policies.Balancer
	rand     *sim.Rand
	choices  int
	ready    []policies.SubConn
	inFlight []int
	order    []int // the places of ready, in any order
}

func (b *leastBalancer) SubConnState(
	sc policies.SubConn, c policies.Connectivity, err *policies.Status,
) {
	if c == policies.Ready {
		b.order = append(b.order, len(b.ready))
		b.ready, b.inFlight = append(b.ready, sc), append(b.inFlight, 0)
	}
	b.Balancer.SubConnState(sc, c, err)
}

func (b *leastBalancer) Pick(policies.Call) policies.Pick {
	n := len(b.order)
	draws := n
	if b.choices > 0 {
		draws = min(n, b.choices)
	}
	best := -1
	for i := range draws {
		j := i + b.rand.IntN(n-i)
		b.order[i], b.order[j] = b.order[j], b.order[i]
		if k := b.order[i]; best < 0 || b.inFlight[k] < b.inFlight[best] {
			best = k
		}
	}
	b.inFlight[best]++
	p := policies.Send(b.ready[best])
	p.Note = uint64(best)
	return p
}

func (b *leastBalancer) Done(p policies.Pick, _ policies.Outcome) { b.inFlight[p.Note]-- }

type leastHost struct {
	policies.Host
	b *leastBalancer
}

func (h leastHost) UpdateState(c policies.Connectivity, p policies.Picker) {
	if c == policies.Ready {
		p = h.b
	}
	h.Host.UpdateState(c, p)
}
