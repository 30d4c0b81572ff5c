package report

import (
	"fmt"
	"io"
	"strings"

	"lbsim/experiments/analysis"
	"lbsim/internal/numtext"
)

// writeFailed writes, for each policy, a row for each code and reason with which RPCs failed.
func writeFailed(w io.Writer, p *analysis.PointResults) {
	labels := []string{"policy"}
	for i := range p.Policies {
		labels = append(labels, p.Policies[i].Policy)
	}
	labels = padded(labels)
	tw := newColumns(w)
	some := false
	for i := range p.Policies {
		list, ended := analysis.FailureTotals(p.Policies[i].Runs)
		for _, f := range list {
			if !some {
				fmt.Fprintln(w)
				fmt.Fprintf(tw, "%s\tfailed\tof all\t\n", labels[0])
				some = true
			}
			share := 100 * float64(f.Count) / float64(ended)
			fmt.Fprintf(tw, "%s\t%d\t%s%%\t  %v\n", labels[i+1], f.Count,
				numtext.Number(share, 3, analysis.ShownDigits), &f)
		}
	}
	tw.Flush()
}

const (
	// strongly is the factor by which a share must differ from the mean of its group to be
	// reported.
	strongly = 2.0
	// manyAttempts is the least mean number of attempts of a backend: with few, shares differ by
	// chance.
	manyAttempts = 100
)

// writeExtremes writes the least and the greatest share of the backends of each group, for each
// policy under which they differ strongly.
func writeExtremes(w io.Writer, p *analysis.PointResults) {
	title := "\n  within a group\n"
	for i := range p.Policies {
		r := &p.Policies[i]
		for _, group := range analysis.GroupsOf(r.Runs[0]) {
			if text := extremesOf(r, p, group); text != "" {
				fmt.Fprintf(w, "%s  %s: %s\n", title, r.Policy, text)
				title = ""
			}
		}
	}
}

// extremesOf returns a line with the extreme shares of a group's backends, or "" if they are close.
func extremesOf(r *analysis.PolicyResults, p *analysis.PointResults, group string) string {
	mean := func(metric string) float64 {
		for k := range p.Metrics {
			if e := &r.Estimates[k]; e.Metric == metric && e.Scope == "group:"+group &&
				e.Mean != nil {
				return *e.Mean
			}
		}
		return -1
	}
	least, share, most := mean("share_least_ratio"), mean("share_ratio"), mean("share_most_ratio")
	if least < 0 || share <= 0 || attemptsOfEachOf(r, group) < manyAttempts ||
		least*strongly > share && most < share*strongly {
		return ""
	}
	lowest, highest := whoseOf(r, group)
	return fmt.Sprintf("%s from %.2f%%%s to %.2f%%%s of the RPCs, busy %.0f%% to %.0f%%", group,
		100*least, lowest, 100*most, highest,
		100*mean("utilization_least_ratio"), 100*mean("utilization_most_ratio"))
}

// attemptsOfEachOf returns the mean number of attempts of the backends of a group.
func attemptsOfEachOf(r *analysis.PolicyResults, group string) float64 {
	sum, n := 0.0, 0
	for _, m := range r.Runs {
		for i := range m.Backends {
			if g, _, _ := strings.Cut(m.Backends[i].Name, "/"); g == group {
				sum += float64(m.Backends[i].Attempts)
				n++
			}
		}
	}
	return sum / float64(n)
}

// whoseOf returns the backends of a group with the least and the greatest share, in brackets, or ""
// if several have it, or not the same one in all runs.
func whoseOf(r *analysis.PolicyResults, group string) (lowest, highest string) {
	for run, m := range r.Runs {
		least, most := analysis.GroupExtremes(m, group,
			func(b *analysis.BackendMeasures) *float64 { return b.Share })
		var low, high []string
		for i := range m.Backends {
			b := &m.Backends[i]
			if g, _, _ := strings.Cut(b.Name, "/"); g != group || b.CapacityS == 0 {
				continue
			}
			if *b.Share == *least {
				low = append(low, " ("+b.Name+")")
			}
			if *b.Share == *most {
				high = append(high, " ("+b.Name+")")
			}
		}
		l, h := strings.Join(low, ""), strings.Join(high, "")
		if len(low) > 1 || run > 0 && l != lowest {
			l = ""
		}
		if len(high) > 1 || run > 0 && h != highest {
			h = ""
		}
		lowest, highest = l, h
	}
	return lowest, highest
}
