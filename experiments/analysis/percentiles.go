package analysis

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"lbsim/models/record"
)

// Reason is the reason why a metric has no value; "" if it has one.
type Reason string

// The reasons.
const (
	// NeverAnswered: so many RPCs failed that the value is infinite.
	NeverAnswered Reason = "never"
	// TooFewSamples: too few RPCs ended, or none.
	TooFewSamples Reason = "few_samples"
	// GrowsWithTime: in some run a queue grows without bound, and latencies with it.
	GrowsWithTime Reason = "unstable"
	// FarApart: the runs lie so far apart that their mean is the value of none.
	FarApart Reason = "far_apart"
)

// minTail is how many RPCs must lie beyond a percentile for it to have a value. The relative
// standard error of their number is 1/√10 then.
const minTail = 10

// needed returns how many RPCs a quantile needs.
func needed(q float64) int64 { return int64(math.Round(minTail / (1 - q))) }

// percentile is a percentile that is reported.
type percentile struct {
	name string // as in metrics and JSON
	q    float64
	text []string // the scopes for which the text has a column
	at   func(p *Percentiles) **float64
}

// reportedPercentiles are the percentiles of summary.json and of the text, in ascending order.
var reportedPercentiles = []percentile{
	{"p50", .5, []string{"all"}, func(p *Percentiles) **float64 { return &p.P50 }},
	{"p75", .75, nil, func(p *Percentiles) **float64 { return &p.P75 }},
	{"p90", .9, []string{"all"}, func(p *Percentiles) **float64 { return &p.P90 }},
	{"p95", .95, nil, func(p *Percentiles) **float64 { return &p.P95 }},
	{"p99", .99, []string{"all", "ok"}, func(p *Percentiles) **float64 { return &p.P99 }},
	{"p99.9", .999, []string{"all"}, func(p *Percentiles) **float64 { return &p.P999 }},
	{"p99.99", .9999, nil, func(p *Percentiles) **float64 { return &p.P9999 }},
}

// percentiles returns the percentiles of all RPCs, of which those that are not in l were never
// answered. A percentile with fewer than minTail RPCs beyond has no value.
func percentiles(l *record.Latency, all int64) Percentiles {
	p := Percentiles{Count: all}
	if all == 0 {
		return p
	}
	for _, t := range reportedPercentiles {
		if all >= needed(t.q) {
			*t.at(&p) = new(Milliseconds(l.QuantileAmong(all, t.q)))
		}
	}
	p.Mean, p.Max = new(Milliseconds(l.Mean())), new(Milliseconds(l.Max()))
	if all > l.Count() {
		p.Mean, p.Max = new(Milliseconds(record.Never)), new(Milliseconds(record.Never))
	}
	return p
}

// parts returns all values of a latency, by their keys in JSON.
func (p *Percentiles) parts() map[string]**float64 {
	parts := map[string]**float64{"mean_ms": &p.Mean, "max_ms": &p.Max}
	for _, t := range reportedPercentiles {
		parts[t.name+"_ms"] = t.at(p)
	}
	return parts
}

// percentilesJSON has the fields of Percentiles, and by key the reasons why some have no value.
type percentilesJSON struct {
	plainPercentiles
	NoValue map[string]Reason `json:"no_value"`
}

// plainPercentiles has no MarshalJSON, which would call itself.
type plainPercentiles Percentiles

// MarshalJSON writes null for a percentile without a value, and the reason.
func (p Percentiles) MarshalJSON() ([]byte, error) {
	reasons := map[string]Reason{}
	for key, at := range p.parts() { // of its own copy
		switch v := *at; {
		case v == nil:
			reasons[key] = TooFewSamples
		case math.IsInf(*v, 1):
			reasons[key] = NeverAnswered
			*at = nil
		}
	}
	return json.Marshal(percentilesJSON{plainPercentiles(p), reasons})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Percentiles) UnmarshalJSON(text []byte) error {
	var read percentilesJSON
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	*p = Percentiles(read.plainPercentiles)
	for key, at := range p.parts() {
		if read.NoValue[key] == NeverAnswered {
			*at = new(math.Inf(1))
		}
	}
	return nil
}

// warnOfSamples warns of percentiles without a value: of all RPCs that ended or, if these are
// enough, of those that ended OK.
func warnOfSamples(d *runData) {
	m := d.m
	if refused := m.LatencyAll.refused(); refused != "" {
		m.warn(FewSamples, "%d RPCs ended, too few for some percentiles: %s",
			m.LatencyAll.Count, refused)
	} else if refused := m.LatencyOK.refused(); refused != "" {
		m.warn(FewSamples, "%d RPCs ended OK, too few for some percentiles of these: %s",
			m.LatencyOK.Count, refused)
	}
}

// refused lists the percentiles without a value, and how many RPCs they need.
func (p *Percentiles) refused() string {
	var refused []string
	for _, t := range reportedPercentiles {
		if n := needed(t.q); p.Count < n {
			refused = append(refused, fmt.Sprintf("%s needs %d", t.name, n))
		}
	}
	return strings.Join(refused, ", ")
}

// LatencyCurve is a latency by quantile.
type LatencyCurve struct {
	Scope string
	// Millis is the latency at each of the first CurveQuantiles, as far as enough RPCs lie beyond:
	// infinite where an RPC was never answered.
	Millis      []float64
	Percentiles Percentiles
}

// CurveQuantile is a quantile of a latency curve.
type CurveQuantile struct {
	q    float64
	Text string // as decimal
}

// CurveQuantiles are the quantiles of a latency curve, of all decades up to 0.9999: between 0 and
// 0.9 they are even enough for the eye, and the same pattern follows between 0.9 and 0.99, and so
// on.
var CurveQuantiles = func() (list []CurveQuantile) {
	const finest = 10_000_000 // quantiles are counted in units of 10⁻⁷
	add := func(of int64) {
		q := float64(of) / finest
		list = append(list, CurveQuantile{q, strconv.FormatFloat(q, 'f', -1, 64)})
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

// newCurve returns the curve of all RPCs, of which those that are not in l were never answered.
func newCurve(scope string, l *record.Latency, all int64) LatencyCurve {
	c := LatencyCurve{Scope: scope, Percentiles: percentiles(l, all)}
	for _, t := range CurveQuantiles {
		if all < needed(t.q) {
			break
		}
		c.Millis = append(c.Millis, Milliseconds(l.QuantileAmong(all, t.q)))
	}
	return c
}
