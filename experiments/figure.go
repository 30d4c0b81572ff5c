package experiments

import "strings"

// figure is a number that each run yields, for which there is an interval over the runs.
type figure struct {
	metric, scope string // as in table.csv; the metric ends in its unit
	// column is its heading in the text, and format that of its values; "" where only the files
	// for machines have it.
	column, format string
	// better is +1 where more is better, -1 where less is. It is 0 where neither is, and there is
	// no comparison.
	better int
	// of returns its value in a run: nil for none, infinite for the latency of what was never
	// answered.
	of func(m *Measures) *float64
}

const (
	okRate     = "throughput_rps" // the text has it among the differences alone, for scope ok
	errorRatio = "error_ratio"
	meanMetric = "latency_mean_ms"
)

// heading is that of its differences in the text, "" for none.
func (f *figure) heading() string {
	switch {
	case f.better == 0 || f.scope == "ok" && f.latency() && f.metric != meanMetric:
		return ""
	case f.metric == okRate:
		return "OK/s"
	}
	return f.column
}

// ofSuccesses says whether it leaves RPCs that failed out of account. The mean latency of all does
// so: it has a value only where none failed.
func (f *figure) ofSuccesses() bool {
	return f.latency() && (f.scope == "ok" || f.metric == meanMetric)
}

// countsFailures says whether RPCs that failed can only make it worse.
func (f *figure) countsFailures() bool {
	return f.metric == errorRatio || f.metric == okRate || f.latency()
}

// latency says whether it is one: a queue that grows without bound leaves it without a value.
func (f *figure) latency() bool { return strings.HasPrefix(f.metric, "latency_") }

// unitOf is the last word of a metric.
func unitOf(metric string) string { return metric[strings.LastIndex(metric, "_")+1:] }

// figuresOf lists the figures of an experiment with these groups of backends, those of the text
// first and in its order.
func figuresOf(groups []string) []figure {
	list := []figure{
		{okRate, "all", "RPC/s", "%.0f", 0,
			func(m *Measures) *float64 { return &m.RateRPS }},
		{errorRatio, "all", "errors", "%.3f%%", -1,
			func(m *Measures) *float64 { return m.ErrorRatio }},
		latencyFigure("mean", "all", "mean", func(p *Percentiles) *float64 { return p.Mean }),
		latencyFigure("mean", "ok", "meanok", func(p *Percentiles) *float64 { return p.Mean }),
		latencyFigure("p50", "all", "p50", func(p *Percentiles) *float64 { return p.P50 }),
		latencyFigure("p90", "all", "p90", func(p *Percentiles) *float64 { return p.P90 }),
		latencyFigure("p99", "all", "p99", func(p *Percentiles) *float64 { return p.P99 }),
		latencyFigure("p99.9", "all", "p99.9", func(p *Percentiles) *float64 { return p.P999 }),
		latencyFigure("max", "all", "max", func(p *Percentiles) *float64 { return p.Max }),
		latencyFigure("p99", "ok", "p99ok", func(p *Percentiles) *float64 { return p.P99 }),
		{"skew_max_over_mean_ratio", "load", "skew", "%.2f", -1,
			func(m *Measures) *float64 { return m.Skew.MaxOverMean }},
	}
	for _, g := range groups {
		list = append(list, groupFigure("share_ratio", g, g, "%.2f%%",
			func(b *BackendMeasures) *float64 { return b.Share }))
		list = append(list, groupFigure("utilization_ratio", g, "busy", "%.0f%%",
			func(b *BackendMeasures) *float64 { return &b.Utilization }))
	}
	for _, g := range groups {
		list = append(list, extremeFigures(g)...)
	}
	return append(list, []figure{
		{okRate, "ok", "", "%.0f", +1, (*Measures).okRPS},
		latencyFigure("p75", "all", "", func(p *Percentiles) *float64 { return p.P75 }),
		latencyFigure("p95", "all", "", func(p *Percentiles) *float64 { return p.P95 }),
		latencyFigure("p99.99", "all", "", func(p *Percentiles) *float64 { return p.P9999 }),
		latencyFigure("p50", "ok", "", func(p *Percentiles) *float64 { return p.P50 }),
		latencyFigure("p75", "ok", "", func(p *Percentiles) *float64 { return p.P75 }),
		latencyFigure("p90", "ok", "", func(p *Percentiles) *float64 { return p.P90 }),
		latencyFigure("p95", "ok", "", func(p *Percentiles) *float64 { return p.P95 }),
		latencyFigure("p99.9", "ok", "", func(p *Percentiles) *float64 { return p.P999 }),
		latencyFigure("p99.99", "ok", "", func(p *Percentiles) *float64 { return p.P9999 }),
		latencyFigure("max", "ok", "", func(p *Percentiles) *float64 { return p.Max }),
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

func latencyFigure(name, scope, column string, of func(p *Percentiles) *float64) figure {
	f := figure{metric: "latency_" + name + "_ms", scope: scope, column: column, format: "%.2f"}
	f.better = -1
	f.of = func(m *Measures) *float64 { return of(&m.LatencyAll) }
	if scope == "ok" {
		f.of = func(m *Measures) *float64 { return of(&m.LatencyOK) }
	}
	return f
}

// groupFigure is the mean of a value over the backends of a group.
func groupFigure(
	metric, group, column, format string, of func(b *BackendMeasures) *float64,
) figure {
	return figure{metric, "group:" + group, column, format, 0,
		func(m *Measures) *float64 { return groupMean(m, group, of) }}
}

// okRPS is how many RPCs ended OK per second.
func (m *Measures) okRPS() *float64 {
	if m.ErrorRatio == nil {
		return some(0)
	}
	return some(m.RateRPS * (1 - *m.ErrorRatio))
}

// groupsOf returns the groups of a run's backends, in order.
func groupsOf(m *Measures) []string {
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
