package policies

import (
	"fmt"
	"slices"

	"lbsim/sim"
)

// LeastRequest draws a few READY endpoints at random and sends the RPC to the one on which this
// channel has the fewest RPCs in flight; of equals, to the first drawn. It sees its own RPCs only,
// not those of other clients, and an endpoint that fails fast looks idle to it.
//
// Source: grpc-go v1.85.0, balancer/leastrequest (least_request_experimental, gRFC A48).
//
// Reacts to: its own RPCs in flight, so to a backend that is slow, after as many RPCs as make a
// difference; and to connections that come and go.
//
// Traps: draws are with replacement, so of two endpoints the busier one still gets a quarter of the
// RPCs, unless they are distinct. A stream counts as one RPC for as long as it lasts. An endpoint
// that comes back starts from 0 and wins every comparison, at every client at once.
type LeastRequest struct {
	// ChoiceCount is how many endpoints are drawn for each RPC, 2 to 10; more counts as 10.
	ChoiceCount uint32 `toml:"choice_count" json:"choiceCount"`
	// Distinct draws without replacement, as the theory of two choices has it; where there are no
	// more endpoints than choices, all are drawn. grpc-go has no such option.
	Distinct bool `toml:"distinct" json:"-"`
}

const mostChoices = 10

// Check refuses fewer than two choices.
func (l LeastRequest) Check() error {
	if l.ChoiceCount < 2 {
		return fmt.Errorf("choice_count: must be >= 2 (is %d)", l.ChoiceCount)
	}
	return nil
}

// Doc says what the policy does.
func (LeastRequest) Doc() string {
	return "of a few drawn at random, the one with the fewest RPCs of this client in flight"
}

// Build makes the balancer of one channel.
func (l LeastRequest) Build(h Host) Balancer {
	b := &leastRequest{rand: h.Rand()}
	b.configure(l)
	return newShard(h, b)
}

type leastRequest struct {
	rand     *sim.Rand
	choices  uint32
	distinct bool
	ready    []counted

	// A counter counts the RPCs in flight on an endpoint for as long as it stays READY. When it
	// leaves, RPCs still in flight count down the old counter; if it comes back it starts from 0
	// with another. The counts are apart from what is rarely asked for.
	inflight  []int32
	counters  []counter
	left      int // counters of endpoints that have left
	free      []int32
	counterOf []int32 // by endpoint ID: index of its counter, or -1
	updates   uint32
}

func (l *leastRequest) configure(p Policy) {
	o := p.(LeastRequest)
	l.choices, l.distinct = min(o.ChoiceCount, mostChoices), o.Distinct
}

// counted is a READY endpoint and its counter.
type counted struct {
	sc      SubConn
	counter int32
}

// counter is whose RPCs in flight are counted.
type counter struct {
	endpoint int32  // ID, -1 once it has left
	seen     uint32 // number of the last Update that brought the endpoint
}

// Update drops the counters of endpoints that are no longer READY and makes those of new ones.
func (l *leastRequest) Update(ready []ReadyEndpoint) {
	l.updates++
	l.ready = l.ready[:0]
	for _, e := range ready {
		l.ready = append(l.ready, counted{e.SubConn, l.keepCounter(e.ID)})
	}
	for i := range l.counters {
		if c := &l.counters[i]; c.endpoint >= 0 && c.seen != l.updates {
			l.counterOf[c.endpoint] = -1
			c.endpoint = -1
			l.left++
			l.release(int32(i))
		}
	}
}

// keepCounter returns the counter of an endpoint.
func (l *leastRequest) keepCounter(endpoint int32) int32 {
	for int(endpoint) >= len(l.counterOf) {
		l.counterOf = append(l.counterOf, -1)
	}
	i := l.counterOf[endpoint]
	if i < 0 {
		if n := len(l.free); n > 0 {
			i, l.free = l.free[n-1], l.free[:n-1]
		} else {
			i = int32(len(l.counters))
			l.counters, l.inflight = append(l.counters, counter{}), append(l.inflight, 0)
		}
		l.counterOf[endpoint] = i
		l.counters[i] = counter{endpoint: endpoint}
	}
	l.counters[i].seen = l.updates
	return i
}

// release makes a counter that is no longer used free for another endpoint.
func (l *leastRequest) release(i int32) {
	if l.counters[i].endpoint < 0 && l.inflight[i] == 0 {
		l.left--
		l.free = append(l.free, i)
	}
}

// Pick counts an RPC when it is picked, not when it is sent, so two picks at one instant see each
// other (A48).
func (l *leastRequest) Pick(Call) Pick {
	var best counted
	if l.distinct {
		best = l.leastOfDistinct()
	} else {
		least := int32(-1)
		for range l.choices {
			c := l.ready[l.rand.Uint32()%uint32(len(l.ready))]
			if n := l.inflight[c.counter]; least < 0 || n < least {
				best, least = c, n
			}
		}
	}
	l.inflight[best.counter]++
	return Pick{Verdict: Sent, SubConn: best.sc, Note: uint64(best.counter)}
}

// leastOfDistinct draws anew what it has drawn already.
func (l *leastRequest) leastOfDistinct() (best counted) {
	var drawn [mostChoices]uint32
	n, least := uint32(len(l.ready)), int32(-1)
	for k := range min(l.choices, n) {
		i := l.rand.Uint32() % n
		for slices.Contains(drawn[:k], i) {
			i = l.rand.Uint32() % n
		}
		drawn[k] = i
		c := l.ready[i]
		if f := l.inflight[c.counter]; least < 0 || f < least {
			best, least = c, f
		}
	}
	return best
}

// Done counts down the counter that Pick counted up.
func (l *leastRequest) Done(p Pick, _ Outcome) {
	l.inflight[p.Note]--
	if l.left > 0 {
		l.release(int32(p.Note))
	}
}
