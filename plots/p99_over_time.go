package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// enoughForP99 is how many RPCs a bin needs for a p99 of its own: ten lie beyond it then.
const enoughForP99 = 1000

// drawP99OverTime shows p99 latency over time. Each value stands in the middle of its bin; bins
// without a value leave a gap. Where bins hold few RPCs a p99 is nearly their maximum, which jumps:
// each value is the median over as many neighbours as hold enough together.
func drawP99OverTime(p *point) *figure {
	series := make([][]sample, len(p.policies))
	var times, values []float64
	never := false
	for i := range p.policies {
		series[i] = p.median(i, "p99_ms", "time")
		for _, s := range p.median(i, "rate_rps", "time") {
			times = append(times, s.x) // bins without RPCs still belong to the run
		}
		for _, s := range series[i] {
			times = append(times, s.x)
		}
	}
	if len(times) == 0 {
		return nil
	}
	width := binWidth(times)
	most := 1 // neighbours over which a value is the median
	for i := range series {
		n := p.neighbours(i, width)
		most = max(most, n)
		series[i] = runningMedian(series[i], n)
		for _, s := range series[i] {
			if math.IsInf(s.value, 1) {
				never = true
			} else {
				values = append(values, s.value)
			}
		}
	}
	if len(values) == 0 {
		return nil
	}
	pl := newPlot("time since the run began, s", "p99 latency, ms")
	evenAxis(&pl.X, slices.Min(times), slices.Max(times)+width, 10, false)
	at := func(v float64) float64 { return min(v, pl.Y.Max) }
	if lo, hi, ok := positive(values); ok && hi > 20*lo {
		pl.Y.Label.Text += " (log scale)"
		logAxis(&pl.Y, lo, hi)
		at = func(v float64) float64 { return min(log10(max(v, lo)), pl.Y.Max) }
	} else {
		evenAxis(&pl.Y, min(0, slices.Min(values)), slices.Max(values), 6, true)
	}
	key, curves := p.overTime(series, width, at)
	failures := newLanes(p.windows(), pl.X.Min, pl.X.Max)
	pl.Add(gridLines(false, true), failures)
	addCurves(pl, curves)
	title := "p99 latency over time"
	if never {
		title += "; along the top: never answered, for over 1% failed"
	}
	return &figure{
		title: title, note: p.noteOfBins(most), key: key, body: plotHeight,
		draw: func(c draw.Canvas) { failures.draw(c, pl) },
	}
}

// overTime makes curves of series whose bins have this width. At maps a value to the axis.
func (p *point) overTime(
	series [][]sample, width float64, at func(v float64) float64,
) (key legend, curves []curve) {
	for i, samples := range series {
		if len(samples) == 0 {
			continue
		}
		k := curve{policy: label(p.policies[i]), entry: len(key), look: lookOf(i)}
		for j, s := range samples {
			if j == 0 || s.x-samples[j-1].x > 1.5*width {
				k.pieces = append(k.pieces, nil)
			}
			last := &k.pieces[len(k.pieces)-1]
			*last = append(*last, plotter.XY{X: s.x + width/2, Y: at(s.value)})
		}
		k.marks = everyFew(k.pieces, i)
		curves = append(curves, k)
		key = append(key, entry{k.policy, k.look.line, k.look.color, k.look.shape})
	}
	markEqual(key, curves)
	return key, curves
}

// neighbours is how many bins of a policy hold enough RPCs together for a p99, but never more than
// a tenth of all.
func (p *point) neighbours(policy int, width float64) int {
	rates := p.median(policy, "rate_rps", "time")
	var counts []float64
	for _, s := range rates {
		if s.value > 0 {
			counts = append(counts, s.value*width)
		}
	}
	count := middle(counts)
	if count == 0 {
		return 1
	}
	return max(1, min(int(math.Ceil(enoughForP99/count)), len(rates)/10))
}

// runningMedian puts in place of each value the median of n neighbours: of fewer at the ends.
func runningMedian(samples []sample, n int) []sample {
	if n == 1 {
		return samples
	}
	out := slices.Clone(samples)
	for i := range out {
		var near []float64
		for _, s := range samples[max(0, i-(n-1)/2):min(len(samples), i+n/2+1)] {
			near = append(near, s.value)
		}
		out[i].value = middle(near)
	}
	return out
}

// noteOfBins is the note of a picture whose values are medians over some neighbouring bins.
func (p *point) noteOfBins(bins int) string {
	if bins == 1 {
		return p.note()
	}
	few := fmt.Sprintf("bins hold few RPCs: each value is the median of %d neighbours", bins)
	if note := p.note(); note != "" {
		return note + "  ·  " + few
	}
	return few
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
