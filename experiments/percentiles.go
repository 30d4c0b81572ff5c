package experiments

import (
	"fmt"
	"math"
	"strings"

	"lbsim/models/record"
)

// beyond is how many RPCs must lie beyond a percentile for it to have a value: the number that do
// is uncertain by its root, so with 10 by a third.
const beyond = 10

// needed is how many RPCs a quantile needs.
func needed(q float64) int64 { return int64(math.Round(beyond / (1 - q))) }

// told are the percentiles, with their places.
var told = []struct {
	name string
	q    float64
	of   func(p *Percentiles) **float64
}{
	{"p50", .5, func(p *Percentiles) **float64 { return &p.P50 }},
	{"p75", .75, func(p *Percentiles) **float64 { return &p.P75 }},
	{"p90", .9, func(p *Percentiles) **float64 { return &p.P90 }},
	{"p95", .95, func(p *Percentiles) **float64 { return &p.P95 }},
	{"p99", .99, func(p *Percentiles) **float64 { return &p.P99 }},
	{"p99.9", .999, func(p *Percentiles) **float64 { return &p.P999 }},
	{"p99.99", .9999, func(p *Percentiles) **float64 { return &p.P9999 }},
}

// percentiles reads a latency, of which what too few RPCs lie beyond has no value.
func percentiles(l *record.Latency) Percentiles {
	p := Percentiles{Count: l.Count()}
	if p.Count == 0 {
		return p
	}
	for _, t := range told {
		if p.Count >= needed(t.q) {
			*t.of(&p) = some(ms(l.Quantile(t.q)))
		}
	}
	p.Mean, p.Max = some(ms(l.Mean())), some(ms(l.Max()))
	return p
}

// warnOfSamples warns of percentiles that have no value: of all RPCs that ended or, if these are
// enough, of those alone that ended OK.
func (m *Measures) warnOfSamples() {
	if refused := m.LatencyAll.refused(); refused != "" {
		m.warn(FewSamples, "%d RPCs ended, too few for some percentiles: %s",
			m.LatencyAll.Count, refused)
	} else if refused := m.LatencyOK.refused(); refused != "" {
		m.warn(FewSamples, "%d RPCs ended OK, too few for some percentiles of these: %s",
			m.LatencyOK.Count, refused)
	}
}

// refused lists the percentiles that have no value, and how many RPCs they need.
func (p *Percentiles) refused() string {
	var refused []string
	for _, t := range told {
		if n := needed(t.q); p.Count < n {
			refused = append(refused, fmt.Sprintf("%s needs %d", t.name, n))
		}
	}
	return strings.Join(refused, ", ")
}
