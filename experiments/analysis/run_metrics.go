package analysis

import (
	"fmt"
	"slices"

	"lbsim/models/record"
	"lbsim/policies"
)

const (
	throughput = "throughput_rps"
	errorRatio = "error_ratio"
	meanMetric = "latency_mean_ms"
	attempts   = "attempts_per_rpc_ratio"
)

// runData is a run while its measures are computed, from which metrics and warnings come.
type runData struct {
	*RunInfo
	record *record.Run
	ended  uint64    // RPCs that ended after the warm-up
	m      *Measures // what is known of the run so far
}

// runMetrics are the metrics of a run as a whole, a row each, in the order of table.csv. Those with
// a column stand in the text in this order too, those with a JSON key in summary.json.
var runMetrics = slices.Concat([]Metric{
	{
		Name: throughput, Scope: "all", JSON: "rate_rps", Column: "RPC/s", Format: "%.0f",
		countsFailures: true,
		Doc: "RPCs that ended per second of the measured time: from the end of the warm-up, or " +
			"the start of the first clients if that is later, to the end of the run, or to the " +
			"end of the last RPC where all clients have used up their requests",
		compute: func(d *runData) *float64 {
			return new(float64(d.ended) / d.record.Measured.Seconds())
		},
	},
	{
		Name: errorRatio, Scope: "all", Better: Lower, JSON: "error_ratio",
		Column: "errors", Format: "%.3f%%", Difference: "errors", countsFailures: true,
		Doc: "share of these RPCs that did not end OK",
		compute: func(d *runData) *float64 {
			return ratio(float64(d.ended-d.record.Codes[policies.OK]), float64(d.ended))
		},
	},
	{
		Name: throughput, Scope: "ok", Better: Higher, Format: "%.0f", Difference: "OK/s",
		OverRuns: true, countsFailures: true,
		Doc:  "RPCs that ended OK per second (goodput)",
		read: okRPS,
	},
}, latencyMetrics(), []Metric{
	{
		Name: "makespan_s", Scope: "all", JSON: "makespan_s",
		Doc: "time from the beginning of the first RPC to the end of the last; none if clients " +
			"would begin more or some RPC is open. Not compared: early errors make it short",
		compute: func(d *runData) *float64 {
			if d.record.Makespan == nil {
				return nil
			}
			return new(d.record.Makespan.Seconds())
		},
	},
	{
		Name: attempts, Scope: "all", Better: Lower, JSON: "attempts_per_rpc",
		Doc: "mean number of attempts of the RPCs that ended after the warm-up",
		compute: func(d *runData) *float64 {
			return ratio(float64(d.record.Attempts), float64(d.ended))
		},
	},
	{
		Name: "wasted_ratio", Scope: "all", Better: Lower, JSON: "wasted_ratio",
		Doc: "share of the requests served to the end after the warm-up whose client had given up",
		compute: func(d *runData) *float64 {
			var served, wasted uint64
			for i := range d.m.Backends {
				served += d.m.Backends[i].Served
				wasted += d.m.Backends[i].Wasted
			}
			return ratio(float64(wasted), float64(served))
		},
	},
}, skewMetrics())

// ratio returns a quotient, nil where the divisor is 0.
func ratio(a, b float64) *float64 {
	if b == 0 {
		return nil
	}
	return new(a / b)
}

// okRPS is how many RPCs ended OK per second.
func okRPS(m *Measures) *float64 {
	errors := m.Values[errorRatio]
	if errors == nil {
		return new(0.0)
	}
	return new(*m.Values[throughput] * (1 - *errors))
}

// latencyMetrics are the mean, the percentiles and the maximum of all RPCs and of those that ended
// OK. The two means stand beside each other, since the text shows one of them.
func latencyMetrics() (list []Metric) {
	for _, scope := range []string{"all", "ok"} {
		list = append(list, latencyMetric("mean", scope, true, 0,
			func(p *Percentiles) *float64 { return p.Mean }))
	}
	for _, scope := range []string{"all", "ok"} {
		for _, q := range reportedPercentiles {
			list = append(list, latencyMetric(q.name, scope, slices.Contains(q.text, scope), q.q,
				func(p *Percentiles) *float64 { return *q.at(p) }))
		}
		list = append(list, latencyMetric("max", scope, scope == "all", 0,
			func(p *Percentiles) *float64 { return p.Max }))
	}
	return list
}

// latencyMetric is a row for a part of a latency, which the text shows or not.
func latencyMetric(
	part, scope string, shown bool, quantile float64, of func(p *Percentiles) *float64,
) Metric {
	metric := Metric{
		Name: "latency_" + part + "_ms", Scope: scope, Better: Lower, Format: "%.2f",
		Latency: true, Quantile: quantile, countsFailures: true,
	}
	metric.successesOnly = scope == "ok" || metric.Name == meanMetric
	metric.read = func(m *Measures) *float64 { return of(&m.LatencyAll) }
	who := "all RPCs that ended after the warm-up"
	column := part
	if scope == "ok" {
		metric.read = func(m *Measures) *float64 { return of(&m.LatencyOK) }
		who, column = "the RPCs that ended OK after the warm-up", part+"ok"
	}
	if shown {
		metric.Column = column
	}
	if shown && (scope == "all" || metric.Name == meanMetric) {
		metric.Difference = column
	}
	switch part {
	case "mean":
		metric.Doc = "mean latency of " + who
	case "max":
		metric.Doc = "greatest latency of " + who
	default:
		metric.Doc = fmt.Sprintf("latency that %s %% of %s do not exceed", part[1:], who)
	}
	return metric
}

// skewMetrics say how unevenly load and attempts are spread over the backends. Attempts are not
// compared, since an even spread over unequal backends is no aim.
func skewMetrics() (list []Metric) {
	for _, of := range []struct {
		scope, what  string
		skew         func(m *Measures) *Skew
		lower        Direction
		column, diff string
	}{
		{"load", "load ratios (work offered over capacity) of the backends",
			func(m *Measures) *Skew { return &m.Skew }, Lower, "skew", "skew"},
		{"attempts", "attempts sent to the backends",
			func(m *Measures) *Skew { return &m.AttemptsSkew }, Neither, "", ""},
	} {
		most := Metric{
			Name: "skew_max_over_mean_ratio", Scope: of.scope, Better: of.lower,
			Column: of.column, Difference: of.diff, Doc: "greatest over mean of the " + of.what,
			read: func(m *Measures) *float64 { return of.skew(m).MaxOverMean },
		}
		if most.Column != "" {
			most.Format = "%.2f"
		}
		list = append(list, most, Metric{
			Name: "skew_cv_ratio", Scope: of.scope, Better: of.lower,
			Doc:  "coefficient of variation of the " + of.what,
			read: func(m *Measures) *float64 { return of.skew(m).CV },
		}, Metric{
			Name: "skew_jain_ratio", Scope: of.scope, Better: -of.lower,
			Doc:  "Jain's index of fairness of the " + of.what + ": 1 where all are equal",
			read: func(m *Measures) *float64 { return of.skew(m).Jain },
		})
	}
	return list
}
