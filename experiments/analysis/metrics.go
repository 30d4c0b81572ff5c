package analysis

import "strings"

// Direction is the direction in which a metric is better.
type Direction int

// The directions. A metric with Neither is not compared with the baseline.
const (
	Lower   Direction = -1
	Neither Direction = 0
	Higher  Direction = +1
)

// Metric is a number that each run yields. Over several runs it has a mean with a confidence
// interval, and differences from the baseline. A metric of runs is one row in run_metrics.go, of
// which summary.json, table.csv, the text, the comparisons and docs/metrics.md are made.
type Metric struct {
	// Name is the name in table.csv. Its last word is the unit.
	Name string
	// Scope is what the value covers: all RPCs that ended ("all"), those that ended OK ("ok"), work
	// offered to the backends ("load"), attempts sent to them ("attempts"), or a group of backends
	// ("group:NAME").
	Scope  string
	Better Direction
	// Doc is what the value is, for docs/metrics.md.
	Doc string

	// Column is the heading in the text, Format the format of the values there; "" where the text
	// has no such column.
	Column string
	Format Format
	// Difference is the heading of its differences in the text; "" where the text has none.
	Difference string

	// JSON is the key of the value in a run of summary.json; "" if the value is part of another
	// there, such as a percentile.
	JSON    string
	compute func(d *runData) *float64  // computes a value that has a key in JSON
	read    func(m *Measures) *float64 // reads another value from the measures of the run

	// Latency reports whether the value depends on the length of a run that is unstable.
	Latency bool
	// Quantile is the quantile of a percentile; 0 for other metrics.
	Quantile float64
	// OverRuns reports whether table.csv has only the estimate over all runs.
	OverRuns bool
	// successesOnly reports whether RPCs that failed do not count. The mean latency of all RPCs is
	// such a metric, since it is finite only if none failed.
	successesOnly bool
	// countsFailures reports whether RPCs that fail can only make the value worse.
	countsFailures bool
}

// Of returns the value in a run: nil for none, infinite for the latency "never".
func (metric *Metric) Of(m *Measures) *float64 {
	if metric.compute != nil {
		return m.Values[metric.Name]
	}
	return metric.read(m)
}

// UnitOf returns the last word of a metric's name.
func UnitOf(metric string) string { return metric[strings.LastIndex(metric, "_")+1:] }

// Metrics returns the metrics of an experiment with these groups of backends, those of the text
// first and in its order.
func Metrics(groups []string) (list []Metric) {
	for i := range runMetrics {
		if runMetrics[i].Column != "" {
			list = append(list, runMetrics[i])
		}
	}
	for _, group := range groups {
		for i := range backendMetrics {
			if b := &backendMetrics[i]; b.column != "" {
				list = append(list, b.groupMean(group))
			}
		}
	}
	for _, group := range groups {
		for i := range backendMetrics {
			if b := &backendMetrics[i]; b.extremes {
				list = append(list, b.groupExtremes(group)...)
			}
		}
	}
	for i := range runMetrics {
		if runMetrics[i].Column == "" {
			list = append(list, runMetrics[i])
		}
	}
	return list
}

// RunMetrics returns the metrics of a run as a whole, in the order of table.csv. The list must not
// be changed.
func RunMetrics() []Metric { return runMetrics }

// GroupsOf returns the groups of a run's backends, in order.
func GroupsOf(m *Measures) []string {
	var groups []string
	for i := range m.Backends {
		g, _, _ := strings.Cut(m.Backends[i].Name, "/")
		if len(groups) == 0 || groups[len(groups)-1] != g {
			groups = append(groups, g)
		}
	}
	return groups
}
