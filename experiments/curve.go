package experiments

import (
	"strconv"

	"lbsim/models/record"
)

// curve is a latency by quantile.
type curve struct {
	scope string
	// ms is at the first of the quantiles told, those that enough RPCs lie beyond: infinite where
	// an RPC was never answered.
	ms    []float64
	whole Percentiles
}

// toldQuantile is one at which a latency is told.
type toldQuantile struct {
	q    float64
	text string // as decimal
}

// toldQuantiles are those of all decades up to 0.9999: between 0 and 0.9 they are even enough for
// the eye, and the same pattern follows between 0.9 and 0.99, and so on.
var toldQuantiles = func() (list []toldQuantile) {
	const finest = 10_000_000 // quantiles are counted in units of 10⁻⁷
	add := func(of int64) {
		q := float64(of) / finest
		list = append(list, toldQuantile{q, strconv.FormatFloat(q, 'f', -1, 64)})
	}
	from := int64(0)
	for width := int64(finest); width > finest/10_000; width /= 10 {
		for _, tenths := range []int64{0, 200, 400, 500, 600, 700, 750, 800, 850} {
			add(from + width*tenths/1000)
		}
		from += width * 9 / 10
	}
	add(from)
	return list
}()

// newCurve reads the latency of so many RPCs, of which those that l lacks were never answered.
func newCurve(scope string, l *record.Latency, all int64) curve {
	c := curve{scope: scope, whole: percentiles(l, all)}
	for _, t := range toldQuantiles {
		if all < needed(t.q) {
			break
		}
		c.ms = append(c.ms, ms(l.QuantileAmong(all, t.q)))
	}
	return c
}
