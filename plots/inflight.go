package plots

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// heatAxis is the height of the time axis under a panel.
const heatAxis = 22

// manyBackends is from how many backends on their rows would be thinner than the eye can follow:
// then a group of many shows how its backends are spread instead.
const manyBackends = 60

var inflightKind = Kind{
	Doc: "heat map of the RPCs in flight at each backend over time, one panel a policy",
	Metrics: map[string]X{
		"inflight_count": Seconds,
	},
	Draw: drawInflight,
}

// drawInflight shows the RPCs in flight at each backend over time as a heat map.
func drawInflight(p *Point) *Figure {
	scopes := p.backends("inflight_count")
	if len(scopes) == 0 {
		return nil
	}
	names := make([]string, len(scopes))
	for i, b := range scopes {
		names[i] = backendName(b)
	}
	rows := ownRows(names)
	title := "RPCs in flight at each backend over time"
	if len(names) > manyBackends {
		rows = groupRows(names)
		title = "RPCs in flight over time: in each group the most, 90%, half, 10%, least"
	}
	grids, bins := p.heatGrids(scopes, rows)
	var values []float64
	for _, g := range grids {
		for _, v := range g.values {
			if !math.IsNaN(v) {
				values = append(values, v)
			}
		}
	}
	bar := newColorBar("in flight, mean over a bin", values)
	panel := panels{
		xLabel: "time since the run began, s", yLabel: "backend",
		each: rowHeight + min(max(13*vg.Length(len(rows)), 80), 230) + heatAxis,
	}
	for _, g := range grids {
		panel.names = append(panel.names, g.policy)
	}
	names = namesOf(rows)
	edgesOf := windowEdges(p.windows())
	return &Figure{
		Title: title, Note: p.note(), bar: bar, key: edgesOf.key(),
		Height: panel.height(),
		Draw: func(c draw.Canvas) {
			panel.draw(c, func(i int, c draw.Canvas) {
				length := c.Max.Y - c.Min.Y - heatAxis
				at := newEdges(names, length)
				pl := heatPlot(names, at, length, bins)
				pl.Add(heat{grids[i], bar, at}, groupLines{spans(names), at}, edgesOf)
				pl.Draw(c)
			})
		},
	}
}

// windowEdges marks on a heat map when windows begin and end: shading would change its colours.
type windowEdges []window

var edgeLine = draw.LineStyle{Color: color.White, Width: 1.25, Dashes: []vg.Length{3, 2}}

// key names the windows and their moments, as many as there is room for.
func (e windowEdges) key() legend {
	const most = 6
	line := edgeLine
	line.Color = ink
	var key legend
	for i, w := range e {
		name := fmt.Sprintf("%s: %s to %s s", label(w.name), decimals(w.from), decimals(w.to))
		if i == most-1 && len(e) > most {
			name = fmt.Sprintf("and %d more", len(e)-i)
		}
		if i < most {
			key = append(key, entry{name: name, line: line})
		}
	}
	return key
}

// decimals writes a number with the digits that it needs.
func decimals(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Plot draws a line at each edge within the map.
func (e windowEdges) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	for _, w := range e {
		for _, at := range []float64{w.from, w.to} {
			if at > p.X.Min && at < p.X.Max {
				c.StrokeLine2(edgeLine, x(at), c.Min.Y, x(at), c.Max.Y)
			}
		}
	}
}

// heatPlot is an empty plot of all backends, the first on top, over the time of the bins.
func heatPlot(names []string, at edges, length vg.Length, b timeBins) *plot.Plot {
	pl := newPlot("", "")
	evenAxis(&pl.X, b.start, b.start+b.width*float64(b.n), 8, false)
	pl.Y.Min, pl.Y.Max = 0, 1
	pl.Y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}}
	text := textStyle(tickSize, ink, draw.XRight, draw.YCenter)
	short := make([]string, len(names))
	for i, n := range names {
		short[i] = fit(text, n, 100)
	}
	ticks := backendAxis{
		names: short, at: at, length: length,
		room: func(string) vg.Length { return tickSize + 2 },
	}.ticks()
	pl.Y.Tick.Marker, pl.Y.Tick.Length = ticks, 0
	return pl
}
