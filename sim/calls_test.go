package sim

import (
	"slices"
	"testing"
	"time"
)

func TestCallsAreMadeInOrder(t *testing.T) {
	k := New(1)
	var made []string
	call := func(d time.Duration, name string) *Call {
		return k.AfterFunc(d, func() { made = append(made, name+" at "+k.Now().String()) })
	}
	call(20, "later")
	call(10, "sooner")
	call(10, "sooner, second")
	k.Run(100, 100)
	want := []string{"sooner at 10ns", "sooner, second at 10ns", "later at 20ns"}
	if !slices.Equal(made, want) {
		t.Errorf("calls made:\n got %q\nwant %q", made, want)
	}
}

func TestCallsAndEventsOfOneInstantHappenInTheOrderOfScheduling(t *testing.T) {
	k, r, id := newRecorder()
	k.At(10, id, 1, 0)
	k.AfterFunc(10, func() { r.seen = append(r.seen, happened{k.Now(), 2, 0}) })
	k.At(10, id, 3, 0)
	k.Run(100, 100)
	r.expect(t, happened{10, 1, 0}, happened{10, 2, 0}, happened{10, 3, 0})
}

func TestStopTellsWhetherTheCallWasToCome(t *testing.T) {
	k := New(1)
	made := 0
	c := k.AfterFunc(10, func() { made++ })
	if !c.Stop() {
		t.Errorf("Stop before the call: got false, want true")
	}
	if c.Stop() {
		t.Errorf("Stop after Stop: got true, want false")
	}
	k.Run(100, 100)
	if made != 0 {
		t.Errorf("a stopped call was made %d times, want 0", made)
	}
	c = k.AfterFunc(10, func() { made++ })
	k.Run(200, 100)
	if c.Stop() {
		t.Errorf("Stop after the call: got true, want false")
	}
	if made != 1 {
		t.Errorf("a call was made %d times, want once", made)
	}
}

func TestACallMayStopItselfAndOthers(t *testing.T) {
	k := New(1)
	var self, sibling *Call
	made := 0
	self = k.AfterFunc(10, func() {
		made++
		if self.Stop() {
			t.Errorf("Stop of a call inside itself: got true, want false")
		}
		if !sibling.Stop() {
			t.Errorf("Stop of a later call of the same instant: got false, want true")
		}
	})
	sibling = k.AfterFunc(10, func() { t.Errorf("a stopped call was made") })
	k.Run(100, 100)
	if made != 1 || k.Pending() != 0 {
		t.Errorf("made %d calls, %d pending; want 1, 0", made, k.Pending())
	}
}

// A stopped or made call gives its slot and its timer's name to the next. The old handle must not
// reach the new call.
func TestAnOldCallDoesNotStopANewOne(t *testing.T) {
	k := New(1)
	made := 0
	stopped := k.AfterFunc(10, func() { t.Errorf("a stopped call was made") })
	stopped.Stop()
	k.AfterFunc(10, func() { made++ })
	if stopped.Stop() {
		t.Errorf("Stop of a stopped call whose slot is used again: got true, want false")
	}
	k.Run(10, 100)
	done := k.AfterFunc(10, func() { made++ })
	k.Run(20, 100)
	k.AfterFunc(10, func() { made++ })
	if done.Stop() {
		t.Errorf("Stop of a made call whose slot is used again: got true, want false")
	}
	k.Run(100, 100)
	if made != 3 {
		t.Errorf("%d calls made, want 3", made)
	}
	if got := len(k.calls.open); got != 1 {
		t.Errorf("%d slots for one call at a time, want 1", got)
	}
}

func TestACallMaySetItselfAgain(t *testing.T) {
	k := New(1)
	ticks := 0
	var tick func()
	tick = func() {
		ticks++
		k.AfterFunc(250*time.Millisecond, tick)
	}
	tick()
	k.Run(Time(10*time.Second), 1000)
	if ticks != 41 {
		t.Errorf("a tick of 250ms came %d times in 0 to 10s, want 41", ticks)
	}
	if got := len(k.calls.open); got != 1 {
		t.Errorf("%d slots for one call at a time, want 1", got)
	}
}

func TestARandomMixOfCallsAndStops(t *testing.T) {
	k, r := New(1), NewRand(1, "calls")
	type handle struct {
		call  *Call
		state string // "open", "made", "stopped"
	}
	var all []*handle
	for range 20_000 {
		switch h := new(handle); r.IntN(3) {
		case 0:
			h.state = "open"
			h.call = k.AfterFunc(time.Duration(r.IntN(100)), func() {
				if h.state != "open" {
					t.Fatalf("a call that is %s was made", h.state)
				}
				h.state = "made"
			})
			all = append(all, h)
		case 1:
			if len(all) > 0 {
				h = all[max(0, len(all)-1-r.IntN(20))]
				if got, want := h.call.Stop(), h.state == "open"; got != want {
					t.Fatalf("Stop of a call that is %s: got %v, want %v", h.state, got, want)
				} else if got {
					h.state = "stopped"
				}
			}
		case 2:
			k.Run(k.Now()+Time(r.IntN(30)), 1000)
		}
	}
	k.Run(Never, 1000)
	count := make(map[string]int)
	for _, h := range all {
		count[h.state]++
	}
	if count["open"] != 0 || count["made"] == 0 || count["stopped"] == 0 {
		t.Errorf("calls by state: got %v, want none open, some made, some stopped", count)
	}
}
