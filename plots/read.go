package plots

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// metricsOf returns what the column x holds, by metric, for the metrics that kinds draw. Rows of
// other metrics are checked and then left aside.
func metricsOf(kinds map[string]Kind) (map[string]X, error) {
	all := map[string]X{"warmup_s": NoX, "failure_s": Seconds} // of every picture over time
	of := make(map[string]string)                              // the first kind that reads each
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		for metric, x := range kinds[name].Metrics {
			if has, known := all[metric]; known && has != x {
				return nil, fmt.Errorf("plot %s: x of %s is not what it is in %s",
					name, metric, cmp.Or(of[metric], "every other"))
			}
			all[metric], of[metric] = x, cmp.Or(of[metric], name)
		}
	}
	return all, nil
}

// ruleOf returns what the x column of a metric must hold, and whether the plots draw the metric. In
// rows of all seeds they draw each interval and difference; x is a quantile in those of curves.
func (b *builder) ruleOf(metric, scope, seed string) (rule X, known bool) {
	if seed != allSeeds {
		rule, known = b.metrics[metric]
		return rule, known
	}
	interval := strings.HasPrefix(metric, "interval_mean_") ||
		strings.HasPrefix(metric, "interval_half_")
	if interval && strings.HasSuffix(scope, ":latency_ms") {
		return Quantile, true
	}
	return NoX, interval || strings.HasPrefix(metric, "difference_")
}

// allSeeds is the seed of a row about all runs of a policy.
const allSeeds = "all"

const (
	headerWords = "policy,seed,[swept keys…,]metric,scope,x,value"

	// A value beyond it is a slip of whoever wrote the table, and no axis could show it.
	maxMagnitude = 1e15
	// What is nearer to zero than this counts as zero: an axis would need too many decimals.
	minMagnitude = 1e-12
)

// Read reads a table in long form, for some kinds of plots: [Catalog], or more. An error of the
// table begins with "table.csv:LINE:".
func Read(r io.Reader, kinds map[string]Kind) (*Table, error) {
	metrics, err := metricsOf(kinds)
	if err != nil {
		return nil, err
	}
	rows := csv.NewReader(r)
	rows.FieldsPerRecord = -1 // counted in add, for an error in plain words
	rows.ReuseRecord = true
	header, err := rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("table.csv:1: the file is empty, want the header %s", headerWords)
	}
	if err != nil {
		return nil, inWords(err)
	}
	t, err := newTable(header, kinds)
	if err != nil {
		return nil, fmt.Errorf("table.csv:1: %w", err)
	}
	b := builder{
		t: t, metrics: metrics, width: len(header), runs: map[string]*run{},
		words: map[string]string{},
	}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			if err := t.sort(); err != nil {
				return nil, err
			}
			return t, nil
		}
		if err != nil {
			return nil, inWords(err)
		}
		line, _ := rows.FieldPos(0)
		if err := b.add(row, line); err != nil {
			return nil, fmt.Errorf("table.csv:%d: %w", line, err)
		}
	}
}

// newTable checks the header and remembers the swept keys.
func newTable(header []string, kinds map[string]Kind) (*Table, error) {
	n := len(header)
	if n < 6 || !slices.Equal(header[:2], []string{"policy", "seed"}) ||
		!slices.Equal(header[n-4:], []string{"metric", "scope", "x", "value"}) {
		return nil, fmt.Errorf("header is %q, want %s", strings.Join(header, ","), headerWords)
	}
	t := &Table{kinds: kinds, sweep: slices.Clone(header[2 : n-4])}
	for i, k := range t.sweep {
		if k == "" {
			return nil, fmt.Errorf("header: column %d has no name", i+3)
		}
		if slices.Contains(t.sweep[:i], k) {
			return nil, fmt.Errorf("header: swept key %q stands there twice", k)
		}
	}
	return t, nil
}

// inWords turns an error of the CSV reader into one that points at the line.
func inWords(err error) error {
	var p *csv.ParseError
	if !errors.As(err, &p) {
		return fmt.Errorf("table.csv: %w", err)
	}
	what := p.Err.Error()
	switch {
	case errors.Is(p.Err, csv.ErrQuote):
		what = `a quoted field has an extra or missing "`
	case errors.Is(p.Err, csv.ErrBareQuote):
		what = `a " stands in a field that is not quoted`
	}
	return fmt.Errorf("table.csv:%d: %s", p.Line, what)
}

// builder gathers rows into runs.
type builder struct {
	t       *Table
	metrics map[string]X
	width   int
	runs    map[string]*run
	words   map[string]string // one kept copy of each name: a row's text is not kept alive
}

func (b *builder) add(row []string, line int) error {
	if len(row) != b.width {
		return fmt.Errorf("the row has %d fields, the header has %d", len(row), b.width)
	}
	lead, metric, scope := row[:b.width-4], row[b.width-4], row[b.width-3]
	switch {
	case lead[0] == "":
		return errors.New("policy is empty")
	case metric == "":
		return errors.New("metric is empty")
	}
	value, err := valueOf(metric, row[b.width-1])
	if err != nil {
		return err
	}
	x := 0.0
	if text := row[b.width-2]; text != "" {
		if x, err = number("x", text); err != nil {
			return err
		}
	}
	rule, known := b.ruleOf(metric, scope, lead[1])
	if !known || math.IsInf(value, 1) && metric != "p99_ms" { // no axis reaches so far
		return nil
	}
	if err := rule.check(row[b.width-2], x); err != nil {
		return fmt.Errorf("%s: %w", metric, err)
	}
	if value < 0 && !strings.HasPrefix(metric, "difference_") {
		return fmt.Errorf("%s: value is %v, want none below 0", metric, value)
	}
	r := b.run(lead)
	if name, ok := strings.CutPrefix(scope, "failure:"); ok && metric == "failure_s" {
		r.failures = append(r.failures, window{b.keep(name), x, value})
		return nil
	}
	k := key{b.keep(metric), b.keep(scope)}
	if strings.HasPrefix(k.scope, "backend:") && !r.seen[k.scope] {
		r.seen[k.scope] = true
		r.backends = append(r.backends, k.scope)
	}
	if r.series[k] == nil {
		r.order = append(r.order, k)
	}
	r.series[k] = append(r.series[k], Sample{X: x, Value: value, line: line})
	return nil
}

// run finds the run that a row belongs to, by the fields before its metric.
func (b *builder) run(lead []string) *run {
	name := strings.Join(lead, "\x00")
	r := b.runs[name]
	if r == nil {
		own := make([]string, len(lead))
		for i, word := range lead {
			own[i] = b.keep(word)
		}
		r = &run{
			policy: own[0], seed: own[1], swept: own[2:],
			series: map[key][]Sample{}, seen: map[string]bool{},
		}
		b.runs[name] = r
		if r.seed == allSeeds {
			b.t.whole = append(b.t.whole, r)
		} else {
			b.t.runs = append(b.t.runs, r)
		}
	}
	return r
}

func (b *builder) keep(word string) string {
	kept, ok := b.words[word]
	if !ok {
		kept = strings.Clone(word)
		b.words[kept] = kept
	}
	return kept
}

// valueOf reads the value of a metric. A latency may be inf: the latency of an RPC that was never
// answered.
func valueOf(metric, text string) (float64, error) {
	if text == "inf" && strings.HasSuffix(metric, "_ms") {
		return math.Inf(1), nil
	}
	return number("value", text)
}

// number reads a plain decimal number; the forms that strconv takes beyond it are slips here.
func number(column, text string) (float64, error) {
	if strings.ContainsAny(text, "xX_pP") {
		return 0, fmt.Errorf("%s: %q is not a plain decimal number", column, text)
	}
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, fmt.Errorf("%s: %q is not a number", column, text)
	case math.IsNaN(v):
		return 0, fmt.Errorf("%s: %q is not a number, leave the row out instead", column, text)
	case err != nil || math.Abs(v) > maxMagnitude:
		return 0, fmt.Errorf("%s: %q is beyond ±%g", column, text, maxMagnitude)
	case math.Abs(v) < minMagnitude:
		return 0, nil
	}
	return v, nil
}

func (r X) check(text string, x float64) error {
	switch {
	case r == NoX && text != "":
		return fmt.Errorf("x is %q, want it empty", text)
	case r == Quantile && (text == "" || x < 0 || x >= 1):
		return fmt.Errorf("x is %q, want a quantile, 0 <= x < 1", text)
	case r == Seconds && text == "":
		return errors.New("x is empty, want a time in seconds")
	}
	return nil
}

// sort puts each series in rising x, and refuses two values at one x.
func (t *Table) sort() error {
	var twice []Sample
	for _, r := range append(slices.Clip(t.runs), t.whole...) {
		for _, s := range r.series {
			slices.SortStableFunc(s, func(a, b Sample) int { return cmp.Compare(a.X, b.X) })
			for i := 1; i < len(s); i++ {
				if s[i].X == s[i-1].X {
					twice = append(twice, s[i-1], s[i])
				}
			}
		}
	}
	if len(twice) == 0 {
		return nil
	}
	// Series come out of a map: the least line makes the error the same each time.
	first := slices.MinFunc(twice, func(a, b Sample) int { return cmp.Compare(a.line, b.line) })
	second := twice[slices.Index(twice, first)+1]
	return fmt.Errorf("table.csv:%d: same run, metric, scope and x as in line %d",
		second.line, first.line)
}
