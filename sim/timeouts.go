package sim

import (
	"fmt"
	"time"
)

// timeouts holds the timers whose length many have, as all RPCs of a client have one timeout. Those
// of one length happen in the order in which they are set, so they stand in a line: to set one is
// to put it at the end, to cancel one is to take it out, and no place has to be looked for.
type timeouts struct {
	nodes  []timeout                // the first tie the ends of each line together
	length [mostLines]time.Duration // that of each line, 0 where there is none
	free   uint32                   // the first node that is free, 0 for none
	next   uint32                   // the node of the next to happen, 0 for none
	stale  bool                     // next has to be found
}

// timeout is an event in its line; a free node names the next that is.
type timeout struct {
	Event
	before, after uint32
}

const (
	// mostLines is how many lengths there may be: to find the next event is to look at each line.
	mostLines = 8
	// inLine marks the name of a timer that stands in a line.
	inLine Timer = 1 << 31
	// isFree stands in place of the moment of a node that is free.
	isFree Time = -1
)

// line returns the line of a length, or mostLines where there are too many lengths.
func (t *timeouts) line(d time.Duration) uint32 {
	for i, length := range t.length {
		switch length {
		case d:
			return uint32(i)
		case 0:
			t.length[i] = d
			return uint32(i)
		}
	}
	return mostLines
}

// set puts an event at the end of a line.
func (t *timeouts) set(line uint32, e Event) Timer {
	if t.nodes == nil {
		t.nodes = make([]timeout, mostLines)
		for i := range t.nodes {
			t.nodes[i].before, t.nodes[i].after = uint32(i), uint32(i)
		}
	}
	n := t.free
	if n == 0 {
		n = uint32(len(t.nodes))
		t.nodes = append(t.nodes, timeout{})
	} else {
		t.free = t.nodes[n].after
	}
	last := t.nodes[line].before
	t.nodes[n] = timeout{e, last, line}
	t.nodes[last].after, t.nodes[line].before = n, n
	t.stale = t.stale || last == line
	return inLine | Timer(n)
}

// cancel takes out the event of a timer that has not fired.
func (t *timeouts) cancel(name Timer) {
	n := uint32(name &^ inLine)
	e := &t.nodes[n]
	if e.At == isFree {
		panic(fmt.Sprintf("sim: timer %d cancelled, which is not set", name))
	}
	t.nodes[e.before].after, t.nodes[e.after].before = e.after, e.before
	e.At, e.after = isFree, t.free
	t.free = n
	t.stale = t.stale || n == t.next
}

// len is how many timers are set. It counts them one by one.
func (t *timeouts) len() int {
	n := 0
	for line := range min(mostLines, len(t.nodes)) {
		for i := t.nodes[line].after; i != uint32(line); i = t.nodes[i].after {
			n++
		}
	}
	return n
}

// due is when the event of a timer happens that is set.
func (t *timeouts) due(name Timer) Time { return t.nodes[name&^inLine].At }

// top returns the next event without taking it, or nil if there is none.
func (t *timeouts) top() *Event {
	if t.stale {
		t.find()
	}
	if t.next == 0 {
		return nil
	}
	return &t.nodes[t.next].Event
}

// find looks for the next event among the first of each line.
func (t *timeouts) find() {
	t.next, t.stale = 0, false
	for line := range uint32(mostLines) {
		first := t.nodes[line].after
		if first == line {
			continue
		}
		if t.next == 0 || t.nodes[first].Event.before(&t.nodes[t.next].Event) {
			t.next = first
		}
	}
}

// pop takes the next event; there must be one.
func (t *timeouts) pop() Event {
	e := *t.top()
	t.cancel(inLine | Timer(t.next))
	return e
}
