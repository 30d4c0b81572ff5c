package sim

import "math/bits"

// wheels hold the far events of a queue, in no order but that of their slots. Written in base 64, a
// moment has eleven digits, and there is a wheel of 64 slots for each. An event is in the wheel of
// the highest digit in which its moment differs from base, in the slot of its own digit there. So
// the events of a wheel come before those of the wheels above, and those of a slot before those of
// the next.
//
// To add an event takes the same few steps however many there are. The slots are emptied in the
// order of time, into the queue's heap or, if they hold too many for it, into the wheels below: an
// event moves at most ten times, and most move once or twice. This is a radix heap (Ahuja,
// Mehlhorn, Orlin and Tarjan, 1990) in the shape of hierarchical timing wheels (Varghese and Lauck,
// 1987).
type wheels struct {
	base  uint64 // a moment; no event is before it
	n     int    // events
	some  uint32 // bit w is set where wheel w has events
	taken [wheelCount]uint64
	slots [wheelCount][1 << wheelBits]slot

	nodes []node // nodes[0] is not used
	free  uint32 // the first of those without an event, or 0
}

const (
	wheelBits  = 6 // of a moment, make a digit
	wheelCount = (63 + wheelBits - 1) / wheelBits
)

// slot is a list of n events.
type slot struct{ first, n uint32 }

// node is an event in a list.
type node struct {
	Event
	next uint32 // in nodes; 0 ends the list
}

// add puts e, which is not before base, where it belongs.
func (w *wheels) add(e Event) {
	i := w.free
	if i == 0 {
		i = w.grow()
	}
	w.free = w.nodes[i].next
	w.nodes[i].Event = e
	w.n++
	w.link(i)
}

// grow returns a new node.
func (w *wheels) grow() uint32 {
	if len(w.nodes) == 0 {
		w.nodes = append(w.nodes, node{})
	}
	w.nodes = append(w.nodes, node{})
	return uint32(len(w.nodes) - 1)
}

// link puts a node into the slot of its event.
func (w *wheels) link(i uint32) {
	d := &w.nodes[i]
	at := uint64(d.At)
	wheel := uint(bits.Len64((at^w.base)|1)-1) / wheelBits
	digit := at >> (wheel * wheelBits) & (1<<wheelBits - 1)
	w.some |= 1 << wheel
	w.taken[wheel] |= 1 << digit
	s := &w.slots[wheel][digit]
	d.next = s.first
	s.first = i
	s.n++
}

// first empties the first slot that has events and returns what was in it, and its wheel. Base is
// then the first moment of that slot.
func (w *wheels) first() (s slot, wheel uint) {
	wheel = uint(bits.TrailingZeros32(w.some))
	digit := bits.TrailingZeros64(w.taken[wheel])
	w.taken[wheel] &^= 1 << digit
	if w.taken[wheel] == 0 {
		w.some &^= 1 << wheel
	}
	s = w.slots[wheel][digit]
	w.slots[wheel][digit] = slot{}
	above := (wheel + 1) * wheelBits
	w.base = w.base>>above<<above | uint64(digit)<<(wheel*wheelBits)
	return s, wheel
}

// spread puts the events of a slot that was emptied into the wheels below its own.
func (w *wheels) spread(s slot) {
	for i := s.first; i != 0; {
		next := w.nodes[i].next
		w.link(i)
		i = next
	}
}

// release takes the event from a node and returns the next of the list.
func (w *wheels) release(i uint32) (next uint32) {
	d := &w.nodes[i]
	next, d.next, w.free = d.next, w.free, i
	w.n--
	return next
}
