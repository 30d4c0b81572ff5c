package plots

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// heat draws a heatGrid over the whole data area, one pixel of the PNG at a time: vector cells
// would be tens of thousands, with hairlines between them in most viewers.
type heat struct {
	grid  heatGrid
	bar   *colorBar
	edges edges
}

// Plot draws the map.
func (h heat) Plot(c draw.Canvas, _ *plot.Plot) {
	area := wholePixels(c.Rectangle)
	size := area.Size()
	w, ht := int(size.X*pixelsPerPoint), int(size.Y*pixelsPerPoint)
	m := image.NewPaletted(image.Rect(0, 0, w, ht), h.bar.palette())
	rows := h.edges.blocks(ht)
	for y, r := range rows {
		line := m.Pix[y*m.Stride : (y+1)*m.Stride]
		if y > 0 && r == rows[y-1] {
			copy(line, m.Pix[(y-1)*m.Stride:])
			continue
		}
		for x := range line {
			line[x] = h.bar.level(h.grid.greatest(r, block(x, w, h.grid.n)))
		}
	}
	c.DrawImage(area, m)
}

// block gives the bins, of n, that lie in pixel i of size: at least one.
func block(i, size, n int) span {
	first := i * n / size
	return span{first, max(first, (i+1)*n/size-1)}
}

// wholePixels moves the corners of a rectangle to pixels.
func wholePixels(r vg.Rectangle) vg.Rectangle {
	round := func(p vg.Point) vg.Point {
		const lean = 1e-6 // as in snap
		at := func(l vg.Length) vg.Length {
			return vg.Length(math.Floor(float64(l)*pixelsPerPoint+(0.5+lean))) / pixelsPerPoint
		}
		return vg.Point{X: at(p.X), Y: at(p.Y)}
	}
	return vg.Rectangle{Min: round(r.Min), Max: round(r.Max)}
}

// groupLines parts the groups of backends of a heat map by white lines.
type groupLines struct {
	groups []span
	edges  edges
}

// Plot draws the lines.
func (g groupLines) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	for _, s := range g.groups[1:] {
		at := y(g.edges[s.first])
		c.StrokeLine2(draw.LineStyle{Color: color.White, Width: 1}, c.Min.X, at, c.Max.X, at)
	}
}

// colorBar is the scale of a heat map, common to all panels, and its key above them.
type colorBar struct {
	name string
	top  float64
	log  bool // colours follow log(1+value)
}

const (
	barWidth  = 300
	barHeight = 10
	barGap    = 4                                 // above
	barSpace  = barGap + barHeight + tickSize + 8 // ticks included

	// crowded is how many times the middle value the greatest may be before an even scale would
	// leave most of the map in its darkest tenth.
	crowded = 12
)

func newColorBar(name string, values []float64) *colorBar {
	b := &colorBar{name: name, top: slices.Max(values)}
	if b.top <= 0 {
		b.top = 1
	}
	if b.top > crowded*max(middle(values), 0.5) {
		b.log = true
		b.name += " (log scale)"
	}
	return b
}

// place maps a value to 0..1 along the scale.
func (b *colorBar) place(v float64) float64 {
	v = min(max(v, 0), b.top)
	if !b.log {
		return v / b.top
	}
	rounded := func(v float64) float64 { return math.Round(math.Log1p(v)*1e9) / 1e9 }
	return rounded(v) / rounded(b.top)
}

// level is the value's index in the palette.
func (b *colorBar) level(v float64) uint8 {
	if math.IsNaN(v) {
		return 0
	}
	const lean = 1e-6 // as in snap
	return uint8(1 + math.Floor(b.place(v)*(heatLevels-2)+(0.5+lean)))
}

// palette holds the colour of no data and then those of the scale.
func (b *colorBar) palette() color.Palette {
	p := color.Palette{noData}
	for i := range heatLevels - 1 {
		p = append(p, heatColor(i*(heatLevels-1)/(heatLevels-2)))
	}
	return p
}

// ticks are round values along the scale.
func (b *colorBar) ticks() []plot.Tick {
	if !b.log {
		return evenTicks(0, b.top, 6, false)
	}
	ticks := []plot.Tick{{Value: 0, Label: "0"}}
	for e := 0; ; e++ {
		for _, m := range []int{1, 2, 5} {
			v := decimal(m, e)
			if v > b.top {
				return ticks
			}
			ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', -1, 64)})
		}
	}
}

// draw puts the bar under y, its name before it and its ticks below.
func (b *colorBar) draw(c draw.Canvas, y vg.Length) {
	y -= barGap
	text := textStyle(textSize, ink, draw.XLeft, draw.YCenter)
	c.FillText(text, vg.Point{X: c.Min.X, Y: y - barHeight/2 + raise}, b.name)
	left := snap(c.Min.X + text.Width(b.name) + 12)
	area := wholePixels(vg.Rectangle{
		Min: vg.Point{X: left, Y: y - barHeight}, Max: vg.Point{X: left + barWidth, Y: y},
	})
	m := image.NewPaletted(
		image.Rect(0, 0, barWidth*pixelsPerPoint, barHeight*pixelsPerPoint), b.palette())
	for i := range m.Pix {
		m.Pix[i] = uint8(1 + (i%m.Stride)*(heatLevels-1)/m.Stride)
	}
	c.DrawImage(area, m)

	tick := textStyle(tickSize, ink, draw.XCenter, draw.YTop)
	end := c.Min.X
	for _, t := range b.ticks() {
		x := area.Min.X + barWidth*vg.Length(b.place(t.Value))
		half := tick.Width(t.Label)/2 + 3
		if snap(x-half) < snap(end) {
			continue
		}
		end = x + half
		c.StrokeLine2(draw.LineStyle{Color: ink, Width: hairWidth}, x, area.Min.Y, x, area.Min.Y-3)
		c.FillText(tick, vg.Point{X: x, Y: area.Min.Y - 4}, t.Label)
	}
}
