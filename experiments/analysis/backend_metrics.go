package analysis

import (
	"strings"
	"time"

	"lbsim/models/record"
)

// BackendMetric is a number that each backend has in a run. Some have a mean over the backends of
// each group, and extremes.
type BackendMetric struct {
	// Name is the name in table.csv. Its last word is the unit.
	Name string
	// Doc is what the value is, for docs/metrics.md.
	Doc string
	// Of returns the value of a backend, nil for none.
	Of func(b *BackendMeasures) *float64

	// column is the heading of the mean over a group in the text, and format the format of its
	// values; "" if groups have no mean. ofGroup stands for the name of the group.
	column string
	format Format
	// extremes reports whether a group has the least and the most of its backends too.
	extremes bool
}

const ofGroup = "GROUP"

// backendMetrics are the metrics of a backend, a row each, in the order of table.csv.
var backendMetrics = []BackendMetric{
	{Name: "attempts_count", Doc: "attempts that were sent to it",
		Of: func(b *BackendMeasures) *float64 { return new(float64(b.Attempts)) }},
	{Name: "served_count", Doc: "requests that it served to the end",
		Of: func(b *BackendMeasures) *float64 { return new(float64(b.Served)) }},
	{Name: "wasted_count", Doc: "those of them whose client had given up",
		Of: func(b *BackendMeasures) *float64 { return new(float64(b.Wasted)) }},
	{Name: "share_ratio", Doc: "its share of the attempts of all backends",
		column: ofGroup, format: "%.2f%%", extremes: true,
		Of: func(b *BackendMeasures) *float64 { return b.Share }},
	{Name: "capacity_s", Doc: "work that it could have done for clients, in seconds of work at " +
		"speed 1, while it was up and listed by the resolver of some client",
		Of: func(b *BackendMeasures) *float64 { return &b.CapacityS }},
	{Name: "capacity_share_ratio", Doc: "its share of the requests that all could have served",
		Of: func(b *BackendMeasures) *float64 { return b.CapacityShare }},
	{Name: "load_ratio", Doc: "work offered, attempts × mean service time, over capacity",
		Of: func(b *BackendMeasures) *float64 { return b.LoadRatio }},
	{Name: "utilization_ratio", Doc: "share of its workers that were busy, mean over time",
		column: "busy", format: "%.0f%%", extremes: true,
		Of: func(b *BackendMeasures) *float64 { return &b.Utilization }},
	{Name: "inflight_mean_count", Doc: "attempts in flight to it, mean over time",
		Of: func(b *BackendMeasures) *float64 { return &b.InFlight }},
	{Name: "inflight_peak_count", Doc: "attempts in flight to it, greatest",
		Of: func(b *BackendMeasures) *float64 { return new(float64(b.InFlightPeak)) }},
	{Name: "queue_mean_count", Doc: "requests that wait for a worker, mean over time",
		Of: func(b *BackendMeasures) *float64 { return &b.Queue }},
	{Name: "queue_peak_count", Doc: "requests that wait for a worker, greatest",
		Of: func(b *BackendMeasures) *float64 { return new(float64(b.QueuePeak)) }},
}

// BackendMetrics returns the metrics of a backend, in the order of table.csv. The list must not be
// changed.
func BackendMetrics() []BackendMetric { return backendMetrics }

// groupMean returns the metric of the mean over the backends of a group.
func (b *BackendMetric) groupMean(group string) Metric {
	return Metric{
		Name: b.Name, Scope: "group:" + group, Format: b.format,
		Column: strings.ReplaceAll(b.column, ofGroup, group),
		Doc:    "mean over the backends of the group: " + b.Doc,
		read:   func(m *Measures) *float64 { return groupMean(m, group, b.Of) },
	}
}

// groupExtremes returns the metrics of the least and the most of the backends of a group that had
// capacity.
func (b *BackendMetric) groupExtremes(group string) []Metric {
	least := func(m *Measures) *float64 {
		v, _ := GroupExtremes(m, group, b.Of)
		return v
	}
	most := func(m *Measures) *float64 {
		_, v := GroupExtremes(m, group, b.Of)
		return v
	}
	unit := UnitOf(b.Name)
	name := strings.TrimSuffix(b.Name, "_"+unit)
	of := " of the backends of the group that had capacity: " + b.Doc
	return []Metric{
		{Name: name + "_least_" + unit, Scope: "group:" + group, Format: b.format,
			Doc: "least" + of, read: least},
		{Name: name + "_most_" + unit, Scope: "group:" + group, Format: b.format,
			Doc: "most" + of, read: most},
	}
}

// BinMetric is a number for each step of the series.
type BinMetric struct {
	// Name is that in table.csv. Its last word is the unit.
	Name string
	// Doc is what the value is, for docs/metrics.md.
	Doc string
	// Of returns the value in a step, nil for none.
	Of func(b *record.Bin) *float64
}

// BinMetrics returns the metrics of a step of the series, in the order of table.csv. The list must
// not be changed.
func BinMetrics() []BinMetric { return binMetrics }

var binMetrics = []BinMetric{
	{"rate_rps", "RPCs that ended in the step, per second",
		func(b *record.Bin) *float64 { return new(float64(b.Ended) / b.Length.Seconds()) }},
	{"errors_rps", "RPCs that failed in the step, per second",
		func(b *record.Bin) *float64 { return new(float64(b.Errors) / b.Length.Seconds()) }},
	{"p50_ms", "median latency of the RPCs that ended in the step",
		func(b *record.Bin) *float64 { return latencyIn(b, b.P50) }},
	{"p99_ms", "99th percentile of the latency of the RPCs that ended in the step",
		func(b *record.Bin) *float64 { return latencyIn(b, b.P99) }},
}

// latencyIn returns a latency in a step in milliseconds, nil where no RPC ended.
func latencyIn(b *record.Bin, d time.Duration) *float64 {
	if b.Ended == 0 {
		return nil
	}
	return new(Milliseconds(d))
}

// groupMean returns the mean of a value over the backends of a group.
func groupMean(m *Measures, group string, get func(b *BackendMeasures) *float64) *float64 {
	sum, n := 0.0, 0
	for i := range m.Backends {
		b := &m.Backends[i]
		if g, _, _ := strings.Cut(b.Name, "/"); g != group {
			continue
		}
		v := get(b)
		if v == nil {
			return nil
		}
		sum += *v
		n++
	}
	return new(sum / float64(n))
}

// GroupExtremes returns the least and the most of a value over the backends of a group that had
// capacity; nil if none had, or if one has no value.
func GroupExtremes(
	m *Measures, group string, of func(b *BackendMeasures) *float64,
) (least, most *float64) {
	for i := range m.Backends {
		b := &m.Backends[i]
		if g, _, _ := strings.Cut(b.Name, "/"); g != group || b.CapacityS == 0 {
			continue
		}
		v := of(b)
		switch {
		case v == nil:
			return nil, nil
		case least == nil:
			least, most = v, v
		case *v < *least:
			least = v
		case *v > *most:
			most = v
		}
	}
	return least, most
}
