package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// maxDecades bounds a logarithmic axis: what lies further below the greatest value is drawn at the
// bottom.
const maxDecades = 9

// nines is the place of a quantile on the axis: 0.9 is 1, 0.99 is 2. Each nine takes equal room.
func nines(q float64) float64 { return -log10(1 - q) }

// leastShare is where the curves begin. The least latencies of all say little, and one RPC that
// took no time would set the axis.
const leastShare = 0.2

var latencyKind = Kind{
	Doc: "latency by percentile, with confidence intervals; each step is one more nine",
	Metrics: map[string]X{
		"latency_ms":     Quantile,
		"latency_max_ms": NoX,
		"rpcs_count":     NoX,
	},
	Draw: drawLatency,
}

// drawLatency shows latency by percentile: how large a share of all RPCs had a good answer within
// which time. RPCs that failed count as never answered, so a policy gains nothing by failing the
// slow ones or by failing fast: its curve ends where they begin, with a line to the top.
func drawLatency(p *Point) *Figure {
	var key legend
	var values []float64
	quantiles, longest := make([][]Sample, len(p.policies)), make([]float64, len(p.policies))
	for i := range p.policies {
		quantiles[i] = slices.DeleteFunc(slices.Clone(p.central(i, "latency_ms", "ok")),
			func(s Sample) bool { return s.X < leastShare })
		for _, s := range quantiles[i] {
			values = append(values, s.Value, min(s.Value+s.Half, 2*s.Value))
		}
		if s := p.central(i, "latency_max_ms", "ok"); len(s) > 0 && p.failed(i) > 0 {
			longest[i] = s[0].Value
			values = append(values, longest[i])
		}
	}
	lo, hi, ok := positive(values)
	if !ok {
		return nil
	}
	pl := newPlot("share of the RPCs that had a good answer within this time",
		"latency, ms (log scale)")
	logAxis(&pl.Y, lo, hi)
	var curves []curve
	title := "Latency by percentile"
	most := nines(0.9)
	for i, samples := range quantiles {
		failed := p.failed(i)
		if len(samples) == 0 && failed == 0 {
			continue
		}
		if failed > 0 {
			title = "Latency by percentile; RPCs that failed count as never answered"
		}
		look := lookOf(i)
		key = append(key, entry{label(p.policies[i]) + failedText(failed), look.line, look.color,
			look.shape})
		if len(samples) > 0 {
			k := answered(samples, lo, pl.Y, failed, longest[i])
			k.policy, k.entry, k.look = label(p.policies[i]), len(key)-1, look
			curves = append(curves, k)
			most = max(most, k.end())
		}
	}
	markEqual(key, curves)
	pl.X.Min, pl.X.Max = nines(leastShare), most
	pl.X.Tick.Marker = nineTicks(most)
	pl.Add(gridLines(true, true))
	addCurves(pl, curves)
	return &Figure{
		Title: title, Note: p.noteOfMeans(), key: key, Height: plotHeight,
		Draw: func(c draw.Canvas) { pl.Draw(c) },
	}
}

// answered is the curve of the RPCs that were answered, from the quantiles of their latency, when a
// share of all RPCs failed. A latency below lo, that is 0, is drawn at lo. Intervals are cut off at
// the ends of the axis. Beyond the last quantile too few RPCs lie for a value: a thin line leads
// from there to the longest latency of all that were answered, where the failed ones begin.
func answered(samples []Sample, lo float64, axis plot.Axis, failed, longest float64) curve {
	k := curve{pieces: make([]plotter.XYs, 1)}
	at := func(share float64) float64 { return nines(float64(share * (1 - failed))) }
	var below plotter.XYs
	for _, s := range samples {
		pt := plotter.XY{X: at(s.X), Y: log10(max(s.Value, lo))}
		k.pieces[0] = append(k.pieces[0], pt)
		if s.Half > 0 {
			k.band = append(k.band, plotter.XY{X: pt.X, Y: min(log10(s.Value+s.Half), axis.Max)})
			low := axis.Min
			if s.Half < s.Value {
				low = max(log10(s.Value-s.Half), axis.Min)
			}
			below = append(below, plotter.XY{X: pt.X, Y: low})
		}
		if s.X == 0.5 || isWhole(nines(s.X)) {
			k.marks = append(k.marks, pt)
		}
	}
	slices.Reverse(below)
	k.band = append(k.band, below...)
	if failed > 0 {
		last := k.pieces[0][len(k.pieces[0])-1]
		edge := plotter.XY{X: max(at(1), last.X), Y: max(log10(max(longest, lo)), last.Y)}
		k.thin = plotter.XYs{last, edge}
		k.pieces = append(k.pieces, plotter.XYs{edge, {X: edge.X, Y: axis.Max}})
	}
	return k
}

// failedRatio is the share of the RPCs that ended after the warm-up and not in OK.
func (r *run) failedRatio() float64 {
	var good, all float64
	for k, samples := range r.series {
		if code, found := strings.CutPrefix(k.scope, "code:"); found && k.metric == "rpcs_count" {
			for _, s := range samples {
				all += s.Value
				if code == "OK" {
					good += s.Value
				}
			}
		}
	}
	if all == 0 {
		return 0
	}
	return (all - good) / all
}

// failed is the failed share of a policy's RPCs: the mean over its seeds, if the table has it, else
// the middle one.
func (p *Point) failed(policy int) float64 {
	if s := p.central(policy, "error_ratio", "all"); len(s) > 0 {
		return min(s[0].Value, 1)
	}
	var all []float64
	for _, r := range p.runs[policy] {
		all = append(all, r.failedRatio())
	}
	return middle(all)
}

// failedText returns, for the name of a policy in the key, how many of its RPCs failed.
func failedText(share float64) string {
	switch {
	case share == 0:
		return ""
	case share == 1:
		return " (all failed)"
	case share > 0.9999:
		return " (over 99.99% failed)"
	case share < 0.0001:
		return " (under 0.01% failed)"
	}
	return fmt.Sprintf(" (%s%% failed)", threeDigits("%.*f", 100*share))
}

// nineTicks labels 20%, 50%, 90%, 99% and so on.
func nineTicks(most float64) plot.ConstantTicks {
	ticks := []plot.Tick{
		{Value: nines(leastShare), Label: "20%"}, {Value: nines(0.5), Label: "50%"},
	}
	for n := 1; float64(n) <= most+almost; n++ {
		// 1 - 10^-n in percent, as digits: 90, 99, 99.9
		digits := "90"
		if n > 1 {
			digits = "99"
		}
		for i := 2; i < n; i++ {
			if i == 2 {
				digits += "."
			}
			digits += "9"
		}
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: digits + "%"})
	}
	for _, q := range []float64{0.75, 0.95, 0.995, 0.9995, 0.99995} {
		if x := nines(q); x < most {
			ticks = append(ticks, plot.Tick{Value: x})
		}
	}
	return ticks
}

func isWhole(x float64) bool { return x == math.Trunc(x) }
