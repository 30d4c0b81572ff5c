package plots

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

func labels(ticks []plot.Tick) string {
	var list []string
	for _, t := range ticks {
		if t.Label != "" {
			list = append(list, t.Label)
		}
	}
	return strings.Join(list, " ")
}

func TestLogTicksAreReadable(t *testing.T) {
	for _, c := range []struct {
		name   string
		lo, hi float64
		want   string
	}{
		{"within half a decade: even steps", 10, 13, "10.0 10.5 11.0 11.5 12.0 12.5 13.0"},
		{"two decades: 1, 2, 5", 3, 180, "2 5 10 20 50 100 200"},
		{"on ticks: no further", 2, 200, "2 5 10 20 50 100 200"},
		{"five decades: powers of ten", 0.2, 15000, "1 10 100 1000 10000"},
		{"flat line", 7, 7, "5.5 6.0 6.5 7.0 7.5 8.0 8.5"},
		{"below one", 0.03, 0.4, "0.02 0.05 0.1 0.2 0.5"},
	} {
		ticks := logTicks(c.lo, c.hi)
		if got := labels(ticks); got != c.want {
			t.Errorf("%s: %v to %v: got %s, want %s", c.name, c.lo, c.hi, got, c.want)
		}
		if first, last := ticks[0].Value, ticks[len(ticks)-1].Value; first > c.lo || last < c.hi {
			t.Errorf("%s: ticks from %v to %v, want %v to %v", c.name, first, last, c.lo, c.hi)
		}
	}
}

func TestEvenTicksHaveRoundSteps(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		reach  bool
		want   string
	}{
		{0, 10.8, true, "0 2 4 6 8 10 12"},
		{0, 0.3, true, "0.00 0.05 0.10 0.15 0.20 0.25 0.30"},
		{-0.5, 60, false, "0 20 40 60"},
		{1e15, 1e15 + 1, true, "1000000000000000 1000000000200000"},
	} {
		if got := labels(evenTicks(c.lo, c.hi, 6, c.reach)); got != c.want {
			t.Errorf("%v to %v: got %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

func TestBackendsAreNamedWhereTheyFit(t *testing.T) {
	for _, c := range []struct {
		name       string
		fast, slow int
		want       string
	}{
		{"few: each", 3, 1, "fast/0 fast/1 fast/2 slow/0"},
		{"many: the groups", 90, 10, "fast/0…89 slow/0…9"},
		{"one of a thousand still has its name", 999, 1, "fast/0…998 slow/0"},
	} {
		var names []string
		for i := range c.fast {
			names = append(names, fmt.Sprintf("fast/%d", i))
		}
		for i := range c.slow {
			names = append(names, fmt.Sprintf("slow/%d", i))
		}
		axis := backendAxis{names: names, at: newEdges(names, 600), length: 600,
			room: func(n string) vg.Length { return 6 * vg.Length(len(n)) }}
		if got := labels(axis.ticks()); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// Every backend is in some pixel, every pixel shows some backend, and none is out of order.
func TestBlocksCoverAllBackends(t *testing.T) {
	for _, n := range []int{1, 2, 7, 100, 1000} {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("g%d/%d", i*3/n, i)
		}
		blocks := newEdges(names, 200).blocks(400)
		next := 0
		for i, b := range blocks {
			if b.first > next || b.last < b.first {
				t.Fatalf("%d backends, pixel %d: got %v, want from %d or before", n, i, b, next)
			}
			next = b.last + 1
		}
		if next != n {
			t.Errorf("%d backends: the last pixel ends with %d", n, next-1)
		}
	}
}

func TestSnapIsTheSameOnEitherSideOfHalfAStep(t *testing.T) {
	const half = vg.Length(100.5) / gridSteps
	const noise = 1e-12
	if a, b := snap(half-noise), snap(half+noise); a != b {
		t.Errorf("got %v and %v, want the same", a, b)
	}
}

func TestCutGivesDashesAcrossCorners(t *testing.T) {
	var p vg.Path
	p.Move(vg.Point{})
	p.Line(vg.Point{X: 4})
	p.Line(vg.Point{X: 4, Y: 5})
	var got strings.Builder
	for _, c := range cut(p, []vg.Length{3, 2}) {
		fmt.Fprintf(&got, "%c%v,%v ", "ML"[c.Type], c.Pos.X, c.Pos.Y)
	}
	if want := "M0,0 L3,0 M4,1 L4,4 "; got.String() != want {
		t.Errorf("got %s, want %s", got.String(), want)
	}
}
