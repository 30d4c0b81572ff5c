package sim

import (
	"testing"
	"time"
)

func TestAddSaturatesAtNever(t *testing.T) {
	const most = time.Duration(1<<63 - 1)
	for _, c := range []struct {
		name string
		t    Time
		d    time.Duration
		want Time
	}{
		{"from the start", 0, 5, 5},
		{"nothing", 7, 0, 7},
		{"backwards", 7, -3, 4},
		{"backwards to before the run", 7, -8, -1},
		{"exactly to Never", Never - 1, 1, Never},
		{"one beyond Never", Never - 1, 2, Never},
		{"Never and any length", Never, time.Nanosecond, Never},
		{"the longest length from the start", 0, most, Never},
		{"the longest length from later", 1, most, Never},
		{"back from Never", Never, -1, Never - 1},
	} {
		if got := c.t.Add(c.d); got != c.want {
			t.Errorf("%s: Time(%d).Add(%d) = %d, want %d", c.name, c.t, c.d, got, c.want)
		}
	}
}

func TestSubUndoesAdd(t *testing.T) {
	for _, at := range []Time{0, 1, 1e9, Never / 2} {
		for _, d := range []time.Duration{-1, 0, 1, time.Second, time.Hour} {
			if got := at.Add(d).Sub(at); got != d {
				t.Errorf("Time(%d).Add(%d).Sub(%d) = %d, want %d", at, d, at, got, d)
			}
		}
	}
}

func TestTimeInWordsAndSeconds(t *testing.T) {
	at := Time(1_500_000_000)
	if got := at.String(); got != "1.5s" {
		t.Errorf("Time(%d).String() = %q, want %q", int64(at), got, "1.5s")
	}
	if got := at.Seconds(); got != 1.5 {
		t.Errorf("Time(%d).Seconds() = %v, want 1.5", int64(at), got)
	}
}

// Sums and products that are too long are the longest.
func TestLongTimes(t *testing.T) {
	const longest = time.Duration(Never)
	for _, row := range []struct{ got, want time.Duration }{
		{Plus(2, 3), 5}, {Plus(longest, 0), longest}, {Plus(longest, longest), longest},
		{Plus(longest-1, 1), longest}, {Plus(1, longest), longest},
		{Times(3, 5), 15}, {Times(0, longest), 0}, {Times(1, longest), longest},
		{Times(2, longest/2), longest - 1}, {Times(2, longest/2+1), longest},
		{Times(1<<62, longest), longest},
	} {
		if row.got != row.want {
			t.Errorf("got %d, want %d", row.got, row.want)
		}
	}
}
