package plots

import (
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// backendName returns the name in a scope: fast/3 of "backend:fast/3".
func backendName(scope string) string { return label(strings.TrimPrefix(scope, "backend:")) }

// groupOf returns the part of a backend's name before its index.
func groupOf(name string) string {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i]
	}
	return name
}

// edges are where the rooms of backends begin and end along an axis from 0 to 1: the i-th reaches
// from edges[i] to edges[i+1]. Rooms are even, but a group has at least leastGroup: one slow
// backend of a thousand would else be thinner than a line.
type edges []float64

const leastGroup = 8 // points

func newEdges(names []string, length vg.Length) edges {
	groups := spans(names)
	least := min(leastGroup/float64(length), 0.5/float64(len(groups)))
	parts := make([]float64, len(groups))
	whole := 0.0
	for i, g := range groups {
		parts[i] = max(float64(g.size())/float64(len(names)), least)
		whole += parts[i]
	}
	at := edges{0}
	from := 0.0
	for i, g := range groups {
		for k := range g.size() {
			// The conversion forbids a fused multiply-add.
			at = append(at, (from+float64(parts[i]*float64(k+1)/float64(g.size())))/whole)
		}
		from += parts[i]
	}
	return at
}

// middle is the middle of the rooms of a span.
func (e edges) middle(s span) float64 { return (e[s.first] + e[s.last+1]) / 2 }

// blocks gives, for each of a number of pixels along the axis, the backends that it shows.
func (e edges) blocks(pixels int) []span {
	const lean = 1e-6 // as in snap
	pixel := func(i int) int { return int(math.Floor(e[i]*float64(pixels) + (0.5 + lean))) }
	list := make([]span, pixels)
	for i := range list {
		list[i] = span{-1, -1}
	}
	for b := range len(e) - 1 {
		from, to := min(pixel(b), pixels-1), pixel(b+1)
		for i := from; i < max(to, from+1); i++ {
			if list[i].first < 0 {
				list[i].first = b
			}
			list[i].last = b
		}
	}
	return list
}

// backendAxis names backends along an axis.
type backendAxis struct {
	names  []string
	at     edges
	length vg.Length // of the axis
	// room is what a name takes along the axis, with the gap to the next one.
	room func(name string) vg.Length
}

// ticks names every backend if there is room for that, else each run of one group by its first and
// last backend, leaving out what would touch the name before.
func (a backendAxis) ticks() plot.ConstantTicks {
	var ticks []plot.Tick
	for i, n := range a.names {
		if snap(a.room(n)) > snap(a.length*vg.Length(a.at[i+1]-a.at[i])) {
			return a.groupTicks()
		}
		ticks = append(ticks, plot.Tick{Value: a.at.middle(span{i, i}), Label: n})
	}
	return ticks
}

func (a backendAxis) groupTicks() plot.ConstantTicks {
	var ticks []plot.Tick
	end := -a.length // of the last name
	for _, s := range spans(a.names) {
		name := a.names[s.first]
		if s.last > s.first {
			name += "…" + strings.TrimPrefix(a.names[s.last], groupOf(name)+"/")
		}
		mid := a.at.middle(s)
		at, half := a.length*vg.Length(mid), a.room(name)/2
		if snap(at-half) < snap(end) {
			continue
		}
		end = at + half
		ticks = append(ticks, plot.Tick{Value: mid, Label: name})
	}
	return ticks
}

// span is a run of neighbours of one group, by index.
type span struct{ first, last int }

func (s span) size() int { return s.last - s.first + 1 }

func spans(names []string) []span {
	var list []span
	for i, n := range names {
		if i == 0 || groupOf(n) != groupOf(names[i-1]) {
			list = append(list, span{i, i})
		}
		list[len(list)-1].last = i
	}
	return list
}
