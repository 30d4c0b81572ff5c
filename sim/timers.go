package sim

import "fmt"

// Timer names an event that can still be cancelled. The zero Timer names none.
type Timer uint32

// timers holds the events that are usually cancelled, deadlines above all. They live in a heap of
// their own whose places are known, so that cancelling takes the event out; left behind as dead
// events in the main queue they would cost many times as much.
type timers struct {
	heap  []timed
	place []int32 // place[t] is where timer t is, or -1; place[0] is not used
	free  []Timer
}

// timed is an event and the name of its timer.
type timed struct {
	Event
	name Timer
}

// set adds an event and returns its name.
func (t *timers) set(e Event) Timer {
	var name Timer
	if n := len(t.free); n > 0 {
		name, t.free = t.free[n-1], t.free[:n-1]
	} else {
		if len(t.place) == 0 {
			t.place = append(t.place, -1)
		}
		name = Timer(len(t.place))
		t.place = append(t.place, -1)
	}
	t.heap = append(t.heap, timed{})
	t.up(len(t.heap)-1, timed{e, name})
	return name
}

// cancel takes out the event of a timer that has not fired.
func (t *timers) cancel(name Timer) {
	if int(name) >= len(t.place) || t.place[name] < 0 {
		panic(fmt.Sprintf("sim: timer %d cancelled, which is not set", name))
	}
	t.remove(int(t.place[name]))
}

// due is when the event of a timer happens that is set.
func (t *timers) due(name Timer) Time { return t.heap[t.place[name]].At }

// top returns the next event without taking it, or nil if there is none.
func (t *timers) top() *Event {
	if len(t.heap) == 0 {
		return nil
	}
	return &t.heap[0].Event
}

// pop takes the next event; there must be one.
func (t *timers) pop() Event {
	e := t.heap[0].Event
	t.remove(0)
	return e
}

// remove removes the timer at place i of the heap; its name is free then.
func (t *timers) remove(i int) {
	gone := t.heap[i].name
	t.place[gone] = -1
	t.free = append(t.free, gone)
	n := len(t.heap) - 1
	last := t.heap[n]
	t.heap = t.heap[:n]
	switch {
	case i == n:
	case i > 0 && last.before(&t.heap[(i-1)/4].Event):
		t.up(i, last)
	default:
		t.down(i, last)
	}
}

// up puts e, which belongs at place i or nearer to the root, where it belongs.
func (t *timers) up(i int, e timed) {
	for i > 0 {
		p := (i - 1) / 4
		if !e.before(&t.heap[p].Event) {
			break
		}
		t.put(i, t.heap[p])
		i = p
	}
	t.put(i, e)
}

// down puts e, which belongs at place i or further from the root, where it belongs. It finds the
// least of four children as queue does.
func (t *timers) down(i int, e timed) {
	h := t.heap
	for {
		c := 4*i + 1
		m := c
		if c+4 <= len(h) {
			four := h[c : c+4 : c+4]
			a := less(&four[1].Event, &four[0].Event)
			b := 2 + less(&four[3].Event, &four[2].Event)
			m += a ^ (a^b)&-less(&four[b&3].Event, &four[a&3].Event)
		} else if c < len(h) {
			for k := c + 1; k < len(h); k++ {
				if h[k].before(&h[m].Event) {
					m = k
				}
			}
		} else {
			break
		}
		if e.before(&h[m].Event) {
			break
		}
		t.put(i, h[m])
		i = m
	}
	t.put(i, e)
}

// put places a timer in the heap and notes where it is.
func (t *timers) put(i int, e timed) {
	t.heap[i] = e
	t.place[e.name] = int32(i)
}
