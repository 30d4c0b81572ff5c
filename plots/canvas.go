package plots

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// gridSteps is the number of grid lines to the point. Every coordinate that reaches a backend lies
// on this grid: what differs between CPUs (fused multiply-add, logarithms in assembly) is far
// smaller than a step. At two pixels a point a step is 1/64 pixel, the rasterizer's own unit.
const gridSteps = 128

// snap moves a length to the grid. Coordinates half a step off it are common (a tenth of a width,
// the middle of a box) and rounding noise would push them either way; the small lean decides.
func snap(l vg.Length) vg.Length {
	const lean = 1e-6
	return vg.Length(math.Floor(float64(l)*gridSteps+(0.5+lean))) / gridSteps
}

func snapPoint(p vg.Point) vg.Point { return vg.Point{X: snap(p.X), Y: snap(p.Y)} }

func snapPath(p vg.Path) vg.Path {
	q := make(vg.Path, len(p))
	for i, c := range p {
		c.Pos = snapPoint(c.Pos)
		if len(c.Control) > 0 {
			control := make([]vg.Point, len(c.Control))
			for j, k := range c.Control {
				control[j] = snapPoint(k)
			}
			c.Control = control
		}
		q[i] = c
	}
	return q
}

// snapped is a canvas that hands everything on to another one, on the grid.
type snapped struct{ vg.CanvasSizer }

func (s snapped) SetLineWidth(w vg.Length) { s.CanvasSizer.SetLineWidth(snap(w)) }

func (s snapped) SetLineDash(pattern []vg.Length, offset vg.Length) {
	q := make([]vg.Length, len(pattern))
	for i, l := range pattern {
		q[i] = snap(l)
	}
	s.CanvasSizer.SetLineDash(q, snap(offset))
}

func (s snapped) Translate(p vg.Point) { s.CanvasSizer.Translate(snapPoint(p)) }
func (s snapped) Stroke(p vg.Path)     { s.CanvasSizer.Stroke(snapPath(p)) }
func (s snapped) Fill(p vg.Path)       { s.CanvasSizer.Fill(snapPath(p)) }

func (s snapped) FillString(f font.Face, at vg.Point, text string) {
	s.CanvasSizer.FillString(f, snapPoint(at), text)
}

func (s snapped) DrawImage(r vg.Rectangle, m image.Image) {
	s.CanvasSizer.DrawImage(vg.Rectangle{Min: snapPoint(r.Min), Max: snapPoint(r.Max)}, m)
}

// dotted is the canvas of a PNG. Three things that vgimg does in floating point it does itself:
// text (by outlines, not by blending a rotated picture of it), dashes, and images (which must come
// in the resolution of the page).
type dotted struct {
	snapped
	page draw.Image
	dash []vg.Length
}

func newDotted(w, h vg.Length) *dotted {
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dotsPerInch))
	return &dotted{snapped: snapped{c}, page: c.Image()}
}

// SetLineDash remembers the pattern for Stroke; the offset is not used by any plot.
func (d *dotted) SetLineDash(pattern []vg.Length, _ vg.Length) { d.dash = pattern }

// Stroke cuts the path into dashes, if there is a pattern, and draws it.
func (d *dotted) Stroke(p vg.Path) {
	if len(d.dash) > 0 {
		p = cut(p, d.dash)
	}
	d.snapped.Stroke(p)
}

// FillString draws text by its outlines.
func (d *dotted) FillString(f font.Face, at vg.Point, text string) {
	d.snapped.Fill(outline(f, snapPoint(at), text))
}

// DrawImage copies the image, which has as many pixels as the rectangle, to the page.
func (d *dotted) DrawImage(r vg.Rectangle, m image.Image) {
	_, height := d.Size()
	pixel := func(l vg.Length) int { return int(math.Round(float64(l) * pixelsPerPoint)) }
	to := image.Rect(pixel(r.Min.X), pixel(height-r.Max.Y), pixel(r.Max.X), pixel(height-r.Min.Y))
	draw.Draw(d.page, to, m, m.Bounds().Min, draw.Src)
}

// cut gives the dashes of a path of straight lines. It counts in whole grid steps: a dash that ends
// at a corner must do so on every CPU.
func cut(p vg.Path, pattern []vg.Length) vg.Path {
	steps := func(l vg.Length) int64 { return int64(math.Round(float64(snap(l)) * gridSteps)) }
	back := func(x, y int64) vg.Point {
		return vg.Point{X: vg.Length(x) / gridSteps, Y: vg.Length(y) / gridSteps}
	}
	var out vg.Path
	var x, y int64
	i := 0
	left := steps(pattern[0])
	for _, c := range p {
		if c.Type != vg.LineComp {
			x, y = steps(c.Pos.X), steps(c.Pos.Y)
			i, left = 0, steps(pattern[0])
			out.Move(back(x, y))
			continue
		}
		dx, dy := steps(c.Pos.X)-x, steps(c.Pos.Y)-y
		length := int64(math.Sqrt(float64(dx*dx + dy*dy)))
		for done := int64(0); done < length; {
			n := min(left, length-done)
			done, left = done+n, left-n
			if i%2 == 0 {
				out.Line(back(x+dx*done/length, y+dy*done/length))
			}
			if left == 0 {
				i = (i + 1) % len(pattern)
				left = steps(pattern[i])
				if i%2 == 0 {
					out.Move(back(x+dx*done/length, y+dy*done/length))
				}
			}
		}
		x, y = x+dx, y+dy
	}
	return out
}

// encode draws a figure as SVG and as PNG.
func encode(f *Figure) (svg, pixels []byte, err error) {
	w, h := f.size()
	s := vgsvg.New(w, h)
	f.render(snapped{s})
	var b bytes.Buffer
	if _, err := s.WriteTo(&b); err != nil {
		return nil, nil, err
	}
	svg = bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:Liberation Sans,"+fontFallback+";"))
	// vgsvg embeds PNG and calls it jpg.
	svg = bytes.ReplaceAll(svg, []byte("data:image/jpg;"), []byte("data:image/png;"))

	d := newDotted(w, h)
	f.render(d)
	var p bytes.Buffer
	if err := png.Encode(&p, d.page); err != nil {
		return nil, nil, err
	}
	return svg, p.Bytes(), nil
}
