package sim

import (
	"testing"
	"unsafe"
)

func TestEventIsSmall(t *testing.T) {
	if got := unsafe.Sizeof(Event{}); got != 24 {
		t.Errorf("an Event has %d bytes, want 24: memory traffic is most of the queue's cost", got)
	}
}

func TestEventKeepsItsKind(t *testing.T) {
	k := New(1)
	for kind := range 256 {
		if got := k.event(0, 0, Kind(kind), 0).Kind(); got != Kind(kind) {
			t.Errorf("an event of kind %d says it is of kind %d", kind, got)
		}
	}
}

// The branch-free less and the readable before must be one order, also at the ends of the ranges.
func TestLessIsBefore(t *testing.T) {
	var events []Event
	for _, at := range []Time{0, 1, 2, 1 << 32, Never - 1, Never} {
		for _, ord := range []uint64{1 << 8, 1<<8 | 255, 2 << 8, 1 << 40, 1<<64 - 1} {
			events = append(events, Event{At: at, ord: ord})
		}
	}
	for i := range events {
		for j := range events {
			e, f := &events[i], &events[j]
			want := i < j // the list above is in order
			if got := e.before(f); got != want {
				t.Errorf("%+v before %+v: got %v, want %v", *e, *f, got, want)
			}
			if got := less(e, f) == 1; got != want {
				t.Errorf("less(%+v, %+v): got %v, want %v", *e, *f, got, want)
			}
		}
	}
}
