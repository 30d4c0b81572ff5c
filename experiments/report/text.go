package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"lbsim/experiments/analysis"
	"lbsim/internal/numtext"
)

// WriteText writes the comparison as text: a table for each point of the sweep, and warnings as
// footnotes.
func WriteText(w io.Writer, s *analysis.Summary) {
	fmt.Fprintf(w, "%s: %s\n", s.Name, FirstLine(s.Question))
	for i, f := range s.Failed {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "FAILED: %s\n", f)
	}
	if len(s.Runs) == 0 {
		fmt.Fprintln(w, "\nNo run was finished.")
		return
	}
	if !s.Complete {
		fmt.Fprintf(w, "\nINCOMPLETE: stopped after %d runs.\n", len(s.Runs)+len(s.Failed))
	}
	var notes analysis.Notes
	for _, p := range s.Points {
		fmt.Fprintln(w)
		for _, key := range s.SweepKeys {
			fmt.Fprintf(w, "%s = %s\n", key, p.Point[key])
		}
		if s.FoundWarmup {
			fmt.Fprintf(w, "warm-up found: %ss\n", numtext.Decimal(p.Policies[0].Runs[0].WarmupS))
		}
		writePoint(w, p, &notes)
		writeExtremes(w, p)
		writeFailed(w, p)
		writeDifferences(w, s, p)
	}
	writeLegend(w, s)
	if s.Target != nil && !slices.ContainsFunc(s.Points, func(p *analysis.PointResults) bool {
		return !*p.Precise
	}) {
		fmt.Fprintf(w, "%s is reached of every policy, with up to %d seeds.\n",
			s.Precision, len(s.Seeds))
	}
	for _, warning := range s.Warnings {
		fmt.Fprintln(w, warning.Text)
	}
	for i, note := range notes {
		fmt.Fprintf(w, "[%d] %v\n", i+1, note)
	}
}

// writeLegend explains the columns and the notation.
func writeLegend(w io.Writer, s *analysis.Summary) {
	fmt.Fprintln(w, `
Latency in ms of all RPCs that ended after the warm-up, from their intended start; p99ok: of those
that ended OK. skew: load ratio of the backends (work offered over capacity), greatest over mean.
The columns after it are means over the backends of each group: share of the RPCs, utilisation.`)
	if slices.ContainsFunc(s.Points, func(p *analysis.PointResults) bool { return p.Failed }) {
		fmt.Fprintln(w, "never: so many RPCs failed, and the latency of one that failed is "+
			"infinite. meanok: as p99ok. A policy\ncan lower both by failing the slow RPCs, so "+
			"they have no verdict where RPCs failed.")
	}
	if len(s.Seeds) > 1 {
		fmt.Fprintln(w, `
Values are means over runs, ± the half-width of the 95 % confidence interval, or the least and the
most of the runs (5.90–7.32) where a mean would mislead. Failures are those of all runs. Against the
baseline: paired differences of runs with the same RPCs, with a verdict on the policy. ?: cannot
tell; ?+12: 12 more seeds would tell if the difference is real. identical: the same in each run.`)
	}
}

// FirstLine returns the first line of a question.
func FirstLine(question string) string {
	first, _, _ := strings.Cut(question, "\n")
	return first
}

// newColumns begins a table of right-aligned columns.
func newColumns(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
}

// policyLabels returns the first column of a point's table: the policies with the numbers of their
// notes, padded to the same width.
func policyLabels(p *analysis.PointResults, notes *analysis.Notes) []string {
	labels := []string{"policy"}
	from := len(*notes)
	for i := range p.Policies {
		r := &p.Policies[i]
		label := r.Policy
		for _, m := range r.Runs {
			for _, warning := range m.Warnings {
				shown := m.LatencyAll.P999 == nil || m.LatencyOK.P99 == nil
				if warning.Kind == analysis.FewSamples && !shown {
					continue // all of the percentiles with columns have values
				}
				mark := fmt.Sprintf(" [%d]", notes.Add(from, r.Policy, warning, m.Seed))
				if !strings.Contains(label, mark) {
					label += mark
				}
			}
		}
		labels = append(labels, label)
	}
	return padded(labels)
}

// padded makes texts equally long, for a left-aligned column.
func padded(texts []string) []string {
	width := 0
	for _, t := range texts {
		width = max(width, len(t))
	}
	for i, t := range texts {
		texts[i] = fmt.Sprintf("%-*s", width, t)
	}
	return texts
}

// writePoint writes the table of one point, a row for each policy.
func writePoint(w io.Writer, p *analysis.PointResults, notes *analysis.Notes) {
	labels := policyLabels(p, notes)
	tw := newColumns(w)
	fmt.Fprintf(tw, "%s\t", labels[0])
	shown := columns(p)
	for _, k := range shown {
		fmt.Fprintf(tw, "%s\t", p.Metrics[k].Column)
	}
	fmt.Fprintln(tw)
	for i := range p.Policies {
		fmt.Fprintf(tw, "%s\t", labels[i+1])
		for _, k := range shown {
			fmt.Fprintf(tw, "%s\t", p.Metrics[k].Format.Cell(&p.Policies[i].Estimates[k]))
		}
		fmt.Fprintln(tw)
	}
	tw.Flush()
}

// columns returns the places of the metrics that the text shows.
func columns(p *analysis.PointResults) []int {
	var shown []int
	for k := range p.Metrics {
		if p.Metrics[k].Column != "" && !p.Hides(&p.Metrics[k]) {
			shown = append(shown, k)
		}
	}
	return shown
}

// writeDifferences writes the paired differences of the policies of a point from the baseline.
func writeDifferences(w io.Writer, s *analysis.Summary, p *analysis.PointResults) {
	labels := []string{"against " + s.Baseline}
	var rows []*analysis.PolicyResults
	for i := range p.Policies {
		if r := &p.Policies[i]; len(r.Differences) > 0 && len(r.Seeds) > 1 {
			rows = append(rows, r)
			labels = append(labels, r.Policy)
		}
	}
	if len(rows) == 0 {
		return
	}
	labels = padded(labels)
	tw := newColumns(w)
	fmt.Fprintf(w, "\n")
	fmt.Fprintf(tw, "%s\t", labels[0])
	var shown []*analysis.Metric
	for k := range p.Metrics {
		if metric := &p.Metrics[k]; metric.Difference != "" && !p.Hides(metric) {
			shown = append(shown, metric)
			fmt.Fprintf(tw, "%s\t", metric.Difference)
		}
	}
	fmt.Fprintln(tw)
	for i, r := range rows {
		fmt.Fprintf(tw, "%s\t", labels[i+1])
		for _, metric := range shown {
			fmt.Fprintf(tw, "%s\t", differenceOf(r, metric))
		}
		fmt.Fprintln(tw)
	}
	tw.Flush()
}

// differenceOf returns the cell of a difference.
func differenceOf(r *analysis.PolicyResults, metric *analysis.Metric) string {
	i := slices.IndexFunc(r.Differences, func(d analysis.Difference) bool {
		return d.Metric == metric.Name && d.Scope == metric.Scope
	})
	return metric.Format.DifferenceCell(&r.Differences[i])
}
