package plots

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// compared are the metrics whose differences are drawn, by scope and name in the table. A
// difference of errors is in percentage points, for the baseline may have none.
var compared = []struct {
	name, metric string
	points       bool
}{
	{"errors", "all:error_ratio", true},
	{"OK/s", "ok:throughput_rps", false},
	{"mean", "all:latency_mean_ms", false},
	{"p50", "all:latency_p50_ms", false},
	{"p90", "all:latency_p90_ms", false},
	{"p99", "all:latency_p99_ms", false},
	{"p99.9", "all:latency_p99.9_ms", false},
	{"max", "all:latency_max_ms", false},
	{"skew", "load:skew_max_over_mean_ratio", false},
}

// difference is the paired difference of a metric between a policy and the baseline.
type difference struct {
	look look
	// percent is in percent of the baseline's value, or in percentage points; NaN without a number.
	percent float64
	half    float64 // half-width of its confidence interval, in the same unit
	unit    string  // "%" or " points"
	verdict float64 // 1 for better, -1 for worse, 0 for cannot tell
	same    bool    // in each run
}

// text returns the difference as a line.
func (d *difference) text() string {
	verdict := map[float64]string{1: "better", -1: "worse", 0: "cannot tell"}[d.verdict]
	if d.same {
		return "identical"
	} else if math.IsNaN(d.percent) {
		return verdict
	}
	return fmt.Sprintf("%s ±%s%s  %s", threeDigits("%+.*f", d.percent),
		threeDigits("%.*f", d.half), d.unit, verdict)
}

// differences are those of one metric, one for each policy.
type differences struct {
	name string
	of   []difference
}

// differences gathers the differences of all policies from the baseline.
func (p *Point) differences() (groups []differences, baseline string) {
	for _, c := range compared {
		g, differs := differences{name: c.name}, false
		unit := c.metric[strings.LastIndex(c.metric, "_")+1:]
		for i, w := range p.whole {
			if w == nil {
				continue
			}
			for _, k := range w.order {
				metric, against, is := strings.Cut(k.scope, " against ")
				if k.metric != "difference_verdict_sign" || !is || metric != c.metric {
					continue
				}
				baseline = against
				d := difference{look: lookOf(i), percent: math.NaN(), half: math.NaN(), unit: "%"}
				d.verdict = w.series[k][0].Value
				d.same = w.series[key{"difference_identical_flag", k.scope}] != nil
				mean := w.series[key{"difference_mean_" + unit, k.scope}]
				half := w.series[key{"difference_half_" + unit, k.scope}]
				of := p.valueOf(baseline, unit, metric)
				if c.points {
					of, d.unit = 1, " points"
				}
				if of > 0 && !math.IsInf(of, 1) && len(mean)+len(half) == 2 {
					d.percent = 100 * mean[0].Value / of
					d.half = 100 * half[0].Value / of
				}
				if len(half) > 0 || d.verdict != 0 || d.same {
					g.of = append(g.of, d)
					differs = differs || d.verdict != 0 || !d.same && half[0].Value > 0
				}
			}
		}
		if differs {
			groups = append(groups, g)
		}
	}
	return groups, baseline
}

// valueOf returns the mean of a metric of a policy over its seeds, 0 where the table has none.
func (p *Point) valueOf(policy, unit, metric string) float64 {
	for i, w := range p.whole {
		if w != nil && p.policies[i] == policy {
			if s := w.series[key{"interval_mean_" + unit, metric}]; len(s) > 0 {
				return s[0].Value
			}
		}
	}
	return 0
}

const (
	differenceLane = 14  // height of the line of a policy, beside its numbers
	narrowLane     = 7   // without numbers
	differenceGap  = 8   // between two metrics
	differenceText = 165 // width of the room for numbers and verdict
	differenceAxis = 40  // height of the axis
	mostPercent    = 200 // bars beyond it are cut off
	mostForest     = 640 // height; more lines than it holds stand in columns, without numbers
)

var differencesKind = Kind{
	Doc:  "paired differences from the baseline, with confidence intervals and verdicts",
	Draw: drawDifferences,
}

// drawDifferences draws a forest plot of paired differences: by how much the metrics of each policy
// differ from those of the baseline. A bar is a confidence interval; if it crosses the line at 0,
// the difference may be chance.
func drawDifferences(p *Point) *Figure {
	groups, baseline := p.differences()
	if len(groups) == 0 {
		return nil
	}
	var key legend
	for i, name := range p.policies {
		if name != baseline {
			look := lookOf(i)
			key = append(key, entry{name: label(name), color: look.color, marker: look.shape})
		}
	}
	axis := textStyle(textSize, ink, draw.XCenter, draw.YTop)
	of := fit(axis, label(baseline), 300)
	f := &Figure{
		Title: "Paired differences from " + label(baseline),
		Note:  p.noteOfMeans(), key: key,
	}
	name := "difference, % of the value of " + of + " (errors: percentage points)"
	if whole := newForest(groups, differenceLane); whole.height <= mostForest {
		pl := whole.plot(name, groups)
		f.Height = whole.height + differenceAxis
		f.Draw = func(c draw.Canvas) { whole.draw(c, pl) }
		return f
	}
	f.inColumns(name, groups)
	return f
}

// inColumns draws the differences of many policies in three columns, without numbers.
func (f *Figure) inColumns(name string, groups []differences) {
	const columns = 3
	var forests []*forest
	for i := range columns {
		first, last := i*len(groups)/columns, (i+1)*len(groups)/columns
		if first < last {
			forests = append(forests, newForest(groups[first:last], narrowLane))
		}
		f.Height = max(f.Height, forests[len(forests)-1].height+differenceAxis)
	}
	f.Draw = func(c draw.Canvas) {
		width := (c.Max.X - c.Min.X) / vg.Length(len(forests))
		for i, one := range forests {
			part := c
			part.Min.X += width * vg.Length(i)
			part.Max.X = part.Min.X + width
			part.Min.Y = part.Max.Y - one.height - differenceAxis
			label := ""
			if i == len(forests)/2 {
				label = name
			}
			one.plot(label, groups).Draw(part)
		}
	}
}

// differenceSpan is what the axis shows: all means and the line at 0, and of their intervals what
// reaches no further than as much again, so that one wide interval does not set the axis.
func differenceSpan(groups []differences) (lo, hi float64) {
	for _, g := range groups {
		for _, d := range g.of {
			if !math.IsNaN(d.percent) {
				lo, hi = min(lo, d.percent), max(hi, d.percent)
			}
		}
	}
	reach := max(hi, -lo)
	if reach == 0 {
		reach = 1
	}
	least, most := lo, hi
	for _, g := range groups {
		for _, d := range g.of {
			if !math.IsNaN(d.percent) {
				least = min(least, max(d.percent-d.half, lo-reach))
				most = max(most, min(d.percent+d.half, hi+reach))
			}
		}
	}
	return max(least, -mostPercent), min(most, mostPercent)
}

// forest draws differences under each other, the first on top.
type forest struct {
	groups []differences
	lane   vg.Length // height of the line of a policy
	height vg.Length
}

func newForest(groups []differences, lane vg.Length) *forest {
	f := &forest{groups: groups, lane: lane}
	for _, g := range groups {
		f.height += differenceGap + lane*vg.Length(len(g.of))
	}
	return f
}

// plot is the plot of a forest, on an axis for all differences.
func (f *forest) plot(name string, all []differences) *plot.Plot {
	pl := newPlot(name, "")
	lo, hi := differenceSpan(all)
	evenAxis(&pl.X, lo, hi, 8, true)
	pl.Y.Min, pl.Y.Max = 0, float64(f.height)
	pl.Y.Tick.Marker, pl.Y.Tick.Length = f.names(), 0
	pl.Add(gridLines(true, false), f)
	return pl
}

// names are the ticks that name each metric, in the middle of its lines.
func (f *forest) names() plot.ConstantTicks {
	var ticks []plot.Tick
	f.each(func(g *differences, i int, y vg.Length) {
		if i == 0 {
			middle := y - f.lane*vg.Length(len(g.of)-1)/2
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
			do(&f.groups[k], i, y-f.lane/2)
			y -= f.lane
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
		line := draw.LineStyle{Color: d.look.color, Width: min(2, f.lane/5)}
		height := y(float64(at))
		c.StrokeLine2(line, inside(d.percent-d.half), height, inside(d.percent+d.half), height)
		if x(d.percent) == inside(d.percent) {
			mark(c, d.look.shape, d.look.color,
				snapPoint(vg.Point{X: x(d.percent), Y: height}), min(markerSize, f.lane/2-0.5))
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
