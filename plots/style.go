package plots

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes in points. A page shown 1000 pixels wide has 1.4 pixels to the point, so the smallest
// text (tickSize) is still 14 pixels high.
const (
	pageWidth = 720
	pagePad   = 12

	titleSize = 15
	textSize  = 11
	tickSize  = 10
	rowHeight = 16 // of a line of text or a row of the legend

	plotHeight = 330 // of a picture with one plot

	lineWidth  = 1.5
	idealWidth = 1.25
	hairWidth  = 0.5
	markerSize = 3.25 // radius

	// dotsPerInch makes a point two pixels: a power of two, so that scaling is exact.
	dotsPerInch    = 144
	pixelsPerPoint = 2
)

// fontFallback names what a viewer without the Liberation fonts shall take: Arial and Helvetica
// have the same widths.
const fontFallback = "Arial,Helvetica,sans-serif"

var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

var (
	ink    = color.NRGBA{A: 255}
	faded  = color.NRGBA{R: 90, G: 90, B: 90, A: 255}
	grid   = color.NRGBA{R: 224, G: 224, B: 224, A: 255}
	shade  = color.NRGBA{A: 24} // over each other, windows grow darker
	noData = color.NRGBA{R: 236, G: 236, B: 236, A: 255}
)

// hues are Okabe and Ito's colours for every kind of colour vision, but for their yellow, which
// fades on white, and black, which is kept for the ideal.
var hues = []color.NRGBA{
	{R: 0, G: 114, B: 178, A: 255},   // blue
	{R: 213, G: 94, B: 0, A: 255},    // vermilion
	{R: 0, G: 158, B: 115, A: 255},   // bluish green
	{R: 204, G: 121, B: 167, A: 255}, // reddish purple
	{R: 230, G: 159, B: 0, A: 255},   // orange
	{R: 86, G: 180, B: 233, A: 255},  // sky blue
}

// dashes tell lines apart in grey. Seven of them to six hues: 42 policies differ. The first is
// solid and drawn first, so a line on top of it lets it show through the gaps.
var dashes = [][]vg.Length{
	nil,
	{6, 3},
	{1.5, 2},
	{9, 2.5, 1.5, 2.5},
	{3, 1.5},
	{14, 3},
	{9, 2, 1.5, 2, 1.5, 2},
}

// shapes are the markers, which differ without colour too.
var shapes = []shape{disc, square, triangle, diamond, wedge, cross, plus}

// look is how one policy appears in every plot of a picture.
type look struct {
	line  draw.LineStyle
	color color.NRGBA
	shape shape
}

// pale is the colour of its intervals, which others show through.
func (l look) pale() color.NRGBA {
	c := l.color
	c.A = 56
	return c
}

// lookOf gives the look of the i-th policy.
func lookOf(i int) look {
	hue := hues[i%len(hues)]
	return look{
		line:  draw.LineStyle{Color: hue, Width: lineWidth, Dashes: dashes[i%len(dashes)]},
		color: hue,
		shape: shapes[i%len(shapes)],
	}
}

// textStyle is a style of the house's font, size in points.
func textStyle(size vg.Length, c color.Color, x draw.XAlignment, y draw.YAlignment) draw.TextStyle {
	return draw.TextStyle{
		Color: c, Font: font.From(sans, size), XAlign: x, YAlign: y,
		Handler: plot.DefaultTextHandler,
	}
}

// newPlot is an empty plot in the house's style, with named axes.
func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = font.From(sans, textSize)
		a.Label.Padding = 4
		a.Tick.Label.Font = font.From(sans, tickSize)
		a.Tick.Length = 5
		a.Tick.Width = hairWidth
		a.Width = hairWidth
		a.Padding = 0
	}
	p.X.Label.Text, p.Y.Label.Text = x, y
	return p
}

// viridis is van der Walt and Smith's colour scale in eleven even steps: its lightness rises
// evenly, for every kind of colour vision and in grey.
var viridis = [...][3]int{
	{68, 1, 84}, {72, 36, 117}, {65, 68, 135}, {53, 95, 141}, {42, 120, 142}, {33, 145, 140},
	{34, 168, 132}, {68, 191, 112}, {122, 209, 81}, {189, 223, 38}, {253, 231, 37},
}

// heatLevels is the number of colours of a heat map.
const heatLevels = 256

// heatColor is the colour of a level from 0 (dark) to heatLevels-1 (light).
func heatColor(level int) color.NRGBA {
	const parts = len(viridis) - 1
	at := level * parts
	i := min(at/(heatLevels-1), parts-1)
	rest := at - i*(heatLevels-1) // of heatLevels-1
	mix := func(c int) uint8 {
		a, b := viridis[i][c], viridis[i+1][c]
		return uint8(a + (b-a)*rest/(heatLevels-1))
	}
	return color.NRGBA{R: mix(0), G: mix(1), B: mix(2), A: 255}
}
