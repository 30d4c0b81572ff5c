package experiments

import (
	"math"
	"strings"
)

// figure is a number that each run yields, for which there is an interval over the runs.
type figure struct {
	metric, scope string // as in table.csv; the metric ends in its unit
	// column is its heading in the text, and format that of its values; "" where only the files
	// for machines have it.
	column, format string
	// better is +1 where more is better, -1 where less is. It is 0 where neither is, and there is
	// no comparison: nor is there of the latency of RPCs that ended OK, for a policy under which
	// the slow ones fail would seem the better one.
	better int
	of     func(m *Measures) *float64
}

// okRate is the one figure that the text has among the differences alone.
const okRate = "throughput_rps"

// heading is that of its differences in the text, "" for none.
func (f *figure) heading() string {
	switch {
	case f.better == 0:
		return ""
	case f.metric == okRate:
		return "OK/s"
	}
	return f.column
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
		{"error_ratio", "all", "errors", "%.3f%%", -1,
			func(m *Measures) *float64 { return m.ErrorRatio }},
		latencyFigure("mean", "all", "mean", func(p *Percentiles) *float64 { return p.Mean }),
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
	return append(list, []figure{
		{okRate, "ok", "", "%.0f", +1, (*Measures).okRPS},
		latencyFigure("p75", "all", "", func(p *Percentiles) *float64 { return p.P75 }),
		latencyFigure("p95", "all", "", func(p *Percentiles) *float64 { return p.P95 }),
		latencyFigure("p99.99", "all", "", func(p *Percentiles) *float64 { return p.P9999 }),
		latencyFigure("mean", "ok", "", func(p *Percentiles) *float64 { return p.Mean }),
		latencyFigure("p50", "ok", "", func(p *Percentiles) *float64 { return p.P50 }),
		latencyFigure("p75", "ok", "", func(p *Percentiles) *float64 { return p.P75 }),
		latencyFigure("p90", "ok", "", func(p *Percentiles) *float64 { return p.P90 }),
		latencyFigure("p95", "ok", "", func(p *Percentiles) *float64 { return p.P95 }),
		latencyFigure("p99.9", "ok", "", func(p *Percentiles) *float64 { return p.P999 }),
		latencyFigure("p99.99", "ok", "", func(p *Percentiles) *float64 { return p.P9999 }),
		latencyFigure("max", "ok", "", func(p *Percentiles) *float64 { return p.Max }),
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
	if scope == "ok" {
		f.of = func(m *Measures) *float64 { return of(&m.LatencyOK) }
		return f
	}
	f.better = -1
	f.of = func(m *Measures) *float64 { return of(&m.LatencyAll) }
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

// Figure is a figure of a policy over its runs.
type Figure struct {
	Metric string `json:"metric"`
	Scope  string `json:"scope"`
	// Mean is over the runs; null where one of them has no value, for a mean over the others would
	// be one of chosen runs.
	Mean *float64 `json:"mean"`
	// Half is half the width of the interval that holds the true mean with 95 % probability; null
	// where there are fewer than two runs.
	Half *float64 `json:"half"`
	Runs int      `json:"runs"` // that have a value
}

// over draws up a figure of runs.
func (f *figure) over(runs []*Measures) Figure {
	var values []float64
	for _, m := range runs {
		if v := f.of(m); v != nil && !(f.latency() && m.unstable()) {
			values = append(values, *v)
		}
	}
	out := Figure{Metric: f.metric, Scope: f.scope, Runs: len(values)}
	if len(values) == len(runs) {
		out.Mean, out.Half = intervalOf(values).told()
	}
	return out
}

// unstable counts the runs whose latencies depend on when they end.
func unstable(runs []*Measures) (n int) {
	for _, m := range runs {
		if m.unstable() {
			n++
		}
	}
	return n
}

// told returns mean and half width where they have a value.
func (v Interval) told() (mean, half *float64) {
	if v.Runs > 0 {
		mean = some(v.Mean)
	}
	if !math.IsNaN(v.Half) {
		half = some(v.Half)
	}
	return mean, half
}
