package report

import (
	"encoding/csv"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"lbsim/experiments/analysis"
	"lbsim/internal/numtext"
)

// tableWriter writes table.csv, one row for each value. The columns are policy, seed, one for each
// swept key, metric (its name ends in the unit), scope, x and value. Seed is "all" in rows of
// results over all runs.
type tableWriter struct {
	csv       *csv.Writer // keeps the first error of writing; flush returns it
	sweepKeys []string    // the swept keys, in the order of their columns
	run       []string    // the columns before metric: of the run or the point being written
	row       []string    // the row being written; the next one reuses its memory
}

// WriteTable writes the table: the rows of the runs, then those of the results over all runs.
func WriteTable(w io.Writer, s *analysis.Summary) error {
	t := newTableWriter(w, s.SweepKeys)
	t.addHeader()
	for _, m := range s.Runs {
		t.addRun(m)
	}
	t.addPoints(s)
	return t.flush()
}

// newTableWriter returns a writer of rows. The header is written by addHeader.
func newTableWriter(w io.Writer, sweepKeys []string) *tableWriter {
	return &tableWriter{csv: csv.NewWriter(w), sweepKeys: sweepKeys}
}

// addHeader writes the names of the columns.
func (t *tableWriter) addHeader() {
	header := append([]string{"policy", "seed"}, t.sweepKeys...)
	t.write(append(header, "metric", "scope", "x", "value"))
}

// of sets the columns before metric for the rows that follow.
func (t *tableWriter) of(policy, seed string, point map[string]string) {
	t.run = append(t.run[:0], policy, seed)
	for _, key := range t.sweepKeys {
		t.run = append(t.run, point[key])
	}
}

// write writes a row. flush returns the first error.
func (t *tableWriter) write(row []string) { _ = t.csv.Write(row) }

// flush writes buffered rows and returns the first error of writing.
func (t *tableWriter) flush() error {
	t.csv.Flush()
	return t.csv.Error()
}

// add writes a row with the columns before metric that of has set.
func (t *tableWriter) add(metric, scope, x string, value float64) {
	t.row = append(t.row[:0], t.run...)
	t.row = append(t.row, metric, scope, x, numtext.Decimal(value))
	t.write(t.row)
}

// addSome writes a row, unless the metric has no value.
func (t *tableWriter) addSome(metric, scope string, value *float64) {
	if value != nil {
		t.add(metric, scope, "", *value)
	}
}

// seconds writes a time or a duration in seconds.
func seconds(d time.Duration) string { return numtext.Decimal(d.Seconds()) }

// addRun writes all rows of a run.
func (t *tableWriter) addRun(m *analysis.Measures) {
	t.of(m.Policy, strconv.FormatUint(m.Seed, 10), m.Point)
	t.add("warmup_s", "run", "", m.WarmupS)
	t.addLatencies(m)
	t.add("rpcs_count", "started", "", float64(m.RPCs.Started))
	t.add("rpcs_count", "ended", "", float64(m.RPCs.Ended))
	t.add("rpcs_count", "open", "", float64(m.RPCs.Open))
	for _, code := range slices.Sorted(maps.Keys(m.Codes)) {
		t.add("rpcs_count", "code:"+code, "", float64(m.Codes[code]))
	}
	for i := range m.Failed {
		f := &m.Failed[i]
		t.add("failed_count", "failed:"+f.String(), "", float64(f.Count))
	}
	for _, f := range analysis.RunMetrics() {
		if !f.Latency && !f.OverRuns {
			t.addSome(f.Name, f.Scope, f.Of(m))
		}
	}
	t.addBackends(m)
	for _, w := range m.Windows {
		t.add("failure_s", "failure:"+w.Name, seconds(w.From), w.To.Seconds())
	}
	t.addSeries(m)
}

// addLatencies writes the latencies of each scope: by quantile, then the metrics without a
// quantile, such as the mean.
func (t *tableWriter) addLatencies(m *analysis.Measures) {
	for _, c := range m.Curves {
		for i, ms := range c.Millis {
			t.add("latency_ms", c.Scope, analysis.CurveQuantiles[i].Text, ms)
		}
		for _, metric := range analysis.RunMetrics() {
			if metric.Latency && metric.Quantile == 0 && metric.Scope == c.Scope {
				t.addSome(metric.Name, metric.Scope, metric.Of(m))
			}
		}
	}
}

// addBackends writes the metrics of each backend.
func (t *tableWriter) addBackends(m *analysis.Measures) {
	for i := range m.Backends {
		b := &m.Backends[i]
		for _, metric := range analysis.BackendMetrics() {
			t.addSome(metric.Name, "backend:"+b.Name, metric.Of(b))
		}
	}
}

// addSeries writes the metrics over time; x is the start of the bin in seconds.
func (t *tableWriter) addSeries(m *analysis.Measures) {
	for i := range m.Series {
		b := &m.Series[i]
		x := numtext.Decimal(b.Start.Seconds())
		for _, metric := range analysis.BinMetrics() {
			if v := metric.Of(b); v != nil {
				t.add(metric.Name, "time", x, *v)
			}
		}
		for k, n := range b.InFlight {
			t.add("inflight_count", "backend:"+m.Backends[k].Name, x, n)
		}
	}
}

// addPoints writes the results over all runs.
func (t *tableWriter) addPoints(s *analysis.Summary) {
	for _, p := range s.Points {
		for i := range p.Policies {
			r := &p.Policies[i]
			t.of(r.Policy, "all", p.Point)
			for k := range r.Estimates {
				e := &r.Estimates[k]
				scope := e.Scope + ":" + e.Metric
				t.addEstimate(e, scope)
				t.add("interval_runs_count", scope, "", float64(e.Runs))
			}
			t.addCurves(r)
			t.addShares(r)
			for k := range r.Differences {
				t.addDifference(&r.Differences[k], s.Baseline)
			}
		}
	}
}

// addEstimate writes an estimate; "never" is infinite.
func (t *tableWriter) addEstimate(e *analysis.Estimate, scope string) {
	unit, mean, most := analysis.UnitOf(e.Metric), e.Mean, e.Most
	if e.Reason == analysis.NeverAnswered {
		mean, most = new(math.Inf(1)), new(math.Inf(1))
	}
	t.addInterval("interval", unit, scope, "", mean, e.Half)
	if e.Runs > 1 {
		t.addRange("interval", unit, scope, e.Least, most)
	}
}

// addRange writes the least and the most of the values of runs, if there are any. An
// estimate of runs that are all "never" has no least value; it is infinite too.
func (t *tableWriter) addRange(what, unit, scope string, least, most *float64) {
	if most == nil {
		return
	}
	if least == nil {
		least = most
	}
	t.add(what+"_least_"+unit, scope, "", *least)
	t.add(what+"_most_"+unit, scope, "", *most)
}

// addInterval writes a mean and the half width of its confidence interval. Either may be missing:
// there is no interval with one run.
func (t *tableWriter) addInterval(what, unit, scope, x string, mean, half *float64) {
	if mean != nil {
		t.add(what+"_mean_"+unit, scope, x, *mean)
	}
	if half != nil {
		t.add(what+"_half_"+unit, scope, x, *half)
	}
}

// addCurves writes the means of latencies by quantile, with their intervals.
func (t *tableWriter) addCurves(r *analysis.PolicyResults) {
	for _, q := range r.Quantiles() {
		t.addInterval("interval", "ms", q.Scope+":latency_ms", q.Quantile, q.Mean, q.Half)
	}
}

// addShares writes the means of the shares of backends, with their intervals.
func (t *tableWriter) addShares(r *analysis.PolicyResults) {
	for _, s := range r.Shares() {
		scope := "backend:" + s.Backend + ":share_ratio"
		t.addInterval("interval", "ratio", scope, "", s.Mean, s.Half)
	}
}

// addDifference writes a difference. Its verdict is 1 for better, -1 for worse, and 0 for cannot
// tell and for identical, which has a flag too. Without a verdict there is no row.
func (t *tableWriter) addDifference(d *analysis.Difference, baseline string) {
	scope := d.Scope + ":" + d.Metric + " against " + baseline
	t.addInterval("difference", analysis.UnitOf(d.Metric), scope, "", d.Mean, d.Half)
	t.addRange("difference", analysis.UnitOf(d.Metric), scope, d.Least, d.Most)
	if d.Verdict == analysis.NoVerdict {
		return
	}
	t.add("difference_verdict_sign", scope, "", d.Verdict.Sign())
	if d.Verdict == analysis.Identical {
		t.add("difference_identical_flag", scope, "", 1)
	}
	if d.MoreSeeds != nil {
		t.add("difference_more_seeds_count", scope, "", float64(*d.MoreSeeds))
	}
}
