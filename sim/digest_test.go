package sim

import "testing"

func sum(events ...Event) digest {
	d := digestStart
	for _, e := range events {
		d = d.add(e)
	}
	return d
}

func TestDigestChangesWithEachPartOfAnEvent(t *testing.T) {
	event := func(at Time, to ID, kind Kind, arg uint32) Event {
		return Event{At: at, ord: 7<<8 | uint64(kind), To: to, Arg: arg}
	}
	before, after := event(900, 4, 1, 77), event(1100, 5, 0, 12)
	seen := map[digest]string{sum(before, event(1000, 3, 2, 99), after): "the run as it was"}
	for _, c := range []struct {
		name   string
		events []Event
	}{
		{"a nanosecond later", []Event{before, event(1001, 3, 2, 99), after}},
		{"hours later", []Event{before, event(1000|1<<45, 3, 2, 99), after}},
		{"another actor", []Event{before, event(1000, 4, 2, 99), after}},
		{"an actor far away", []Event{before, event(1000, 3|1<<31, 2, 99), after}},
		{"another kind", []Event{before, event(1000, 3, 3, 99), after}},
		{"the last kind", []Event{before, event(1000, 3, 255, 99), after}},
		{"another argument", []Event{before, event(1000, 3, 2, 98), after}},
		{"a large argument", []Event{before, event(1000, 3, 2, 99|1<<31), after}},
		{"actor and argument exchanged", []Event{before, event(1000, 99, 2, 3), after}},
		{"two events exchanged", []Event{event(1000, 3, 2, 99), before, after}},
		{"the last two events exchanged", []Event{before, after, event(1000, 3, 2, 99)}},
		{"an event less", []Event{before, after}},
		{"an event twice", []Event{before, event(1000, 3, 2, 99), event(1000, 3, 2, 99), after}},
		{"no event", nil},
		{"an event of zeros", []Event{{}}},
		{"two events of zeros", []Event{{}, {}}},
	} {
		d := sum(c.events...)
		if other, ok := seen[d]; ok {
			t.Errorf("%s has the digest of %s: %x", c.name, other, d)
		}
		seen[d] = c.name
	}
}

// Which number an event got when it was scheduled is not part of the digest: a run that sets and
// cancels one timer more, which nobody could see, is the same run.
func TestDigestLeavesOutWhatDidNotHappen(t *testing.T) {
	run := func(idle bool) uint64 {
		k, _, id := newRecorder()
		if idle {
			k.Cancel(k.SetTimer(5, id, 9, 9))
		}
		k.At(10, id, 1, 2)
		k.Run(100, 100)
		return k.Digest()
	}
	if got, want := run(true), run(false); got != want {
		t.Errorf("digest with a cancelled timer %x, want %x as without", got, want)
	}
}

// All of a million histories that differ in one event have different digests; two of 10⁶ would meet
// by luck with a chance of 3e-8.
func TestDigestsOfManyRunsDiffer(t *testing.T) {
	seen := make(map[digest]int)
	for i := range 1_000_000 {
		e := Event{At: Time(i % 100), ord: uint64(i / 100 % 10), To: ID(i / 1000 % 10)}
		e.Arg = uint32(i / 10_000)
		d := sum(e, Event{At: 200, To: 1})
		if j, ok := seen[d]; ok {
			t.Fatalf("runs %d and %d have the same digest %x", i, j, d)
		}
		seen[d] = i
	}
}
