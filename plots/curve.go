package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// curve draws one policy: pieces of line with gaps between them, and markers at chosen points. A
// piece of a single point shows as a marker.
type curve struct {
	policy string
	entry  int // the place of its policy in the key
	look   look
	pieces []plotter.XYs
	thin   plotter.XYs // a line that only leads the eye; may be empty
	marks  plotter.XYs
	band   plotter.XYs // the outline of the intervals of the points; may be empty
}

// curveBand draws the band of a curve.
type curveBand curve

// Plot fills the band.
func (k curveBand) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	outline := make([]vg.Point, len(k.band))
	for i, pt := range k.band {
		outline[i] = vg.Point{X: x(pt.X), Y: y(pt.Y)}
	}
	if len(outline) > 2 {
		c.FillPolygon(k.look.pale(), outline)
	}
}

// Plot draws the lines; the markers are left to curveMarks, above the lines of all policies.
func (k curve) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	stroke := func(style draw.LineStyle, points plotter.XYs) {
		line := make([]vg.Point, len(points))
		for i, pt := range points {
			line[i] = vg.Point{X: x(pt.X), Y: y(pt.Y)}
		}
		if len(line) > 1 {
			c.StrokeLines(style, line)
		}
	}
	for _, piece := range k.pieces {
		stroke(k.look.line, piece)
	}
	stroke(draw.LineStyle{Color: k.look.color, Width: hairWidth}, k.thin)
}

// end is the greatest x of the curve.
func (k curve) end() float64 {
	end := math.Inf(-1)
	for _, piece := range k.pieces {
		end = max(end, piece[len(piece)-1].X)
	}
	return end
}

// same reports whether both curves run through the same points.
func (k curve) same(other curve) bool {
	return slices.EqualFunc(k.pieces, other.pieces,
		func(a, b plotter.XYs) bool { return slices.Equal(a, b) })
}

// markEqual notes in the key which curves hide an earlier one by running through the same points.
func markEqual(key legend, curves []curve) {
	for i, k := range curves {
		if first := slices.IndexFunc(curves[:i], k.same); first >= 0 {
			key[k.entry].name += " (equal to " + curves[first].policy + ")"
		}
	}
}

// curveMarks draws the markers of a curve.
type curveMarks curve

// Plot draws the markers.
func (k curveMarks) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := func(pt plotter.XY) vg.Point { return snapPoint(vg.Point{X: x(pt.X), Y: y(pt.Y)}) }
	for _, pt := range k.marks {
		mark(c, k.look.shape, k.look.color, at(pt), markerSize)
	}
	for _, piece := range k.pieces {
		if len(piece) == 1 {
			mark(c, k.look.shape, k.look.color, at(piece[0]), markerSize)
		}
	}
}

// addCurves adds the bands of all policies, then their lines and then their markers, so that no
// line hides a marker.
func addCurves(p *plot.Plot, curves []curve) {
	for _, k := range curves {
		p.Add(curveBand(k))
	}
	for _, k := range curves {
		p.Add(k)
	}
	for _, k := range curves {
		p.Add(curveMarks(k))
	}
}
