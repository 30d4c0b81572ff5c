package sim

// queue holds the events that are yet to happen, as a heap in which each node has four children.
//
// Two tricks carry its speed. The least of four children is found without branches that a CPU could
// guess wrong. And pop leaves the root empty: the next push, which nearly always comes from the
// handler of the popped event, fills the hole from above in one pass where a plain heap needs two.
// This changes no order, since a heap's order is that of its events alone.
//
// And an event for the moment of the last pop, such as a message without delay, stands in a line
// instead: it comes after all events of that moment that are in the heap, which were pushed before,
// and before all others.
type queue struct {
	ev   []Event
	hole bool // ev[0] has been taken and not yet replaced
	at   Time // of the last event that was popped

	line        []Event // those for that moment; its length is a power of two, or 0
	first, next uint32  // of them, counted on and on: modulo len(line)
	inLine      bool    // what top has returned is
}

func (q *queue) len() int {
	n := len(q.ev) + int(q.next-q.first)
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
	if len(q.ev) == 0 {
		return nil
	}
	return &q.ev[0]
}

// more says whether the heap has an event for the moment of the line.
func (q *queue) more() bool {
	if !q.hole {
		return len(q.ev) > 0 && q.ev[0].At == q.at
	}
	for i := 1; i < min(5, len(q.ev)); i++ {
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

func (q *queue) push(e Event) {
	if e.At == q.at {
		q.lineUp(e)
		return
	}
	if q.hole {
		q.hole = false
		q.down(e)
		return
	}
	i := len(q.ev)
	q.ev = append(q.ev, e)
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

// fill closes the hole at the root with the last event.
func (q *queue) fill() {
	q.hole = false
	n := len(q.ev) - 1
	last := q.ev[n]
	q.ev = q.ev[:n]
	if n > 0 {
		q.down(last)
	}
}

// down puts e at the root, whose event is gone, and lets it sink to its place.
func (q *queue) down(e Event) {
	ev := q.ev
	i := 0
	for {
		c := 4*i + 1
		m := c
		if c+4 <= len(ev) {
			four := ev[c : c+4 : c+4]
			a := less(&four[1], &four[0])
			b := 2 + less(&four[3], &four[2])
			m += a ^ (a^b)&-less(&four[b&3], &four[a&3])
		} else if c < len(ev) {
			for k := c + 1; k < len(ev); k++ {
				if ev[k].before(&ev[m]) {
					m = k
				}
			}
		} else {
			break
		}
		if e.before(&ev[m]) {
			break
		}
		ev[i] = ev[m]
		i = m
	}
	ev[i] = e
}
