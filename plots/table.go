package plots

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Table is a result table, read and checked: for each run (policy, seed, swept values) the series
// that the plots know. Policies, sweep points and backends keep their order of first appearance.
type Table struct {
	kinds map[string]Kind
	sweep []string // the swept keys, as in the header
	runs  []*run
	whole []*run // all seeds of a policy together: rows whose seed is "all"
}

// run is the content of the table about one run.
type run struct {
	policy, seed string
	swept        []string // one value a swept key
	series       map[key][]Sample
	order        []key    // of the series, as they first appear
	backends     []string // scopes "backend:GROUP/INDEX" in order of first appearance
	seen         map[string]bool
	failures     []window
}

// key names one series of a run.
type key struct{ metric, scope string }

// Sample is one row of a series, or the median or mean of the rows of several seeds.
type Sample struct {
	X     float64 // 0 where the row has none
	Value float64
	Half  float64 // half-width of the confidence interval around Value; 0 for none
	line  int
}

// window is a span in which a failure acts, in seconds.
type window struct {
	name     string
	from, to float64
}

// Point is one point of the sweep (the whole table where nothing is swept): its policies, and the
// runs of each, one a seed.
type Point struct {
	table    *Table
	swept    []string // one value a swept key
	policies []string
	runs     [][]*run // by policy
	whole    []*run   // by policy: of all its seeds together; nil where the table has no such rows
}

// points groups the runs by sweep point and policy, in the table's order.
func (t *Table) points() []*Point {
	var ps []*Point
	for _, r := range t.runs {
		i := slices.IndexFunc(ps, func(p *Point) bool { return slices.Equal(p.swept, r.swept) })
		if i < 0 {
			i = len(ps)
			ps = append(ps, &Point{table: t, swept: r.swept})
		}
		p := ps[i]
		j := slices.Index(p.policies, r.policy)
		if j < 0 {
			j = len(p.policies)
			p.policies = append(p.policies, r.policy)
			p.runs = append(p.runs, nil)
		}
		p.runs[j] = append(p.runs[j], r)
	}
	for _, p := range ps {
		p.whole = make([]*run, len(p.policies))
		for _, w := range t.whole {
			if i := slices.Index(p.policies, w.policy); i >= 0 && slices.Equal(p.swept, w.swept) {
				p.whole[i] = w
			}
		}
	}
	return ps
}

// Policies returns the names of the policies, in the table's order.
func (p *Point) Policies() []string { return slices.Clone(p.policies) }

// Series returns the samples of a metric in one scope, X rising, for a policy by its place in
// Policies: the means over its seeds with their intervals, where the table has them, else the
// medians. It is empty where the table has none.
func (p *Point) Series(policy int, metric, scope string) []Sample {
	return slices.Clone(p.central(policy, metric, scope))
}

// central is Series without a copy.
func (p *Point) central(policy int, metric, scope string) []Sample {
	w := p.whole[policy]
	if w == nil {
		return p.median(policy, metric, scope)
	}
	unit := metric[strings.LastIndex(metric, "_")+1:]
	means := w.series[key{"interval_mean_" + unit, scope + ":" + metric}]
	halves := w.series[key{"interval_half_" + unit, scope + ":" + metric}]
	if len(means) == 0 {
		return p.median(policy, metric, scope)
	}
	out := slices.Clone(means)
	for i := range out { // x rises in both
		for len(halves) > 0 && halves[0].X < out[i].X {
			halves = halves[1:]
		}
		if len(halves) > 0 && halves[0].X == out[i].X {
			out[i].Half = halves[0].Value
		}
	}
	return out
}

// median gives a series of a policy: at each x the median over the seeds that have a row there.
func (p *Point) median(policy int, metric, scope string) []Sample {
	k := key{metric, scope}
	runs := p.runs[policy]
	if len(runs) == 1 {
		return runs[0].series[k]
	}
	var all []Sample
	for _, r := range runs {
		all = append(all, r.series[k]...)
	}
	slices.SortFunc(all, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Value, b.Value))
	})
	var out []Sample
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].X == all[0].X {
			n++
		}
		mid := all[0]
		mid.Value = (all[(n-1)/2].Value + all[n/2].Value) / 2
		out = append(out, mid)
		all = all[n:]
	}
	return out
}

// backends lists the point's backends that have rows of the metric, in the table's order.
func (p *Point) backends(metric string) []string {
	var list []string
	listed := map[string]bool{}
	for _, runs := range p.runs {
		for _, r := range runs {
			for _, b := range r.backends {
				if !listed[b] && len(r.series[key{metric, b}]) > 0 {
					listed[b] = true
					list = append(list, b)
				}
			}
		}
	}
	return list
}

// windows lists the point's failure windows, each once, behind the longest warm-up.
func (p *Point) windows() []window {
	warmup := window{name: "warm-up, not measured"}
	var list []window
	for _, runs := range p.runs {
		for _, r := range runs {
			for _, s := range r.series[key{"warmup_s", "run"}] {
				warmup.to = max(warmup.to, s.Value)
			}
			for _, w := range r.failures {
				if !slices.Contains(list, w) {
					list = append(list, w)
				}
			}
		}
	}
	if warmup.to > 0 {
		list = slices.Insert(list, 0, warmup)
	}
	return list
}

// seeds is the largest number of seeds that a policy of the point has.
func (p *Point) seeds() int {
	n := 0
	for _, runs := range p.runs {
		n = max(n, len(runs))
	}
	return n
}

// label makes a name from the table fit for a picture: one line of printable characters.
func label(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '·'
		}
		return r
	}, name)
}
