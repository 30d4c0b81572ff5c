package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// curve draws one policy: pieces of line with gaps between them, and markers at chosen points. A
// piece of a single point shows as a marker.
type curve struct {
	look   look
	pieces []plotter.XYs
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
	for _, piece := range k.pieces {
		line := make([]vg.Point, len(piece))
		for i, pt := range piece {
			line[i] = vg.Point{X: x(pt.X), Y: y(pt.Y)}
		}
		if len(line) > 1 {
			c.StrokeLines(k.look.line, line)
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
