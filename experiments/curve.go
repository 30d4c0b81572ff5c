package experiments

import (
	"strconv"

	"lbsim/models/record"
)

// decade holds the quantiles that are told of a latency between 0 and 0.9, in tenths of a percent.
// The same pattern follows between 0.9 and 0.99, and so on: a nine more each time.
var decade = [...]int64{0, 200, 400, 500, 600, 700, 750, 800, 850}

// newCurve reads a latency at the quantiles of all decades up to 0.9999.
func newCurve(scope string, l *record.Latency, whole Percentiles) curve {
	c := curve{scope: scope, whole: whole}
	if l.Count() == 0 {
		return c
	}
	const finest = 10_000_000 // quantiles are counted in units of 10⁻⁷
	for width, from := int64(finest), int64(0); width > finest/10_000; width /= 10 {
		for _, tenths := range decade {
			c.add(l, from+width*tenths/1000, finest)
		}
		from += width * 9 / 10
		if width/10 == finest/10_000 {
			c.add(l, from, finest)
		}
	}
	return c
}

func (c *curve) add(l *record.Latency, of, finest int64) {
	q := float64(of) / float64(finest)
	text := strconv.FormatFloat(q, 'f', -1, 64)
	c.at = append(c.at, quantile{text, ms(l.Quantile(q))})
}
