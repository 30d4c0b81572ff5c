package sim

// ID addresses an actor: its place in the order of [Kernel.Register].
type ID uint32

// Kind is the kind of an event. Each actor numbers its own kinds.
type Kind uint8

// Event is something that happens to one actor at one moment: plain data of 24 bytes, no pointers,
// so that millions of them cost the garbage collector nothing.
//
// The order of events is total: first by At, then by the order in which they were scheduled. Where
// two events meet at one instant (a reply and a deadline, say), the one scheduled first happens
// first, on every machine.
type Event struct {
	At Time

	// ord is the sequence number of the event, shifted left by 8, and its kind. Sequence numbers
	// differ, so comparing ord compares them; but all events of AtFirst have 0.
	ord uint64

	To  ID
	Arg uint32 // about what: often an index into a slab
}

// Kind returns the kind of the event.
func (e Event) Kind() Kind { return Kind(e.ord & 0xff) }

// before reports whether e happens before f.
func (e Event) before(f *Event) bool {
	return e.At < f.At || e.At == f.At && e.ord < f.ord
}

// Actor is a part of the simulation that events happen to.
type Actor interface {
	Handle(ev Event)
}
