package plots

import (
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// unitsPerEm is the resolution of the Liberation fonts: asked for at this size, all their measures
// are whole font units.
const unitsPerEm = 2048

// What a segment of a glyph's outline is.
const (
	moveSegment = iota
	lineSegment
	quadSegment
	cubeSegment
)

// outline gives the shapes of a line of text that starts at the given point.
func outline(f font.Face, at vg.Point, text string) vg.Path {
	var path vg.Path
	pen, last := 0, rune(-1) // pen in font units
	for _, r := range text {
		if last >= 0 {
			pen += kern(f, last, r)
		}
		last = r
		glyph, err := f.Face.GlyphIndex(nil, r)
		if err != nil {
			continue // a broken table of the font: gonum's own Width panics before
		}
		on := func(x, y int32) vg.Point {
			return vg.Point{
				X: at.X + snap(f.Font.Size*vg.Length(pen+int(x))/unitsPerEm),
				Y: at.Y - snap(f.Font.Size*vg.Length(y)/unitsPerEm), // fonts count downwards
			}
		}
		segments, _ := f.Face.LoadGlyph(nil, glyph, unitsPerEm, nil) // a missing glyph is a gap
		for _, s := range segments {
			a := on(int32(s.Args[0].X), int32(s.Args[0].Y))
			b := on(int32(s.Args[1].X), int32(s.Args[1].Y))
			switch s.Op {
			case moveSegment:
				path.Move(a)
			case lineSegment:
				path.Line(a)
			case quadSegment:
				path.QuadTo(a, b)
			case cubeSegment:
				path.CubeTo(a, b, on(int32(s.Args[2].X), int32(s.Args[2].Y)))
			}
		}
		advance, _ := f.Face.GlyphAdvance(nil, glyph, unitsPerEm, 0)
		pen += int(advance)
	}
	return path
}

// kern is how far the font moves b towards a, in font units.
func kern(f font.Face, a, b rune) int {
	i, errI := f.Face.GlyphIndex(nil, a)
	j, errJ := f.Face.GlyphIndex(nil, b)
	if errI != nil || errJ != nil {
		return 0
	}
	k, _ := f.Face.Kern(nil, i, j, unitsPerEm, 0) // not found: no kerning
	return int(k)
}
