package policies

import (
	"fmt"
	"math"
	"slices"

	"lbsim/sim"
)

// LeastRequest draws a few READY endpoints at random and sends the RPC to the one on which this
// channel has the fewest RPCs in flight; of equals, to the first drawn. It counts its own RPCs, not
// those of other clients. An endpoint that fails fast has few RPCs in flight and attracts more.
//
// Source: grpc-go v1.85.0, balancer/leastrequest (least_request_experimental, gRFC A48).
//
// Reacts to: its own RPCs in flight, so to a backend that is slow, after as many RPCs as make a
// difference; and to connections that come and go.
//
// Traps: draws are with replacement unless Distinct is set, so of two endpoints the busier one
// still gets a quarter of the RPCs. A stream counts as one RPC for as long as it lasts. An endpoint
// that comes back starts from 0 and wins every comparison, at every client at once.
type LeastRequest struct {
	// ChoiceCount is how many endpoints are drawn for each RPC, 2 or more. Without Distinct more
	// than 10 counts as 10, as in grpc-go.
	ChoiceCount uint32 `toml:"choice_count" json:"choiceCount"`
	// Distinct draws without replacement, as the theory of two choices has it, and as many as
	// ChoiceCount says; where there are no more endpoints than choices, all are drawn, and the RPC
	// goes to the one with the fewest. grpc-go has no such option.
	Distinct bool `toml:"distinct" json:"-"`
}

// mostChoices is how many endpoints grpc-go draws at most.
const mostChoices = 10

// Check refuses fewer than two choices.
func (l LeastRequest) Check() error {
	if l.ChoiceCount < 2 {
		return fmt.Errorf("choice_count: must be >= 2 (is %d)", l.ChoiceCount)
	}
	return nil
}

// Uses warns where grpc-go's cap applies.
func (l LeastRequest) Uses() []Use {
	uses := []Use{{What: Health}}
	if l.ChoiceCount > mostChoices && !l.Distinct {
		uses = append(uses, Use{
			Option: "choice_count", Without: fmt.Sprintf(
				"%d counts as %d, as in grpc-go; distinct = true knows no such limit",
				l.ChoiceCount, mostChoices),
		})
	}
	return uses
}

// Doc describes the policy in a line.
func (LeastRequest) Doc() string {
	return "of a few drawn at random, the one with the fewest RPCs of this client in flight"
}

// Build makes the balancer of one channel.
func (l LeastRequest) Build(h Host) Balancer {
	b := &leastRequest{rand: h.Rand()}
	b.Configure(l)
	return NewEndpointSharding(h, b)
}

type leastRequest struct {
	rand     *sim.Rand
	choices  uint32
	distinct bool

	// RPCs in flight are counted while an endpoint is READY without a break. An endpoint that comes
	// back has another generation: it starts from 0, and RPCs of earlier generations do not count.
	//
	// Invariants after Update: ids[i] is the ID of ready[i]; index[ids[i]] == i, and index is -1
	// for all other IDs. While denseIDs, ids[i] == i and every generation is 0.
	ready      []counted // endpoints
	spare      []counted // the array of ready before the last Update, to be used again
	ids        []int32   // by place in ready
	index      []int32   // by ID
	generation []uint32  // by ID: how often the endpoint has left READY while others were
	anyLeft    bool      // any endpoint has ever
	denseIDs   bool      // the note of a pick is the place in ready, which is the ID

	drawn []uint32 // a permutation of the places in ready, for many distinct choices
}

// counted is an endpoint that is READY. There may be a million, of which each pick looks at two or
// more at random, so it has no more than a pick needs.
type counted struct {
	sc       SubConn
	inflight int32
}

// Configure takes the number of choices.
func (l *leastRequest) Configure(p Policy) {
	o := p.(LeastRequest)
	l.choices, l.distinct = o.ChoiceCount, o.Distinct
	if !l.distinct {
		l.choices = min(l.choices, mostChoices)
	}
}

// Update keeps the counts of endpoints that were in the last list.
func (l *leastRequest) Update(ready []ReadyEndpoint) {
	list := l.spare[:0]
	for _, e := range ready {
		for int(e.ID) >= len(l.index) {
			l.index, l.generation = append(l.index, -1), append(l.generation, 0)
		}
		c := counted{sc: e.SubConn}
		if i := l.index[e.ID]; i >= 0 {
			c.inflight, l.ids[i] = l.ready[i].inflight, -1
		}
		list = append(list, c)
	}
	l.ready, l.spare = list, l.ready
	for _, id := range l.ids {
		if id >= 0 { // the new list does not have it
			l.index[id] = -1
			l.generation[id]++
			l.anyLeft = true
		}
	}
	l.denseIDs = !l.anyLeft
	l.ids = l.ids[:0]
	for i, e := range ready {
		l.ids = append(l.ids, e.ID)
		l.index[e.ID] = int32(i)
		l.denseIDs = l.denseIDs && e.ID == int32(i)
	}
}

// Pick counts an RPC when it is picked, not when it is sent, so that two picks of one moment see
// each other (A48). The note has the generation in its upper half and the ID in its lower.
func (l *leastRequest) Pick(Call) Pick {
	var best uint32
	if l.distinct {
		best = l.leastOfDistinct()
	} else {
		n, least := uint32(len(l.ready)), int32(math.MaxInt32)
		for range l.choices {
			i := l.rand.Uint32() % n
			if f := l.ready[i].inflight; f < least {
				best, least = i, f
			}
		}
	}
	l.ready[best].inflight++
	note := uint64(best)
	if !l.denseIDs {
		id := l.ids[best]
		note = uint64(l.generation[id])<<32 | uint64(id)
	}
	return Pick{Verdict: Sent, SubConn: l.ready[best].sc, Note: note}
}

// leastOfDistinct draws without replacement: it draws again what it has drawn already.
func (l *leastRequest) leastOfDistinct() (best uint32) {
	n, least := uint32(len(l.ready)), int32(math.MaxInt32)
	choices := min(l.choices, n)
	if choices > mostChoices {
		return l.leastOfMany(choices)
	}
	var drawn [mostChoices]uint32
	for k := range choices {
		i := l.rand.Uint32() % n
		for slices.Contains(drawn[:k], i) {
			i = l.rand.Uint32() % n
		}
		drawn[k] = i
		if f := l.ready[i].inflight; f < least {
			best, least = i, f
		}
	}
	return best
}

// leastOfMany draws many without replacement: each place is exchanged with one of those behind it
// (Fisher and Yates). So any order is as likely as any other, whatever the order was before.
func (l *leastRequest) leastOfMany(choices uint32) (best uint32) {
	n, least := uint32(len(l.ready)), int32(math.MaxInt32)
	if uint32(len(l.drawn)) != n {
		l.drawn = l.drawn[:0]
		for i := range n {
			l.drawn = append(l.drawn, i)
		}
	}
	for k := range choices {
		j := k + l.rand.Uint32()%(n-k)
		l.drawn[k], l.drawn[j] = l.drawn[j], l.drawn[k]
		if i := l.drawn[k]; l.ready[i].inflight < least {
			best, least = i, l.ready[i].inflight
		}
	}
	return best
}

// Done takes the RPC out of the count unless the endpoint has another generation since.
func (l *leastRequest) Done(p Pick, _ Outcome) {
	id := uint32(p.Note)
	if l.denseIDs {
		l.ready[id].inflight--
		return
	}
	if i := l.index[id]; i >= 0 && l.generation[id] == uint32(p.Note>>32) {
		l.ready[i].inflight--
	}
}
