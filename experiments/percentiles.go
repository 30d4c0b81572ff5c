package experiments

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"lbsim/models/record"
)

// Reason says why something has no value. It is "" of what has one.
type Reason string

// The reasons.
const (
	// NeverAnswered: so many RPCs failed that the value is infinite.
	NeverAnswered Reason = "never"
	// TooFewSamples: too few RPCs ended, or none.
	TooFewSamples Reason = "few_samples"
	// GrowsWithTime: in some run a queue grows without bound, and latencies with it.
	GrowsWithTime Reason = "unstable"
	// FarApart: the runs lie so far apart that their mean is no figure of any.
	FarApart Reason = "far_apart"
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

// percentiles reads the latency of so many RPCs, of which those that l lacks were never answered.
// What too few RPCs lie beyond has no value.
func percentiles(l *record.Latency, all int64) Percentiles {
	p := Percentiles{Count: all}
	if all == 0 {
		return p
	}
	for _, t := range told {
		if all >= needed(t.q) {
			*t.of(&p) = some(ms(l.QuantileAmong(all, t.q)))
		}
	}
	p.Mean, p.Max = some(ms(l.Mean())), some(ms(l.Max()))
	if all > l.Count() {
		p.Mean, p.Max = some(ms(record.Never)), some(ms(record.Never))
	}
	return p
}

// parts are all values of a latency, by their keys in JSON.
func (p *Percentiles) parts() map[string]**float64 {
	parts := map[string]**float64{"mean_ms": &p.Mean, "max_ms": &p.Max}
	for _, t := range told {
		parts[t.name+"_ms"] = t.of(p)
	}
	return parts
}

// percentilesJSON has the fields of Percentiles, and why some have no value, by their keys.
type percentilesJSON struct {
	plainPercentiles
	NoValue map[string]Reason `json:"no_value"`
}

type plainPercentiles Percentiles

// MarshalJSON writes null for what has no value, and why.
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
			*at = some(math.Inf(1))
		}
	}
	return nil
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
