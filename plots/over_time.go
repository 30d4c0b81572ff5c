package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// OverTime draws one metric over time, a line for each policy, with the windows of failures. X of
// the metric is in [Seconds]; yLabel names the value and its unit. The values are medians over the
// seeds. OverTime returns nil where no policy has a value.
func (p *Point) OverTime(title, yLabel, metric, scope string) *Figure {
	series := make([][]Sample, len(p.policies))
	var times []float64
	for i := range p.policies {
		series[i] = p.median(i, metric, scope)
		for _, s := range series[i] {
			times = append(times, s.X)
		}
	}
	f := p.overTime(yLabel, series, times)
	if f != nil {
		f.Title, f.Note = title, p.note()
	}
	return f
}

// overTime draws a series for each policy. Times are the beginnings of the run's bins, at least of
// those with a value. Each value stands in the middle of its bin; a bin without a value leaves a
// gap. Infinite values are drawn along the top.
func (p *Point) overTime(yLabel string, series [][]Sample, times []float64) *Figure {
	var values []float64
	for _, s := range slices.Concat(series...) {
		if !math.IsInf(s.Value, 1) {
			values = append(values, s.Value)
		}
	}
	if len(values) == 0 {
		return nil
	}
	width := binWidth(times)
	pl := newPlot("time since the run began, s", yLabel)
	evenAxis(&pl.X, slices.Min(times), slices.Max(times)+width, 10, false)
	at := func(v float64) float64 { return min(v, pl.Y.Max) }
	if lo, hi, ok := positive(values); ok && hi > 20*lo {
		pl.Y.Label.Text += " (log scale)"
		logAxis(&pl.Y, lo, hi)
		at = func(v float64) float64 { return min(log10(max(v, lo)), pl.Y.Max) }
	} else {
		evenAxis(&pl.Y, min(0, slices.Min(values)), slices.Max(values), 6, true)
	}
	key, curves := p.curvesOf(series, width, at)
	failures := newLanes(p.windows(), pl.X.Min, pl.X.Max)
	pl.Add(gridLines(false, true), failures)
	addCurves(pl, curves)
	return &Figure{
		key: key, Height: plotHeight,
		Draw: func(c draw.Canvas) { failures.draw(c, pl) },
	}
}

// curvesOf makes curves of series whose bins have this width. At maps a value to the axis.
func (p *Point) curvesOf(
	series [][]Sample, width float64, at func(v float64) float64,
) (key legend, curves []curve) {
	for i, samples := range series {
		if len(samples) == 0 {
			continue
		}
		k := curve{policy: label(p.policies[i]), entry: len(key), look: lookOf(i)}
		for j, s := range samples {
			if j == 0 || s.X-samples[j-1].X > 1.5*width {
				k.pieces = append(k.pieces, nil)
			}
			last := &k.pieces[len(k.pieces)-1]
			*last = append(*last, plotter.XY{X: s.X + width/2, Y: at(s.Value)})
		}
		k.marks = everyFew(k.pieces, i)
		curves = append(curves, k)
		key = append(key, entry{k.policy, k.look.line, k.look.color, k.look.shape})
	}
	markEqual(key, curves)
	return key, curves
}

// everyFew picks some points of a curve for markers, at other places for each policy.
func everyFew(pieces []plotter.XYs, policy int) plotter.XYs {
	n := 0
	for _, piece := range pieces {
		n += len(piece)
	}
	every := max(1, n/6)
	next := every * (policy%len(shapes) + 1) / (len(shapes) + 1)
	var marks plotter.XYs
	for _, piece := range pieces {
		for _, pt := range piece {
			if next == 0 {
				marks = append(marks, pt)
				next = every
			}
			next--
		}
	}
	return marks
}

// lanes are the failure windows of a run that meet the axis, cut to it. Their names stand above
// the plot, in as many lines as they need not to cover each other.
type lanes struct {
	windows []window
}

func newLanes(all []window, lo, hi float64) *lanes {
	l := &lanes{}
	for _, w := range all {
		w.from, w.to = max(w.from, lo), min(w.to, hi)
		if w.from <= w.to {
			l.windows = append(l.windows, w)
		}
	}
	return l
}

// Plot shades the windows.
func (l *lanes) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	edge := draw.LineStyle{Color: faded, Width: hairWidth, Dashes: []vg.Length{2, 2}}
	for _, w := range l.windows {
		from, to := x(w.from), x(w.to)
		c.FillPolygon(shade, []vg.Point{
			{X: from, Y: c.Min.Y}, {X: to, Y: c.Min.Y}, {X: to, Y: c.Max.Y}, {X: from, Y: c.Max.Y},
		})
		c.StrokeLine2(edge, from, c.Min.Y, from, c.Max.Y)
		c.StrokeLine2(edge, to, c.Min.Y, to, c.Max.Y)
	}
}

const laneHeight = tickSize + 6

// draw draws the names of the windows, underlined for their length, and below them the plot.
func (l *lanes) draw(c draw.Canvas, p *plot.Plot) {
	data := p.DataCanvas(c)
	x, _ := p.Transforms(&data)
	text := textStyle(tickSize, faded, draw.XCenter, draw.YTop)
	var ends []vg.Length // of the last name in each lane
	for _, w := range l.windows {
		name := fit(text, label(w.name), data.Max.X-data.Min.X)
		half := text.Width(name)/2 + 4
		mid := (x(w.from) + x(w.to)) / 2
		mid = min(max(mid, data.Min.X+half), c.Max.X-half)
		left, right := min(mid-half, x(w.from)), max(mid+half, x(w.to))
		lane := 0
		for lane < len(ends) && snap(left) < ends[lane] {
			lane++
		}
		if lane == len(ends) {
			ends = append(ends, 0)
		}
		ends[lane] = snap(right)
		y := c.Max.Y - laneHeight*vg.Length(lane)
		c.FillText(text, vg.Point{X: mid, Y: y}, name)
		y -= tickSize + 3
		thin := max(0, 3-(x(w.to)-x(w.from))) / 2 // a moment still shows
		c.StrokeLine2(draw.LineStyle{Color: faded, Width: 1.5}, x(w.from)-thin, y, x(w.to)+thin, y)
	}
	p.Draw(draw.Crop(c, 0, 0, 0, -laneHeight*vg.Length(len(ends))))
}
