package sim

import (
	"slices"
	"testing"
)

// otherClock is a clock beside that of a kernel, with alarms of its own.
type otherClock struct {
	now    Time
	alarms []Time // in order
	ring   func(at Time)
}

func (c *otherClock) Follow(to Time) bool {
	if len(c.alarms) > 0 && c.alarms[0] <= to {
		c.now, c.alarms = c.alarms[0], c.alarms[1:]
		c.ring(c.now)
		return false
	}
	c.now = to
	return true
}

// Whatever happens, the other clock shows the same moment, and what its alarms schedule happens at
// the moment of the alarm: between events, with events of that moment, and at the present moment,
// after which time must be led on to the very event that it was being led to.
func TestTheFollowerIsWhereTimeIs(t *testing.T) {
	for _, limit := range []int{1, 100} {
		k, r, id := newRecorder()
		c := &otherClock{}
		k.Follow(c)
		c.ring = func(at Time) { k.At(at, id, 7, 0) }
		r.then = func(ev Event) {
			if c.now != k.Now() {
				t.Errorf("limit %d: event %v: the other clock is at %v", limit, ev, c.now)
			}
			if ev.Kind() == 1 {
				c.alarms = slices.Insert(c.alarms, 0, k.Now()) // at once
			}
		}
		c.alarms = []Time{3, 3, 5, 12}
		k.At(5, id, 1, 0)
		k.At(9, id, 2, 0)
		k.At(9, id, 1, 0)
		for !k.Run(20, limit) {
			if c.now != k.Now() {
				t.Errorf("limit %d: stopped at %v, the other clock at %v", limit, k.Now(), c.now)
			}
		}
		r.expect(t, happened{3, 7, 0}, happened{3, 7, 0}, happened{5, 1, 0}, happened{5, 7, 0},
			happened{5, 7, 0}, happened{9, 2, 0}, happened{9, 1, 0}, happened{9, 7, 0},
			happened{12, 7, 0})
		if c.now != 20 || k.Now() != 20 {
			t.Errorf("limit %d: at the end %v and %v, want 20", limit, k.Now(), c.now)
		}
	}
}
