package plots

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Figure is one picture: a heading, a key under it, and below both the body with the plots. The key
// never covers data.
type Figure struct {
	Title string
	Note  string // the grey line under the title; may be empty
	// Height is that of the body, in points. The page is as wide as in every other picture.
	Height vg.Length
	// Draw draws the body, which fills the canvas.
	Draw func(c draw.Canvas)

	key  legend
	bar  *colorBar // the key of a heat map
	foot []string  // grey lines under the body: see Caption
}

// size gives the page's width and height.
func (f *Figure) size() (w, h vg.Length) {
	return pageWidth, 2*pagePad + f.heading() + f.Height + f.footing()
}

// heading is the height of all that stands above the body.
func (f *Figure) heading() vg.Length {
	h := vg.Length(titleSize + 8)
	if f.Note != "" {
		h += rowHeight
	}
	if f.bar != nil {
		h += barSpace
	}
	return h + rowHeight*vg.Length(len(f.key.rows())) + 6
}

// footRow is the height of a line at the foot of the page.
const footRow = tickSize + 3

// footing is the height of all that stands below the body.
func (f *Figure) footing() vg.Length {
	if len(f.foot) == 0 {
		return 0
	}
	return 6 + footRow*vg.Length(len(f.foot))
}

// render draws the page on a canvas of the figure's size.
func (f *Figure) render(to vg.CanvasSizer) {
	c := draw.New(to)
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, pagePad, -pagePad, pagePad, -pagePad)
	body := draw.Crop(c, 0, 0, f.footing(), -f.heading())
	drawFoot(c, f.foot)

	title := textStyle(titleSize, ink, draw.XLeft, draw.YTop)
	y := c.Max.Y
	c.FillText(title, vg.Point{X: c.Min.X, Y: y}, fit(title, f.Title, c.Max.X-c.Min.X))
	y -= titleSize + 8
	if f.Note != "" {
		s := textStyle(textSize, faded, draw.XLeft, draw.YTop)
		c.FillText(s, vg.Point{X: c.Min.X, Y: y}, fit(s, f.Note, c.Max.X-c.Min.X))
		y -= rowHeight
	}
	if f.bar != nil {
		f.bar.draw(c, y)
		y -= barSpace
	}
	f.key.draw(c, y)
	f.Draw(body)
}

// note returns the sweep point of a picture and its number of seeds.
func (p *Point) note() string { return p.noteOf("median of %d seeds") }

// noteOfMeans is the note of a picture with intervals, if the table has them.
func (p *Point) noteOfMeans() string {
	for _, w := range p.whole {
		if w != nil {
			return p.noteOf("mean of %d seeds, with its 95%% confidence interval")
		}
	}
	return p.note()
}

func (p *Point) noteOf(seeds string) string {
	var parts []string
	for i, k := range p.table.sweep {
		parts = append(parts, label(k)+" = "+label(p.swept[i]))
	}
	if n := p.seeds(); n > 1 {
		parts = append(parts, fmt.Sprintf(seeds, n))
	}
	return strings.Join(parts, "  ·  ")
}

// fit shortens a text that is wider than the room for it.
func fit(s draw.TextStyle, text string, room vg.Length) string {
	if s.Width(text) <= room {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && s.Width(string(runes)+"…") > room {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// entry is one line of a legend: a name and how its data are drawn.
type entry struct {
	name   string
	line   draw.LineStyle // width 0: no line
	color  color.Color
	marker shape // nil: none
}

// legend is a key in rows above the plots.
type legend []entry

const (
	sampleWidth = 30 // of the piece of line before a name
	nameGap     = 6
	entryGap    = 18

	// raise lifts a line of text so that its small letters stand level with what it names; gonum
	// centres the box of the font, which reaches higher.
	raise = 1.25
)

// sample is the width of what stands before the name.
func (e entry) sample() vg.Length {
	if e.line.Width > 0 {
		return sampleWidth
	}
	return 3 * markerSize
}

func (e entry) text() string {
	const room = pageWidth - 2*pagePad - sampleWidth - nameGap
	return fit(textStyle(textSize, ink, draw.XLeft, draw.YCenter), e.name, room)
}

func (e entry) width() vg.Length {
	return e.sample() + nameGap + textStyle(textSize, ink, draw.XLeft, draw.YCenter).Width(e.text())
}

// rows breaks the legend into rows that fit the page.
func (l legend) rows() []legend {
	var rows []legend
	room := vg.Length(0)
	for _, e := range l {
		w := e.width()
		if len(rows) == 0 || w > room {
			rows = append(rows, nil)
			room = pageWidth - 2*pagePad
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		room -= w + entryGap
	}
	return rows
}

// draw puts the legend's first row under y.
func (l legend) draw(c draw.Canvas, y vg.Length) {
	text := textStyle(textSize, ink, draw.XLeft, draw.YCenter)
	for _, row := range l.rows() {
		x, mid := c.Min.X, y-rowHeight/2
		for _, e := range row {
			if e.line.Width > 0 {
				c.StrokeLine2(e.line, x, mid, x+sampleWidth, mid)
			}
			if e.marker != nil {
				mark(c, e.marker, e.color, vg.Point{X: x + e.sample()/2, Y: mid}, markerSize)
			}
			c.FillText(text, vg.Point{X: x + e.sample() + nameGap, Y: mid + raise}, e.text())
			x += e.width() + entryGap
		}
		y -= rowHeight
	}
}

// panels lays out one plot a policy: under each other to three of them, then in two columns.
// The axes are named once, at the page's edge.
type panels struct {
	names          []string
	xLabel, yLabel string
	each           vg.Length // height of one panel, its name included
}

const (
	panelGap = 18 // between two columns
	rowGap   = 6
)

func (g panels) columns() int {
	if len(g.names) > 3 {
		return 2
	}
	return 1
}

// panelRows is the number of panels under each other.
func (g panels) panelRows() int {
	return (len(g.names) + g.columns() - 1) / g.columns()
}

func (g panels) height() vg.Length {
	return (g.each+rowGap)*vg.Length(g.panelRows()) + rowHeight
}

func (g panels) draw(c draw.Canvas, plot func(i int, c draw.Canvas)) {
	axis := textStyle(textSize, ink, draw.XCenter, draw.YBottom)
	c.FillText(axis, vg.Point{X: c.Center().X, Y: c.Min.Y + 2}, g.xLabel)
	axis.Rotation, axis.YAlign = math.Pi/2, draw.YTop
	c.FillText(axis, vg.Point{X: c.Min.X, Y: c.Center().Y}, g.yLabel)

	name := textStyle(textSize, ink, draw.XLeft, draw.YTop)
	for i, n := range g.names {
		p := g.panel(c, i)
		c.FillText(name, p.Min.Add(vg.Point{Y: g.each}), fit(name, n, p.Max.X-p.Min.X))
		p.Max.Y -= rowHeight
		plot(i, p)
	}
}

// panel is the room of the i-th panel, its name included.
func (g panels) panel(c draw.Canvas, i int) draw.Canvas {
	c = draw.Crop(c, rowHeight+4, 0, rowHeight, 0) // the names of the axes
	columns := g.columns()
	w := (c.Max.X - c.Min.X - panelGap*vg.Length(columns-1)) / vg.Length(columns)
	c.Min.X += (w + panelGap) * vg.Length(i%columns)
	c.Max.X = c.Min.X + w
	c.Max.Y -= (g.each + rowGap) * vg.Length(i/columns)
	c.Min.Y = c.Max.Y - g.each
	return c
}
