package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shares is one policy's share at each backend, in percent; gone[i] where it has no row.
type shares struct {
	name    string
	look    look
	percent []float64
	half    []float64 // of the intervals, in percent
	gone    []bool
}

const (
	shareWidth = 620 // of the data area at least, to decide what fits
	leastRoom  = 5   // for a marker, below which each policy gets a panel
)

var idealLine = draw.LineStyle{Color: ink, Width: idealWidth}

// drawShare shows the share of the RPCs per backend: markers of all policies side by side while
// there is room for them, else one panel a policy.
func drawShare(p *point) *figure {
	scopes := p.backends("share_ratio")
	if len(scopes) == 0 {
		return nil
	}
	names := make([]string, len(scopes))
	for i, b := range scopes {
		names[i] = backendName(b)
	}
	var all []shares
	top := 0.0
	for i, name := range p.policies {
		s := p.sharesOf(i, "share_ratio", scopes)
		if s == nil {
			continue
		}
		s.name, s.look = label(name), lookOf(i)
		all = append(all, *s)
		for _, v := range s.percent {
			top = max(top, v)
		}
		for k, half := range s.half {
			top = max(top, min(s.percent[k]+half, 2*s.percent[k]))
		}
	}
	var ideal *shares
	for i := 0; i < len(p.policies) && ideal == nil; i++ {
		ideal = p.sharesOf(i, "capacity_share_ratio", scopes)
	}
	if ideal != nil {
		for _, v := range ideal.percent {
			top = max(top, v)
		}
	}
	v := shareView{names: names, all: all, ideal: ideal, top: top}
	f := &figure{
		title: "Share of the RPCs per backend, beside its share of the capacity",
		note:  p.noteOfMeans(),
	}
	if room := shareWidth / vg.Length(len(names)*(len(all)+1)); room >= leastRoom {
		v.together(f, room)
	} else {
		v.apart(f)
	}
	return f
}

// sharesOf gathers a ratio over the backends, or nil if the policy has none.
func (p *point) sharesOf(policy int, metric string, scopes []string) *shares {
	n := len(scopes)
	s := &shares{
		percent: make([]float64, n), half: make([]float64, n), gone: make([]bool, n),
	}
	found := false
	for i, b := range scopes {
		rows := p.central(policy, metric, b)
		if len(rows) == 0 {
			s.gone[i] = true
			continue
		}
		s.percent[i], s.half[i] = rows[0].value*100, rows[0].half*100
		found = true
	}
	if !found {
		return nil
	}
	return s
}

// shareView is what both layouts draw.
type shareView struct {
	names []string
	all   []shares
	ideal *shares
	top   float64 // percent
}

// plot is an empty plot of all backends.
func (v shareView) plot(at edges, width vg.Length, ticks int) *plot.Plot {
	pl := newPlot("", "")
	pl.X.Min, pl.X.Max = 0, 1
	name := textStyle(tickSize, ink, draw.XCenter, draw.YTop)
	pl.X.Tick.Marker = backendAxis{
		names: v.names, at: at, length: width,
		room: func(n string) vg.Length { return name.Width(n) + 8 },
	}.ticks()
	pl.X.Tick.Length = 0 // a name belongs to the room around it, not to a place
	evenAxis(&pl.Y, 0, v.top, ticks, true)
	pl.Add(gridLines(false, true))
	return pl
}

// together draws all policies into one plot, each with its own lane within a backend's room.
func (v shareView) together(f *figure, room vg.Length) {
	for _, s := range v.all {
		f.key = append(f.key, entry{name: s.name, color: s.look.color, marker: s.look.shape})
	}
	at := newEdges(v.names, shareWidth)
	pl := v.plot(at, shareWidth, 6)
	pl.X.Label.Text, pl.Y.Label.Text = "backend", "share, %"
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
	f.body = plotHeight
	f.draw = func(c draw.Canvas) { pl.Draw(c) }
}

// apart draws a panel a policy, with the shares as a line that steps from backend to backend.
func (v shareView) apart(f *figure) {
	g := panels{xLabel: "backend", yLabel: "share, %", each: 154}
	for _, s := range v.all {
		g.names = append(g.names, s.name)
	}
	sample := v.all[0].look.line
	sample.Dashes = nil
	f.key = append(f.key, entry{name: "share of the RPCs (in the policy's colour)", line: sample})
	if v.ideal != nil {
		f.key = append(f.key, entry{name: "share of the capacity (ideal)", line: idealLine})
	}
	f.body = g.height()
	f.draw = func(c draw.Canvas) {
		g.draw(c, func(i int, c draw.Canvas) {
			width := (c.Max.X - c.Min.X) * 0.9
			at := newEdges(v.names, width)
			pl := v.plot(at, width, 4)
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

// stepBands draws the intervals of shares over each backend's room.
type stepBands struct {
	shares shares
	at     edges
}

// Plot fills the bands.
func (s stepBands) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, v := range s.shares.percent {
		if half := s.shares.half[i]; half > 0 {
			low, high := y(max(0, v-half)), min(y(v+half), c.Max.Y)
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
		if half := d.shares.half[i]; half > 0 {
			whisker(c, d.shares.look, at.X, y(max(0, v-half)), min(y(v+half), c.Max.Y))
		}
		mark(c, d.shares.look.shape, d.shares.look.color, at, d.r)
	}
}
