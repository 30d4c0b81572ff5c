package experiments

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteText writes the comparison for people: a table for each point of the sweep, warnings as
// footnotes.
func WriteText(w io.Writer, s *Summary) {
	fmt.Fprintf(w, "%s: %s\n", s.Name, firstLine(s.Question))
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
	var notes notes
	for runs := s.Runs; len(runs) > 0; {
		n := 1
		for n < len(runs) && maps.Equal(runs[n].Point, runs[0].Point) {
			n++
		}
		fmt.Fprintln(w)
		for _, key := range s.SweepKeys {
			fmt.Fprintf(w, "%s = %s\n", key, runs[0].Point[key])
		}
		writePoint(w, s, runs[:n], &notes)
		runs = runs[n:]
	}
	fmt.Fprintln(w, `
Latency in ms of all RPCs that ended after the warm-up, from the moment they were meant to start;
p99ok: of those alone that ended OK. skew: RPCs of the busiest backend over the mean. The columns
after it are per backend of each group: its share of the RPCs, and of its workers that were busy.`)
	if len(s.Seeds) > 1 {
		fmt.Fprintf(w, "Figures are medians over %d seeds; failures are those of all together.\n",
			len(s.Seeds))
	}
	for i, note := range notes {
		fmt.Fprintf(w, "[%d] %v\n", i+1, note)
	}
}

// note is a warning about runs of a policy.
type note struct {
	policy, warning string
	seeds           []uint64
}

// String says it in a line.
func (n *note) String() string {
	if len(n.seeds) == 1 {
		return fmt.Sprintf("%s, seed %d: %s", n.policy, n.seeds[0], n.warning)
	}
	return fmt.Sprintf("%s, %d seeds: %s", n.policy, len(n.seeds), n.warning)
}

// notes are footnotes, in the order of their numbers.
type notes []*note

// add returns the number of the note that says this.
func (n *notes) add(policy, warning string, seed uint64) (number int) {
	i := slices.IndexFunc(*n, func(o *note) bool {
		return o.policy == policy && o.warning == warning
	})
	if i < 0 {
		i = len(*n)
		*n = append(*n, &note{policy: policy, warning: warning})
	}
	if o := (*n)[i]; !slices.Contains(o.seeds, seed) {
		o.seeds = append(o.seeds, seed)
	}
	return i + 1
}

// firstLine returns the first line of a question: what is asked.
func firstLine(question string) string {
	first, _, _ := strings.Cut(question, "\n")
	return first
}

// writePoint writes the table of one point: a row for each policy.
func writePoint(w io.Writer, s *Summary, runs []*Measures, notes *notes) {
	labels := make([]string, len(s.Policies))
	of := make([][]*Measures, len(s.Policies))
	width := len("policy")
	for i, policy := range s.Policies {
		labels[i] = policy
		for _, m := range runs {
			if m.Policy != policy {
				continue
			}
			of[i] = append(of[i], m)
			for _, warning := range m.Warnings {
				mark := fmt.Sprintf(" [%d]", notes.add(policy, warning, m.Seed))
				if !strings.Contains(labels[i], mark) {
					labels[i] += mark
				}
			}
		}
		width = max(width, len(labels[i]))
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	groups := groupsOf(runs[0])
	fmt.Fprintf(tw, "%-*s\t", width, "policy")
	fmt.Fprint(tw, "RPC/s\terrors\tmean\tp50\tp90\tp99\tp99.9\tmax\tp99ok\tskew\t")
	for _, g := range groups {
		fmt.Fprintf(tw, "%s\tbusy\t", g)
	}
	fmt.Fprintln(tw)
	for i := range labels {
		if len(of[i]) > 0 {
			fmt.Fprintf(tw, "%-*s\t", width, labels[i])
			writeRow(tw, of[i], groups)
		}
	}
	tw.Flush()
	writeFailed(w, s.Policies, of)
}

func writeRow(w io.Writer, of []*Measures, groups []string) {
	column := func(format string, get func(m *Measures) *float64) {
		if v := median(of, get); v == nil {
			fmt.Fprint(w, "–\t")
		} else {
			fmt.Fprintf(w, format+"\t", *v)
		}
	}
	latency := func(get func(p *Percentiles) *float64) {
		column("%.2f", func(m *Measures) *float64 { return get(&m.LatencyAll) })
	}
	column("%.0f", func(m *Measures) *float64 { return &m.RateRPS })
	column("%.3f%%", func(m *Measures) *float64 { return percent(m.ErrorRatio) })
	latency(func(p *Percentiles) *float64 { return p.Mean })
	latency(func(p *Percentiles) *float64 { return p.P50 })
	latency(func(p *Percentiles) *float64 { return p.P90 })
	latency(func(p *Percentiles) *float64 { return p.P99 })
	latency(func(p *Percentiles) *float64 { return p.P999 })
	latency(func(p *Percentiles) *float64 { return p.Max })
	column("%.2f", func(m *Measures) *float64 { return m.LatencyOK.P99 })
	column("%.2f", func(m *Measures) *float64 { return m.Skew.MaxOverMean })
	for _, g := range groups {
		column("%.2f%%", func(m *Measures) *float64 {
			return percent(groupMean(m, g, func(b *BackendMeasures) *float64 { return b.Share }))
		})
		column("%.0f%%", func(m *Measures) *float64 {
			busy := func(b *BackendMeasures) *float64 { return &b.Utilization }
			return percent(groupMean(m, g, busy))
		})
	}
	fmt.Fprintln(w)
}

func percent(x *float64) *float64 {
	if x == nil {
		return nil
	}
	return some(100 * *x)
}

// median returns the median over runs, of two in the middle the lower; nil where none has a value.
func median(of []*Measures, get func(m *Measures) *float64) *float64 {
	var values []float64
	for _, m := range of {
		if v := get(m); v != nil {
			values = append(values, *v)
		}
	}
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	return some(values[(len(values)-1)/2])
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
