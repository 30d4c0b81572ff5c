package plots

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shape gives a marker's outline around at, to be filled; r is its radius. Gonum's own glyphs have
// arcs, and those come out of sines and cosines, which are not the same on every CPU.
type shape func(at vg.Point, r vg.Length) vg.Path

// mark draws a marker with a thin white rim, so that it stands off what lies under it.
func mark(c draw.Canvas, s shape, col color.Color, at vg.Point, r vg.Length) {
	c.SetColor(color.White)
	c.Fill(s(at, r+0.75))
	c.SetColor(col)
	c.Fill(s(at, r))
}

// whisker draws an interval from low to high.
func whisker(c draw.Canvas, l look, x, low, high vg.Length) {
	const reach = 3 // of its ends, to either side
	line := draw.LineStyle{Color: l.color, Width: 1.25}
	c.StrokeLine2(line, x, low, x, high)
	c.StrokeLine2(line, x-reach, low, x+reach, low)
	c.StrokeLine2(line, x-reach, high, x+reach, high)
}

// polygon is the closed path through corners given in units of r around at.
func polygon(at vg.Point, r vg.Length, corners ...vg.Point) vg.Path {
	var p vg.Path
	for i, k := range corners {
		pt := vg.Point{X: at.X + snap(r*k.X), Y: at.Y + snap(r*k.Y)}
		if i == 0 {
			p.Move(pt)
		} else {
			p.Line(pt)
		}
	}
	p.Close()
	return p
}

func square(at vg.Point, r vg.Length) vg.Path {
	const a = 0.875
	return polygon(at, r, vg.Point{X: -a, Y: -a}, vg.Point{X: a, Y: -a},
		vg.Point{X: a, Y: a}, vg.Point{X: -a, Y: a})
}

func diamond(at vg.Point, r vg.Length) vg.Path {
	const a = 1.25
	return polygon(at, r, vg.Point{Y: -a}, vg.Point{X: a}, vg.Point{Y: a}, vg.Point{X: -a})
}

func triangle(at vg.Point, r vg.Length) vg.Path {
	return polygon(at, r, vg.Point{X: -1.125, Y: -0.75}, vg.Point{X: 1.125, Y: -0.75},
		vg.Point{Y: 1.25})
}

// wedge is a triangle on its tip.
func wedge(at vg.Point, r vg.Length) vg.Path {
	return polygon(at, r, vg.Point{X: -1.125, Y: 0.75}, vg.Point{Y: -1.25},
		vg.Point{X: 1.125, Y: 0.75})
}

// plus is a cross with bars a third of its size wide.
func plus(at vg.Point, r vg.Length) vg.Path {
	const a, b = 1.25, 0.4375
	return polygon(at, r,
		vg.Point{X: -b, Y: -a}, vg.Point{X: b, Y: -a}, vg.Point{X: b, Y: -b},
		vg.Point{X: a, Y: -b}, vg.Point{X: a, Y: b}, vg.Point{X: b, Y: b},
		vg.Point{X: b, Y: a}, vg.Point{X: -b, Y: a}, vg.Point{X: -b, Y: b},
		vg.Point{X: -a, Y: b}, vg.Point{X: -a, Y: -b}, vg.Point{X: -b, Y: -b})
}

// cross is a plus turned by an eighth.
func cross(at vg.Point, r vg.Length) vg.Path {
	const a, b, t = 1.125, 0.5625, 0.5625 // a tip's two corners, and how far the notch reaches in
	return polygon(at, r,
		vg.Point{X: -a, Y: -b}, vg.Point{X: -b, Y: -a}, vg.Point{Y: -t},
		vg.Point{X: b, Y: -a}, vg.Point{X: a, Y: -b}, vg.Point{X: t},
		vg.Point{X: a, Y: b}, vg.Point{X: b, Y: a}, vg.Point{Y: t},
		vg.Point{X: -b, Y: a}, vg.Point{X: -a, Y: b}, vg.Point{X: -t})
}

// disc is eight quadratic curves through the points of an octagon.
func disc(at vg.Point, r vg.Length) vg.Path {
	const (
		d = 0.7071067811865476 // cos 45°: where the curves meet
		t = 0.4142135623730950 // tan 22.5°: where the tangents meet
	)
	on := func(x, y vg.Length) vg.Point {
		return vg.Point{X: at.X + snap(r*x), Y: at.Y + snap(r*y)}
	}
	var p vg.Path
	p.Move(on(1, 0))
	p.QuadTo(on(1, t), on(d, d))
	p.QuadTo(on(t, 1), on(0, 1))
	p.QuadTo(on(-t, 1), on(-d, d))
	p.QuadTo(on(-1, t), on(-1, 0))
	p.QuadTo(on(-1, -t), on(-d, -d))
	p.QuadTo(on(-t, -1), on(0, -1))
	p.QuadTo(on(t, -1), on(d, -d))
	p.QuadTo(on(1, -t), on(1, 0))
	p.Close()
	return p
}
