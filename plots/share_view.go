package plots

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shareView is what both layouts draw.
type shareView struct {
	names  []string
	xLabel string
	all    []shares
	ideal  *shares
}

// dwarfs is how many times as high one policy reaches as another when an axis for both would
// flatten the lower one.
const dwarfs = 4

// tops are the least and the greatest of what the policies reach, in percent; the ideal counts.
func (v shareView) tops() (low, high float64) {
	low = math.Inf(1)
	for i := range v.all {
		top := v.topOf(i)
		low, high = min(low, top), max(high, top)
	}
	return low, high
}

// topOf is what the plot of a policy must hold.
func (v shareView) topOf(i int) float64 {
	top := v.all[i].top()
	if v.ideal != nil {
		top = max(top, v.ideal.top())
	}
	return top
}

// plot is an empty plot of all backends, up to a share in percent.
func (v shareView) plot(at edges, width vg.Length, ticks int, top float64) *plot.Plot {
	pl := newPlot("", "")
	pl.X.Min, pl.X.Max = 0, 1
	name := textStyle(tickSize, ink, draw.XCenter, draw.YTop)
	pl.X.Tick.Marker = backendAxis{
		names: v.names, at: at, length: width,
		room: func(n string) vg.Length { return name.Width(n) + 8 },
	}.ticks()
	pl.X.Tick.Length = 0 // a name belongs to the room around it, not to a place
	evenAxis(&pl.Y, 0, top, ticks, true)
	pl.Add(gridLines(false, true))
	return pl
}

// together draws all policies into one plot, each with its own lane within a backend's room.
func (v shareView) together(f *Figure, room vg.Length) {
	for _, s := range v.all {
		f.key = append(f.key, entry{name: s.name, color: s.look.color, marker: s.look.shape})
	}
	at := newEdges(v.names, shareWidth)
	_, top := v.tops()
	pl := v.plot(at, shareWidth, 6, top)
	pl.X.Label.Text, pl.Y.Label.Text = v.xLabel, "share, %"
	pl.Add(slotLines{at, spans(v.names), true})
	if v.ideal != nil {
		f.key = append(f.key, entry{name: "share of the capacity (ideal)", line: idealLine})
		pl.Add(steps{*v.ideal, at, idealLine})
	}
	r := min(markerSize, room*0.4)
	for i, s := range v.all {
		lane := float64(i+1) / float64(len(v.all)+1)
		pl.Add(dots{s, v.ideal, at, lane, r})
	}
	f.Height = plotHeight
	f.Draw = func(c draw.Canvas) { pl.Draw(c) }
}

// apart draws a panel a policy, with the shares as a line that steps from backend to backend. The
// panels have one axis, but for those of policies that would flatten the others.
func (v shareView) apart(f *Figure) {
	g := panels{xLabel: v.xLabel, yLabel: "share, %", each: 154}
	low, common := v.tops()
	if common > dwarfs*low {
		common = 0
		for i := range v.all {
			if top := v.topOf(i); top <= dwarfs*low {
				common = max(common, top)
			}
		}
		g.yLabel = "share, % (axes differ)"
	}
	for _, s := range v.all {
		g.names = append(g.names, s.name)
	}
	sample := v.all[0].look.line
	sample.Dashes = nil
	f.key = append(f.key, entry{name: "share of the RPCs (in the policy's colour)", line: sample})
	if v.ideal != nil {
		f.key = append(f.key, entry{name: "share of the capacity (ideal)", line: idealLine})
	}
	f.Height = g.height()
	f.Draw = func(c draw.Canvas) {
		g.draw(c, func(i int, c draw.Canvas) {
			width := (c.Max.X - c.Min.X) * 0.9
			at := newEdges(v.names, width)
			pl := v.plot(at, width, 4, max(common, v.topOf(i)))
			line := v.all[i].look.line
			line.Dashes = nil // its panel tells it apart
			if len(v.names) > 200 {
				line.Width = 1
			}
			pl.Add(slotLines{at, spans(v.names), false}, stepBands{v.all[i], at},
				steps{v.all[i], at, line})
			if v.ideal != nil {
				pl.Add(steps{*v.ideal, at, idealLine})
			}
			pl.Draw(c)
		})
	}
}

// slotLines parts groups of backends and, if asked for, faintly the rooms of backends.
type slotLines struct {
	at     edges
	groups []span
	rooms  bool
}

// Plot draws the lines.
func (s slotLines) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	line := draw.LineStyle{Color: grid, Width: hairWidth}
	for i := 1; s.rooms && i < len(s.at)-1; i++ {
		at := x(s.at[i])
		c.StrokeLine2(line, at, c.Min.Y, at, c.Max.Y)
	}
	line = draw.LineStyle{Color: faded, Width: hairWidth, Dashes: []vg.Length{2, 2}}
	for i := 1; i < len(s.groups); i++ {
		at := x(s.at[s.groups[i].first])
		c.StrokeLine2(line, at, c.Min.Y, at, c.Max.Y)
	}
}

// steps draws shares as a line that is level over each backend's room.
type steps struct {
	shares shares
	at     edges
	style  draw.LineStyle
}

// Plot draws the line, broken where a backend has no row.
func (s steps) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var pieces [][]vg.Point
	for i, v := range s.shares.percent {
		if s.shares.gone[i] {
			continue
		}
		if i == 0 || s.shares.gone[i-1] {
			pieces = append(pieces, nil)
		}
		last := &pieces[len(pieces)-1]
		*last = append(*last,
			vg.Point{X: x(s.at[i]), Y: y(v)}, vg.Point{X: x(s.at[i+1]), Y: y(v)})
	}
	c.StrokeLines(s.style, pieces...)
}

// stepBands draws what shares reach from seed to seed over each backend's room.
type stepBands struct {
	shares shares
	at     edges
}

// Plot fills the bands.
func (s stepBands) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, least := range s.shares.least {
		if most := s.shares.most[i]; most > least {
			low, high := y(least), y(most)
			c.FillPolygon(s.shares.look.pale(), []vg.Point{
				{X: x(s.at[i]), Y: low}, {X: x(s.at[i+1]), Y: low},
				{X: x(s.at[i+1]), Y: high}, {X: x(s.at[i]), Y: high},
			})
		}
	}
}

// dots draws one policy's shares as markers, with a stem from the ideal.
type dots struct {
	shares shares
	ideal  *shares
	at     edges
	lane   float64 // 0 to 1 within a backend's room
	r      vg.Length
}

// Plot draws stems and markers.
func (d dots) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	stem := draw.LineStyle{Color: d.shares.look.color, Width: 1}
	for i, v := range d.shares.percent {
		if d.shares.gone[i] {
			continue
		}
		at := snapPoint(vg.Point{X: x(d.at[i] + d.lane*(d.at[i+1]-d.at[i])), Y: y(v)})
		if d.ideal != nil && !d.ideal.gone[i] {
			c.StrokeLine2(stem, at.X, y(d.ideal.percent[i]), at.X, at.Y)
		}
		if least, most := d.shares.least[i], d.shares.most[i]; most > least {
			whisker(c, d.shares.look, at.X, y(least), y(most))
		}
		mark(c, d.shares.look.shape, d.shares.look.color, at, d.r)
	}
}
