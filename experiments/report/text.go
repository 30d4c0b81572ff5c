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

// WriteText writes the comparison for people: a table for each point of the sweep, warnings as
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

// writeLegend says what the columns are, and what stands in them.
func writeLegend(w io.Writer, s *analysis.Summary) {
	fmt.Fprintln(w, `
Latency in ms of all RPCs that ended after the warm-up, from the moment they were meant to start;
p99ok: of those alone that ended OK. skew: the work offered to a backend over what it could do while
it was up and listed, greatest over mean. The columns after it are per backend of each group: its
share of the RPCs, and of its workers that were busy.`)
	if slices.ContainsFunc(s.Points, func(p *analysis.PointResults) bool { return p.Failed }) {
		fmt.Fprintln(w, "never: so many RPCs failed, and one that failed was never answered. "+
			"meanok: as p99ok; a policy\ncan lower both by failing the slow RPCs, so where RPCs "+
			"failed there is no verdict on them.")
	}
	if len(s.Seeds) > 1 {
		fmt.Fprintln(w, `
Values are means over runs, ± the half-width of the 95 % confidence interval, or the least and the
most of the runs (5.90–7.32) where no mean would do. Failures are those of all runs. Against the
baseline: differences of runs with the same RPCs, and what they say of the policy. ?: cannot tell;
?+12: with 12 more seeds one could, if the difference is real. identical: the same in each run.`)
	}
}

// FirstLine returns the first line of a question: what is asked.
func FirstLine(question string) string {
	first, _, _ := strings.Cut(question, "\n")
	return first
}

// newColumns begins a table.
func newColumns(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
}

// policyLabels returns the names of a point's policies, with the numbers of the notes about them,
// padded to the same width.
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
					continue // of percentiles alone that have no column
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

// padded makes texts equally long, for a column that is not aligned to the right as all others are.
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

// writePoint writes the table of one point: a row for each policy.
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

// writeDifferences writes how the policies of a point differ from the baseline.
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
		if f := &p.Metrics[k]; f.Difference != "" && !p.Hides(f) {
			shown = append(shown, f)
			fmt.Fprintf(tw, "%s\t", f.Difference)
		}
	}
	fmt.Fprintln(tw)
	for i, r := range rows {
		fmt.Fprintf(tw, "%s\t", labels[i+1])
		for _, f := range shown {
			fmt.Fprintf(tw, "%s\t", differenceOf(r, f))
		}
		fmt.Fprintln(tw)
	}
	tw.Flush()
}

// differenceOf returns the cell of a difference.
func differenceOf(r *analysis.PolicyResults, f *analysis.Metric) string {
	i := slices.IndexFunc(r.Differences, func(d analysis.Difference) bool {
		return d.Metric == f.Name && d.Scope == f.Scope
	})
	return f.Format.DifferenceCell(&r.Differences[i])
}
