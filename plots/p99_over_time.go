package plots

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawP99OverTime shows p99 latency over time. Each value stands in the middle of its bin; bins
// without a value leave a gap.
func drawP99OverTime(p *point) *figure {
	series := make([][]sample, len(p.policies))
	var times, values []float64
	for i := range p.policies {
		series[i] = p.median(i, "p99_ms", "time")
		for _, s := range series[i] {
			times, values = append(times, s.x), append(values, s.value)
		}
		for _, s := range p.median(i, "rate_rps", "time") {
			times = append(times, s.x) // bins without RPCs still belong to the run
		}
	}
	if len(values) == 0 {
		return nil
	}
	width := binWidth(times)
	pl := newPlot("time since the run began, s", "p99 latency, ms")
	evenAxis(&pl.X, slices.Min(times), slices.Max(times)+width, 10, false)
	at := func(v float64) float64 { return v }
	if lo, hi, ok := positive(values); ok && hi > 20*lo {
		pl.Y.Label.Text += " (log scale)"
		logAxis(&pl.Y, lo, hi)
		at = func(v float64) float64 { return log10(max(v, lo)) }
	} else {
		evenAxis(&pl.Y, min(0, slices.Min(values)), slices.Max(values), 6, true)
	}

	var key legend
	var curves []curve
	for i, samples := range series {
		if len(samples) == 0 {
			continue
		}
		k := curve{look: lookOf(i)}
		for j, s := range samples {
			if j == 0 || s.x-samples[j-1].x > 1.5*width {
				k.pieces = append(k.pieces, nil)
			}
			last := &k.pieces[len(k.pieces)-1]
			*last = append(*last, plotter.XY{X: s.x + width/2, Y: at(s.value)})
		}
		k.marks = everyFew(k.pieces, i)
		curves = append(curves, k)
		key = append(key, entry{label(p.policies[i]), k.look.line, k.look.color, k.look.shape})
	}
	failures := newLanes(p.windows(), pl.X.Min, pl.X.Max)
	pl.Add(gridLines(false, true), failures)
	addCurves(pl, curves)
	return &figure{
		title: "p99 latency over time, of all RPCs that ended, good or bad",
		note:  p.note(), key: key, body: plotHeight,
		draw: func(c draw.Canvas) { failures.draw(c, pl) },
	}
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
