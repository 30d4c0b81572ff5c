package plots

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// log10 is rounded far below what the eye sees: math.Log10 differs in its last bits between CPUs.
func log10(v float64) float64 { return math.Round(math.Log10(v)*1e9) / 1e9 }

// decimal is mantissa × 10^exponent, rounded once: powers and products would round twice.
func decimal(mantissa, exponent int) float64 {
	v, err := strconv.ParseFloat(fmt.Sprintf("%de%d", mantissa, exponent), 64)
	if err != nil {
		panic(err)
	}
	return v
}

// niceStep is the least step of the form 1, 2 or 5 × 10^k that cuts the span into at most want
// parts, and the number of decimals that its multiples need.
func niceStep(span float64, want int) (step float64, decimals int) {
	for e := -20; ; e++ {
		for _, m := range []int{1, 2, 5} {
			if step = decimal(m, e); span <= step*float64(want) {
				return step, max(0, -e)
			}
		}
	}
}

// almost forgives rounding where a bound lies on a tick.
const almost = 1e-9

// evenTicks are the multiples of a nice step from lo to hi. With reach, the first and the last may
// lie outside, so that they enclose the span.
func evenTicks(lo, hi float64, want int, reach bool) []plot.Tick {
	// Below a billionth of the values, steps would drown in rounding.
	span := max(hi-lo, math.Abs(lo)*almost, math.Abs(hi)*almost)
	step, decimals := niceStep(span, want)
	first, last := math.Ceil(lo/step-almost), math.Floor(hi/step+almost)
	if reach {
		first, last = math.Floor(lo/step+almost), math.Ceil(hi/step-almost)
	}
	var ticks []plot.Tick
	for i := first; i <= last; i++ {
		v := i*step + 0 // never -0
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', decimals, 64)})
	}
	return ticks
}

// evenAxis makes an axis from lo to hi. With reach it goes on to the next tick at either end.
func evenAxis(a *plot.Axis, lo, hi float64, want int, reach bool) {
	if hi <= lo {
		hi = lo + 1
	}
	ticks := evenTicks(lo, hi, want, reach)
	a.Min, a.Max = lo, hi
	if reach {
		a.Min, a.Max = ticks[0].Value, ticks[len(ticks)-1].Value
	}
	a.Tick.Marker = plot.ConstantTicks(ticks)
}

// logAxis makes a logarithmic axis that holds lo to hi, both above zero. Its coordinates are
// log10: the data must be given so.
func logAxis(a *plot.Axis, lo, hi float64) {
	ticks := logTicks(lo, hi)
	for i, t := range ticks {
		ticks[i].Value = log10(t.Value)
	}
	a.Min, a.Max = ticks[0].Value, ticks[len(ticks)-1].Value
	a.Tick.Marker = plot.ConstantTicks(ticks)
}

// logTicks encloses lo to hi in ticks: even ones within half a decade or so; 1, 2, 5 to three
// decades; then powers of ten. The rest of 1 to 9 are minor.
func logTicks(lo, hi float64) []plot.Tick {
	if hi < lo*1.02 {
		lo, hi = lo/1.2, hi*1.2 // a flat line stands in the middle
	}
	if hi < 5*lo {
		if even := evenTicks(lo, hi, 7, true); even[0].Value > 0 {
			return even
		}
	}
	steps := map[int]bool{1: true, 2: true, 5: true}
	var ticks []plot.Tick
	from, to := int(math.Floor(log10(lo)))-1, int(math.Ceil(log10(hi)))+1
	for e := from; e <= to; e++ {
		for m := 1; m <= 9; m++ {
			v := decimal(m, e)
			t := plot.Tick{Value: v}
			if steps[m] && (m == 1 || hi <= 1000*lo) {
				t.Label = strconv.FormatFloat(v, 'f', -1, 64)
			}
			if steps[m] && v <= lo {
				ticks = ticks[:0] // the axis begins at the last 1, 2 or 5 not above lo
			}
			ticks = append(ticks, t)
			if steps[m] && v >= hi {
				return ticks
			}
		}
	}
	return ticks
}

// gridLines draws a faint line at each labelled tick of the axes asked for.
func gridLines(vertical, horizontal bool) *plotter.Grid {
	g := plotter.NewGrid()
	line := draw.LineStyle{Color: grid, Width: hairWidth}
	g.Vertical, g.Horizontal = draw.LineStyle{}, draw.LineStyle{}
	if vertical {
		g.Vertical = line
	}
	if horizontal {
		g.Horizontal = line
	}
	return g
}
