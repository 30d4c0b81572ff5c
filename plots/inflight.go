package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// heatAxis is the height of the time axis under a panel.
const heatAxis = 22

// drawInflight shows the RPCs in flight at each backend over time as a heat map.
func drawInflight(p *point) *figure {
	scopes := p.backends("inflight_count")
	if len(scopes) == 0 {
		return nil
	}
	names := make([]string, len(scopes))
	for i, b := range scopes {
		names[i] = backendName(b)
	}
	grids, bins := p.heatGrids(scopes)
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
		each: rowHeight + min(max(13*vg.Length(len(names)), 80), 230) + heatAxis,
	}
	for _, g := range grids {
		panel.names = append(panel.names, g.policy)
	}
	return &figure{
		title: "RPCs in flight at each backend over time", note: p.note(), bar: bar,
		body: panel.height(),
		draw: func(c draw.Canvas) {
			panel.draw(c, func(i int, c draw.Canvas) {
				length := c.Max.Y - c.Min.Y - heatAxis
				at := newEdges(names, length)
				pl := heatPlot(names, at, length, bins)
				pl.Add(heat{grids[i], bar, at}, groupLines{spans(names), at})
				pl.Draw(c)
			})
		},
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

// timeBins is an even division of time, in seconds.
type timeBins struct {
	start, width float64
	n            int
}

// maxBins bounds the memory that a table with odd times can ask for.
const maxBins = 20000

func newTimeBins(times []float64) timeBins {
	b := timeBins{start: slices.Min(times), width: binWidth(times)}
	end := slices.Max(times)
	if b.width == 0 {
		b.width = 1
	}
	b.width = max(b.width, (end-b.start)/maxBins)
	b.n = b.index(end) + 1
	return b
}

// index is the bin that begins at a time.
func (b timeBins) index(t float64) int { return int(math.Round((t - b.start) / b.width)) }

// heatGrid is one policy's values: backend by backend, bin by bin; NaN where there is no row.
type heatGrid struct {
	policy string
	values []float64
	n      int // bins
}

// heatGrids gathers the values of the policies that have any.
func (p *point) heatGrids(scopes []string) ([]heatGrid, timeBins) {
	rows := make([][][]sample, len(p.policies))
	var times []float64
	for i := range p.policies {
		for _, b := range scopes {
			s := p.median(i, "inflight_count", b)
			rows[i] = append(rows[i], s)
			for _, v := range s {
				times = append(times, v.x)
			}
		}
	}
	bins := newTimeBins(times)
	var grids []heatGrid
	for i, policy := range p.policies {
		g := heatGrid{label(policy), make([]float64, len(scopes)*bins.n), bins.n}
		for k := range g.values {
			g.values[k] = math.NaN()
		}
		any := false
		for b, samples := range rows[i] {
			for _, s := range samples {
				g.values[b*bins.n+bins.index(s.x)] = s.value
				any = true
			}
		}
		if any {
			grids = append(grids, g)
		}
	}
	return grids, bins
}

// greatest is the greatest value of a block of backends and bins, NaN if it has none: where many
// cells share a pixel, one hot backend must not drown in the mean.
func (g heatGrid) greatest(backends, bins span) float64 {
	v := math.NaN()
	for b := backends.first; b <= backends.last; b++ {
		for _, w := range g.values[b*g.n+bins.first : b*g.n+bins.last+1] {
			if !(v >= w) && !math.IsNaN(w) {
				v = w
			}
		}
	}
	return v
}
