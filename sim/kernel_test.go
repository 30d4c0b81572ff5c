package sim

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// happened is an event as an actor sees it.
type happened struct {
	at   Time
	kind Kind
	arg  uint32
}

// recorder is an actor that writes down what happens to it and then does what then does.
type recorder struct {
	k    *Kernel
	seen []happened
	then func(ev Event)
}

func (r *recorder) Handle(ev Event) {
	r.seen = append(r.seen, happened{r.k.Now(), ev.Kind(), ev.Arg})
	if r.then != nil {
		r.then(ev)
	}
}

func newRecorder() (*Kernel, *recorder, ID) {
	k := New(1)
	r := &recorder{k: k}
	return k, r, k.Register(r)
}

func (r *recorder) expect(t *testing.T, want ...happened) {
	t.Helper()
	if !slices.Equal(r.seen, want) {
		t.Errorf("what happened:\n got %v\nwant %v", r.seen, want)
	}
}

func TestEventsOfOneInstantHappenInTheOrderOfScheduling(t *testing.T) {
	k, r, id := newRecorder()
	k.At(5, id, 1, 0)
	k.SetTimer(5, id, 2, 0)
	k.After(5, id, 0, 0) // a lower kind does not go first
	k.SetTimer(5, id, 1, 0)
	k.At(4, id, 9, 0)
	r.then = func(ev Event) {
		if ev.Kind() == 9 {
			k.After(1, id, 3, 0)    // at 5 too, scheduled last but one
			k.SetTimer(1, id, 4, 0) // and last
			k.After(0, id, 8, 0)    // now: after what happens now, before 5
		}
	}
	k.Run(10, 100)
	r.expect(t, happened{4, 9, 0}, happened{4, 8, 0}, happened{5, 1, 0}, happened{5, 2, 0},
		happened{5, 0, 0}, happened{5, 1, 0}, happened{5, 3, 0}, happened{5, 4, 0})
}

// Queue, timers and timeouts together, beside one sorted slice: the order of a run is that of the
// moments, then of scheduling, whichever way that was, and cancelled timers do not happen.
func TestKernelOrderBesideASortedSlice(t *testing.T) {
	for _, inc := range increments {
		t.Run(inc.name, func(t *testing.T) {
			k, a, id := newRecorder()
			r := NewRand(3, inc.name)
			var plain sorted
			var live []named
			n := uint32(0)
			schedule := func() {
				n++
				d, way := inc.draw(r), r.IntN(6)
				if way > 3 {
					d = Time(r.IntN(mostLines+3)) * 100 // more lengths than lines
				}
				e := Event{At: k.Now() + d, ord: uint64(n) << 8, Arg: n}
				switch way {
				case 0:
					k.At(k.Now()+d, id, Kind(n), n)
				case 1:
					k.After(time.Duration(d), id, Kind(n), n)
				case 2, 3:
					live = append(live, named{e, k.SetTimer(time.Duration(d), id, Kind(n), n)})
				default:
					timeout := k.SetTimeout(time.Duration(d), id, Kind(n), n)
					if got := k.Due(timeout); got != e.At {
						t.Fatalf("timeout is due at %d, want %d", got, e.At)
					}
					live = append(live, named{e, timeout})
				}
				plain.push(e)
			}
			a.then = func(ev Event) {
				want := plain.pop()
				if ev.At != want.At || k.Now() != want.At || ev.Arg != want.Arg {
					t.Fatalf("event %d: got %+v at %d, want %+v", k.Events(), ev, k.Now(), want)
				}
				live = slices.DeleteFunc(live, func(l named) bool { return l.e == want })
				for len(live) > 20 {
					i := r.IntN(len(live))
					k.Cancel(live[i].name)
					plain = slices.DeleteFunc(plain, func(e Event) bool { return e == live[i].e })
					live = slices.Delete(live, i, i+1)
				}
				for len(plain) < 50 {
					schedule()
				}
			}
			schedule()
			if k.Run(Never, 100_000) {
				t.Fatalf("Run ended after %d events, want it to go on", k.Events())
			}
			if got, want := k.Pending(), len(plain); got != want {
				t.Errorf("pending: got %d, want %d", got, want)
			}
		})
	}
}

func TestRunGoesToTheMomentAndNoFurther(t *testing.T) {
	for _, c := range []struct {
		name    string
		until   Time
		limit   int
		there   bool
		now     Time
		events  uint64
		pending int
	}{
		{"nothing happens so early", 9, 100, true, 9, 0, 4},
		{"an event at the moment happens", 10, 100, true, 10, 1, 3},
		{"a timer at the moment happens", 20, 100, true, 20, 2, 2},
		{"between events", 25, 100, true, 25, 2, 2},
		{"everything happens", 100, 100, true, 100, 4, 0},
		{"everything up to Never", Never, 100, true, Never, 4, 0},
		{"limit reached first", 100, 3, false, 30, 3, 1},
		{"limit reached with the last event", 100, 4, false, 40, 4, 0},
		{"one more than needed", 100, 5, true, 100, 4, 0},
		{"limit of nothing", 100, 0, false, 0, 0, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, _, id := newRecorder()
			k.At(10, id, 0, 0)
			k.SetTimer(20, id, 0, 0)
			k.At(30, id, 0, 0)
			k.SetTimer(40, id, 0, 0)
			if got := k.Run(c.until, c.limit); got != c.there {
				t.Errorf("Run(%d, %d) = %v, want %v", c.until, c.limit, got, c.there)
			}
			if k.Now() != c.now || k.Events() != c.events || k.Pending() != c.pending {
				t.Errorf("after Run(%d, %d): now %d, %d events, %d pending; want %d, %d, %d",
					c.until, c.limit, k.Now(), k.Events(), k.Pending(), c.now, c.events, c.pending)
			}
		})
	}
}

func TestRunOfNothingTakesTimeForward(t *testing.T) {
	k := New(1)
	if !k.Run(5, 1) || k.Now() != 5 {
		t.Errorf("Run(5) of nothing: now is %d, want 5", k.Now())
	}
}

func TestRunNeverTakesTimeBack(t *testing.T) {
	k, r, id := newRecorder()
	k.Run(50, 100)
	for _, schedule := range []struct {
		name string
		f    func()
	}{
		{"nothing", func() {}},
		{"an event", func() { k.At(60, id, 1, 0) }},
		{"an event and a timer", func() { k.SetTimer(5, id, 2, 0) }},
	} {
		schedule.f()
		if !k.Run(20, 100) || k.Now() != 50 {
			t.Errorf("Run(20) at 50 with %s pending: now is %d, want 50", schedule.name, k.Now())
		}
	}
	k.Run(60, 100)
	r.expect(t, happened{55, 2, 0}, happened{60, 1, 0})
}

func TestRunInPiecesIsTheSameRun(t *testing.T) {
	run := func(pieces func(k *Kernel)) (uint64, uint64) {
		k, r, id := newRecorder()
		random := k.Rand("ticks")
		r.then = func(ev Event) { k.After(time.Duration(random.IntN(100)), id, 0, ev.Arg+1) }
		k.At(0, id, 0, 0)
		k.SetTimer(777, id, 1, 0)
		pieces(k)
		return k.Digest(), k.Events()
	}
	digest, events := run(func(k *Kernel) { k.Run(5000, 1e6) })
	for name, pieces := range map[string]func(k *Kernel){
		"by time": func(k *Kernel) {
			for at := Time(0); at <= 5000; at += 50 {
				k.Run(at, 1e6)
			}
		},
		"by number": func(k *Kernel) {
			for !k.Run(5000, 1) {
			}
		},
	} {
		if d, n := run(pieces); d != digest || n != events {
			t.Errorf("in pieces %s: digest %x of %d events, want %x of %d",
				name, d, n, digest, events)
		}
	}
}

func TestCancelledTimersDoNotHappen(t *testing.T) {
	k, r, id := newRecorder()
	first := k.SetTimer(10, id, 1, 0)
	last := k.SetTimer(30, id, 3, 0)
	k.SetTimer(20, id, 2, 0)
	k.Cancel(first)
	k.Run(20, 100)
	k.Cancel(last)
	k.Run(100, 100)
	r.expect(t, happened{20, 2, 0})
	if k.Pending() != 0 {
		t.Errorf("%d events pending, want 0", k.Pending())
	}
}

func TestATimerCancelledAtItsMomentDoesNotHappen(t *testing.T) {
	k, r, id := newRecorder()
	k.At(10, id, 1, 0)
	deadline := k.SetTimer(10, id, 2, 0)
	r.then = func(Event) { k.Cancel(deadline) }
	k.Run(100, 100)
	r.expect(t, happened{10, 1, 0})
}

func TestMisuseStopsTheRun(t *testing.T) {
	k, _, id := newRecorder()
	k.Run(2000, 1)
	gone := k.SetTimer(1, id, 0, 0)
	k.Cancel(gone)
	timeout := k.SetTimeout(1, id, 0, 0)
	k.Cancel(timeout)
	for _, c := range []struct {
		name string
		f    func()
		says string
	}{
		{"an event in the past", func() { k.At(1999, 1, 0, 0) },
			"event for actor 1 scheduled at 1.999µs, which is before now, 2µs"},
		{"a negative delay", func() { k.After(-500, 1, 0, 0) },
			"at 1.5µs, which is before now, 2µs"},
		{"a negative timeout", func() { k.SetTimer(-1, 1, 0, 0) }, "at 1.999µs"},
		{"cancelling no timer", func() { k.Cancel(0) }, "timer 0 "},
		{"cancelling twice", func() { k.Cancel(gone) }, "timer 1 "},
		{"a timeout too", func() { k.Cancel(timeout) }, "which is not set"},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer func() {
				if got, _ := recover().(string); !strings.Contains(got, c.says) {
					t.Errorf("panic %q, want one that says %q", got, c.says)
				}
			}()
			c.f()
		})
	}
	if k.Pending() != 0 {
		t.Errorf("%d events pending after refused ones, want 0", k.Pending())
	}
}

func TestEachEventReachesItsActor(t *testing.T) {
	k := New(1)
	actors := make([]recorder, 5)
	ids := make([]ID, 5)
	for i := range actors {
		actors[i].k = k
		ids[i] = k.Register(&actors[i])
	}
	for i, id := range ids {
		k.At(Time(i), id, 0, uint32(i))
	}
	k.Run(10, 10)
	for i := range actors {
		actors[i].expect(t, happened{Time(i), 0, uint32(i)})
	}
}
