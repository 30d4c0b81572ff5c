package sim

// queue holds the events that are yet to happen. Those before a moment, the limit, are in a heap;
// those at or after it wait in wheels, where they cost little however many they are. When the heap
// is empty, the first events of the wheels come into it, and the limit moves on. Few events are all
// in the heap. The order is that of the events, no matter where they wait.
//
// In the heap each node has four children, the least of which is found without branches that a CPU
// could guess wrong. And pop leaves the root empty: the next push, which often comes from the
// handler of the popped event, fills the hole from above in one pass where a plain heap needs two.
//
// And an event for the moment of the last pop, such as a message without delay, stands in a line
// instead: it comes after all events of that moment that are in the heap, which were pushed before,
// and before all others.
type queue struct {
	ev     []Event // the heap; all behind the first n are none, and all children are four
	n      int     // of its events, with the hole
	hole   bool    // ev[0] has been taken and not yet replaced
	at     Time    // of the last event that was popped
	inLine bool    // what top has returned is in the line

	limit uint64 // all events in the heap are before this moment; 1<<63 if all are in the heap
	far   wheels // those that are not
	full  int    // so many events in the heap are too many

	line        []Event // those for the moment at; its length is a power of two, or 0
	first, next uint32  // of them, counted on and on: modulo len(line)
}

// What the sizes are does not matter much: half or twice as large, a hold takes as long.
const (
	few     = 32  // events in the wheels are all taken into the heap
	slotful = 8   // events of a slot are taken into the heap; more are spread first
	heapful = 128 // events in the heap go back to the wheels, those that can
)

// none comes after all events.
var none = Event{At: Never, ord: 1<<64 - 1}

// len is how many events are in the queue.
func (q *queue) len() int {
	n := q.n + q.far.n + int(q.next-q.first)
	if q.hole {
		n--
	}
	return n
}

// top returns the next event without taking it, or nil where there is none.
func (q *queue) top() *Event {
	if q.first != q.next && !q.more() {
		q.inLine = true
		return &q.line[q.first&uint32(len(q.line)-1)]
	}
	if q.hole {
		q.fill()
	}
	if q.n == 0 {
		if q.far.n == 0 {
			return nil
		}
		q.take()
	}
	return &q.ev[0]
}

// more reports whether the heap has an event for the moment of the line. The wheels have none: they
// begin after the moment of any event that was popped.
func (q *queue) more() bool {
	if !q.hole {
		return q.n > 0 && q.ev[0].At == q.at
	}
	for i := 1; i < min(5, q.n); i++ {
		if q.ev[i].At == q.at {
			return true
		}
	}
	return false
}

// pop takes the event that top has just returned.
func (q *queue) pop() Event {
	if q.inLine {
		q.inLine = false
		q.first++
		return q.line[(q.first-1)&uint32(len(q.line)-1)]
	}
	q.hole = true
	q.at = q.ev[0].At
	return q.ev[0]
}

// push adds an event.
func (q *queue) push(e Event) {
	switch {
	case e.At == q.at:
		q.lineUp(e)
	case uint64(e.At) >= q.limit:
		q.far.add(e)
	case q.hole:
		q.hole = false
		q.down(e)
	case q.n >= q.full:
		q.disperse()
		q.push(e)
	default:
		q.up(e)
	}
}

// lineUp puts an event at the end of the line.
func (q *queue) lineUp(e Event) {
	n := q.next - q.first
	if int(n) == len(q.line) {
		longer := make([]Event, max(8, 2*len(q.line)))
		for i := range n {
			longer[i] = q.line[(q.first+i)&uint32(len(q.line)-1)]
		}
		q.line, q.first, q.next = longer, 0, n
	}
	q.line[q.next&uint32(len(q.line)-1)] = e
	q.next++
}

// take fills the heap, which is empty, with the first events of the wheels.
func (q *queue) take() {
	if q.far.n <= few {
		q.takeAll()
		return
	}
	s, wheel := q.far.first()
	for s.n > slotful && wheel > 0 {
		q.far.spread(s)
		s, wheel = q.far.first()
	}
	q.load(s)
	q.limit = q.far.base + 1<<(wheel*wheelBits)
	q.full = max(heapful, 2*q.n)
}

func (q *queue) takeAll() {
	for q.far.n > 0 {
		s, _ := q.far.first()
		q.load(s)
	}
	q.far.base, q.limit = 0, 1<<63
	q.full = heapful
}

func (q *queue) load(s slot) {
	for i := s.first; i != 0; i = q.far.release(i) {
		q.up(q.far.nodes[i].Event)
	}
}

// disperse puts the events of the heap back into the wheels, so that only the first of them return.
// Those before base have to stay, which were pushed after others had been taken for a later moment.
// If many stay, or many return because they are of one moment, the heap has to double before the
// next attempt, so that all attempts together cost a few steps an event.
func (q *queue) disperse() {
	ev := q.ev[:q.n]
	q.n = 0
	for i, e := range ev {
		ev[i] = none
		if uint64(e.At) < q.far.base {
			q.up(e)
		} else {
			q.far.add(e)
		}
	}
	q.limit = q.far.base
	q.full = max(heapful, 2*q.n)
	if q.n == 0 {
		q.take()
	}
}

// up puts e behind the last event of the heap and lets it rise to its place.
func (q *queue) up(e Event) {
	i := q.n
	q.n++
	if i == 0 && len(q.ev) == 0 {
		q.ev = append(q.ev, none)
	}
	if q.n > len(q.ev) {
		q.ev = append(q.ev, none, none, none, none)
	}
	for i > 0 {
		p := (i - 1) / 4
		if !e.before(&q.ev[p]) {
			break
		}
		q.ev[i] = q.ev[p]
		i = p
	}
	q.ev[i] = e
}

// fill closes the hole at the root with the last event.
func (q *queue) fill() {
	q.hole = false
	q.n--
	last := q.ev[q.n]
	q.ev[q.n] = none
	if q.n > 0 {
		q.down(last)
	}
}

// down puts e at the root, whose event is gone, and lets it sink to its place.
func (q *queue) down(e Event) {
	i := 0
	for c := 1; c < q.n; c = 4*i + 1 {
		four := q.ev[c : c+4 : c+4]
		a := less(&four[1], &four[0])
		b := 2 + less(&four[3], &four[2])
		m := a ^ (a^b)&-less(&four[b&3], &four[a&3])
		if e.before(&four[m&3]) {
			break
		}
		q.ev[i] = four[m&3]
		i = c + m
	}
	q.ev[i] = e
}
