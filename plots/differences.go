package plots

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// compared are the figures whose differences are drawn, by their scope and metric in the table.
var compared = []struct{ name, figure string }{
	{"errors", "all:error_ratio"},
	{"OK/s", "ok:throughput_rps"},
	{"mean", "all:latency_mean_ms"},
	{"p50", "all:latency_p50_ms"},
	{"p90", "all:latency_p90_ms"},
	{"p99", "all:latency_p99_ms"},
	{"p99.9", "all:latency_p99.9_ms"},
	{"max", "all:latency_max_ms"},
	{"skew", "attempts:skew_max_over_mean_ratio"},
}

// difference is how a figure of a policy differs from that of the baseline.
type difference struct {
	look    look
	percent float64 // of the baseline's value; NaN where that is 0, or there is no difference
	half    float64 // half its interval, likewise
	verdict float64 // 1 for better, -1 for worse, 0 for cannot tell
}

// text says it in a line.
func (d *difference) text() string {
	verdict := map[float64]string{1: "better", -1: "worse"}[d.verdict]
	if verdict == "" {
		verdict = "cannot tell"
	}
	if math.IsNaN(d.percent) {
		return verdict
	}
	return fmt.Sprintf("%s ±%s%%  %s", threeDigits("%+.*f", d.percent),
		threeDigits("%.*f", d.half), verdict)
}

// threeDigits writes a number with as many decimals as three digits in all leave it, 2 at most.
func threeDigits(format string, v float64) string {
	decimals := 2
	for limit := 10.0; decimals > 0 && math.Abs(v) >= limit; limit *= 10 {
		decimals--
	}
	return fmt.Sprintf(format, decimals, v)
}

// differences are those of one figure, one a policy.
type differences struct {
	name string
	of   []difference
}

// differences gathers the differences of all policies from the baseline.
func (p *point) differences() (groups []differences, baseline string) {
	for _, c := range compared {
		g, differs := differences{name: c.name}, false
		unit := c.figure[strings.LastIndex(c.figure, "_")+1:]
		for i, w := range p.whole {
			if w == nil {
				continue
			}
			for _, k := range w.order {
				figure, against, is := strings.Cut(k.scope, " against ")
				if k.metric != "difference_verdict_sign" || !is || figure != c.figure {
					continue
				}
				baseline = against
				d := difference{look: lookOf(i), percent: math.NaN(), half: math.NaN()}
				d.verdict = w.series[k][0].value
				mean := w.series[key{"difference_mean_" + unit, k.scope}]
				half := w.series[key{"difference_half_" + unit, k.scope}]
				if of := p.valueOf(baseline, unit, figure); of > 0 && len(mean)+len(half) == 2 {
					d.percent = 100 * mean[0].value / of
					d.half = 100 * half[0].value / of
				}
				if len(half) > 0 || d.verdict != 0 {
					g.of = append(g.of, d)
					differs = differs || d.verdict != 0 || half[0].value > 0
				}
			}
		}
		if differs {
			groups = append(groups, g)
		}
	}
	return groups, baseline
}

// valueOf is the mean of a figure of a policy over its seeds, 0 where the table has none.
func (p *point) valueOf(policy, unit, figure string) float64 {
	for i, w := range p.whole {
		if w != nil && p.policies[i] == policy {
			if s := w.series[key{"interval_mean_" + unit, figure}]; len(s) > 0 {
				return s[0].value
			}
		}
	}
	return 0
}

const (
	differenceLane = 14  // height of the line of a policy
	differenceGap  = 8   // between two figures
	differenceText = 150 // width of the room for numbers and verdict
	differenceAxis = 40  // height of the axis
	mostPercent    = 200 // bars beyond it are cut off
)

// drawDifferences shows by how much the figures of each policy differ from those of the baseline,
// on the same RPCs: a bar that crosses the line at 0 may be chance. It is a forest plot.
func drawDifferences(p *point) *figure {
	groups, baseline := p.differences()
	if len(groups) == 0 {
		return nil
	}
	f := forest{groups: groups}
	var key legend
	for i, name := range p.policies {
		if name != baseline {
			look := lookOf(i)
			key = append(key, entry{name: label(name), color: look.color, marker: look.shape})
		}
	}
	lo, hi := 0.0, 0.0
	for _, g := range groups {
		f.height += differenceGap
		for _, d := range g.of {
			f.height += differenceLane
			if !math.IsNaN(d.percent) {
				lo, hi = min(lo, d.percent-d.half), max(hi, d.percent+d.half)
			}
		}
	}
	axis := textStyle(textSize, ink, draw.XCenter, draw.YTop)
	of := fit(axis, label(baseline), 300)
	pl := newPlot("difference, % of the value of "+of, "")
	evenAxis(&pl.X, max(lo, -mostPercent), min(hi, mostPercent), 8, true)
	pl.Y.Min, pl.Y.Max = 0, float64(f.height)
	pl.Y.Tick.Marker, pl.Y.Tick.Length = f.names(), 0
	pl.Add(gridLines(true, false), &f)
	return &figure{
		title: "Differences from " + label(baseline) + ", on the same RPCs",
		note:  p.noteOfMeans(), key: key, body: f.height + differenceAxis,
		draw: func(c draw.Canvas) { f.draw(c, pl) },
	}
}

// forest draws differences under each other, the first on top.
type forest struct {
	groups []differences
	height vg.Length
}

// names are the ticks that name each figure, in the middle of its lines.
func (f *forest) names() plot.ConstantTicks {
	var ticks []plot.Tick
	f.each(func(g *differences, i int, y vg.Length) {
		if i == 0 {
			middle := y - differenceLane*vg.Length(len(g.of)-1)/2
			ticks = append(ticks, plot.Tick{Value: float64(middle), Label: g.name})
		}
	})
	return ticks
}

// each calls do with each difference and the height of its line.
func (f *forest) each(do func(g *differences, i int, y vg.Length)) {
	y := f.height
	for k := range f.groups {
		y -= differenceGap
		for i := range f.groups[k].of {
			do(&f.groups[k], i, y-differenceLane/2)
			y -= differenceLane
		}
	}
}

// Plot draws the line at 0, bars and markers.
func (f *forest) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.StrokeLine2(idealLine, x(0), c.Min.Y, x(0), c.Max.Y)
	f.each(func(g *differences, i int, at vg.Length) {
		d := &g.of[i]
		if math.IsNaN(d.percent) {
			return
		}
		inside := func(v float64) vg.Length { return min(max(x(v), c.Min.X), c.Max.X) }
		line := draw.LineStyle{Color: d.look.color, Width: 2}
		height := y(float64(at))
		c.StrokeLine2(line, inside(d.percent-d.half), height, inside(d.percent+d.half), height)
		if x(d.percent) == inside(d.percent) {
			mark(c, d.look.shape, d.look.color,
				snapPoint(vg.Point{X: x(d.percent), Y: height}), markerSize)
		}
	})
}

// draw draws the plot and, to the right of it, the numbers and verdicts.
func (f *forest) draw(c draw.Canvas, p *plot.Plot) {
	inner := draw.Crop(c, 0, -differenceText, 0, 0)
	p.Draw(inner)
	data := p.DataCanvas(inner)
	_, y := p.Transforms(&data)
	f.each(func(g *differences, i int, at vg.Length) {
		d := &g.of[i]
		text := textStyle(tickSize, ink, draw.XRight, draw.YCenter)
		if d.verdict == 0 {
			text.Color = faded
		}
		c.FillText(text, vg.Point{X: c.Max.X, Y: y(float64(at)) + raise},
			fit(text, d.text(), differenceText))
	})
}
