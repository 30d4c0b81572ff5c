package analysis

import "strings"

// Metric is a number that each run yields, for which there is an interval over the runs.
type Metric struct {
	Name, Scope string // as in table.csv; the metric ends in its unit
	// Column is its heading in the text, and format that of its values; "" where only the files
	// for machines have it.
	Column, Format string
	// Better is +1 where more is better, -1 where less is. It is 0 where neither is, and there is
	// no comparison.
	Better int
	// Of returns its value in a run: nil for none, infinite for the latency of what was never
	// answered.
	Of func(m *Measures) *float64
}

const (
	okRate     = "throughput_rps" // the text has it among the differences alone, for scope ok
	errorRatio = "error_ratio"
	meanMetric = "latency_mean_ms"
)

// Heading is that of its differences in the text, "" for none.
func (f *Metric) Heading() string {
	switch {
	case f.Better == 0 || f.Scope == "ok" && f.latency() && f.Name != meanMetric:
		return ""
	case f.Name == okRate:
		return "OK/s"
	}
	return f.Column
}

// ofSuccesses says whether it leaves RPCs that failed out of account. The mean latency of all does
// so: it has a value only where none failed.
func (f *Metric) ofSuccesses() bool {
	return f.latency() && (f.Scope == "ok" || f.Name == meanMetric)
}

// countsFailures says whether RPCs that failed can only make it worse.
func (f *Metric) countsFailures() bool {
	return f.Name == errorRatio || f.Name == okRate || f.latency()
}

// latency says whether it is one: a queue that grows without bound leaves it without a value.
func (f *Metric) latency() bool { return strings.HasPrefix(f.Name, "latency_") }

// UnitOf is the last word of a metric.
func UnitOf(metric string) string { return metric[strings.LastIndex(metric, "_")+1:] }

// Metrics lists the figures of an experiment with these groups of backends, those of the text
// first and in its order.
func Metrics(groups []string) []Metric {
	list := []Metric{
		{okRate, "all", "RPC/s", "%.0f", 0,
			func(m *Measures) *float64 { return &m.RateRPS }},
		{errorRatio, "all", "errors", "%.3f%%", -1,
			func(m *Measures) *float64 { return m.ErrorRatio }},
		latencyMetric("mean", "all", "mean", func(p *Percentiles) *float64 { return p.Mean }),
		latencyMetric("mean", "ok", "meanok", func(p *Percentiles) *float64 { return p.Mean }),
		latencyMetric("p50", "all", "p50", func(p *Percentiles) *float64 { return p.P50 }),
		latencyMetric("p90", "all", "p90", func(p *Percentiles) *float64 { return p.P90 }),
		latencyMetric("p99", "all", "p99", func(p *Percentiles) *float64 { return p.P99 }),
		latencyMetric("p99.9", "all", "p99.9", func(p *Percentiles) *float64 { return p.P999 }),
		latencyMetric("max", "all", "max", func(p *Percentiles) *float64 { return p.Max }),
		latencyMetric("p99", "ok", "p99ok", func(p *Percentiles) *float64 { return p.P99 }),
		{"skew_max_over_mean_ratio", "load", "skew", "%.2f", -1,
			func(m *Measures) *float64 { return m.Skew.MaxOverMean }},
	}
	for _, g := range groups {
		list = append(list, groupMetric("share_ratio", g, g, "%.2f%%",
			func(b *BackendMeasures) *float64 { return b.Share }))
		list = append(list, groupMetric("utilization_ratio", g, "busy", "%.0f%%",
			func(b *BackendMeasures) *float64 { return &b.Utilization }))
	}
	for _, g := range groups {
		list = append(list, extremeMetrics(g)...)
	}
	return append(list, []Metric{
		{okRate, "ok", "", "%.0f", +1, (*Measures).okRPS},
		latencyMetric("p75", "all", "", func(p *Percentiles) *float64 { return p.P75 }),
		latencyMetric("p95", "all", "", func(p *Percentiles) *float64 { return p.P95 }),
		latencyMetric("p99.99", "all", "", func(p *Percentiles) *float64 { return p.P9999 }),
		latencyMetric("p50", "ok", "", func(p *Percentiles) *float64 { return p.P50 }),
		latencyMetric("p75", "ok", "", func(p *Percentiles) *float64 { return p.P75 }),
		latencyMetric("p90", "ok", "", func(p *Percentiles) *float64 { return p.P90 }),
		latencyMetric("p95", "ok", "", func(p *Percentiles) *float64 { return p.P95 }),
		latencyMetric("p99.9", "ok", "", func(p *Percentiles) *float64 { return p.P999 }),
		latencyMetric("p99.99", "ok", "", func(p *Percentiles) *float64 { return p.P9999 }),
		latencyMetric("max", "ok", "", func(p *Percentiles) *float64 { return p.Max }),
		// It has no verdict: who fails early is done early.
		{"makespan_s", "all", "", "", 0, func(m *Measures) *float64 { return m.MakespanS }},
		{"attempts_per_rpc_ratio", "all", "", "", -1,
			func(m *Measures) *float64 { return m.AttemptsPerRPC }},
		{"wasted_ratio", "all", "", "", -1,
			func(m *Measures) *float64 { return m.WastedRatio }},
		{"skew_cv_ratio", "load", "", "", -1,
			func(m *Measures) *float64 { return m.Skew.CV }},
		{"skew_jain_ratio", "load", "", "", +1,
			func(m *Measures) *float64 { return m.Skew.Jain }},
		{"skew_max_over_mean_ratio", "attempts", "", "", 0,
			func(m *Measures) *float64 { return m.AttemptsSkew.MaxOverMean }},
		{"skew_cv_ratio", "attempts", "", "", 0,
			func(m *Measures) *float64 { return m.AttemptsSkew.CV }},
		{"skew_jain_ratio", "attempts", "", "", 0,
			func(m *Measures) *float64 { return m.AttemptsSkew.Jain }},
	}...)
}

func latencyMetric(name, scope, column string, of func(p *Percentiles) *float64) Metric {
	f := Metric{Name: "latency_" + name + "_ms", Scope: scope, Column: column, Format: "%.2f"}
	f.Better = -1
	f.Of = func(m *Measures) *float64 { return of(&m.LatencyAll) }
	if scope == "ok" {
		f.Of = func(m *Measures) *float64 { return of(&m.LatencyOK) }
	}
	return f
}

// groupMetric is the mean of a value over the backends of a group.
func groupMetric(
	metric, group, column, format string, of func(b *BackendMeasures) *float64,
) Metric {
	return Metric{metric, "group:" + group, column, format, 0,
		func(m *Measures) *float64 { return groupMean(m, group, of) }}
}

// okRPS is how many RPCs ended OK per second.
func (m *Measures) okRPS() *float64 {
	if m.ErrorRatio == nil {
		return some(0)
	}
	return some(m.RateRPS * (1 - *m.ErrorRatio))
}

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
	return some(sum / float64(n))
}
