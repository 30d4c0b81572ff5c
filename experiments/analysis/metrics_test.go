package analysis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lbsim/internal/golden"
)

func TestEachMetricIsARowOfItsOwn(t *testing.T) {
	names := map[string]bool{}
	for _, f := range Metrics([]string{"a", "b"}) {
		key := f.Name + " of " + f.Scope
		if names[key] {
			t.Errorf("%s: there are two", key)
		}
		names[key] = true
		if !slices.Contains([]string{"ms", "s", "rps", "ratio"}, UnitOf(f.Name)) {
			t.Errorf("%s: unknown unit %s", key, UnitOf(f.Name))
		}
		if f.Doc == "" || (f.Column != "") && (f.Format == "") {
			t.Errorf("%s: has no doc, or a column without a format", key)
		}
		if (f.compute != nil) != (f.JSON != "") || (f.compute == nil) == (f.read == nil) {
			t.Errorf("%s: is either computed and has a key in JSON, or read from a part", key)
		}
		if f.Difference != "" && f.Better == Neither {
			t.Errorf("%s: has a column of differences, and no better", key)
		}
	}
}

// Values of a run read back from JSON, where they stand beside the other fields of the run.
func TestValuesReadBack(t *testing.T) {
	m := Measures{Policy: `"values":{}`, Values: Values{}}
	for i, f := range runMetrics {
		if f.JSON != "" {
			m.Values[f.Name] = new(float64(i))
		}
	}
	m.Values["makespan_s"] = nil
	text, err := json.Marshal(&m)
	if err != nil {
		t.Fatal(err)
	}
	var back Measures
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, m) {
		t.Errorf("%s becomes %+v (%v), want %+v", text, back, err, m)
	}
	if v := back.Value("error_ratio", "all"); v == nil || *v != 1 {
		t.Errorf("error_ratio %v, want 1", v)
	}
}

var betters = map[Direction]string{Lower: "lower", Higher: "higher"}

// metricsPage is docs/metrics.md.
func metricsPage() []byte {
	var b bytes.Buffer
	b.WriteString(page(`# Metrics

All metrics of lbsim, from the tables in 'experiments/analysis'.
The name of a metric ends in its unit. To add a metric of a run, write a row in
'run_metrics.go'. With a key in JSON it takes a new 'SchemaVersion';
'go test ./experiments/analysis -update' writes this page and the new shape.

## Of a run

Each metric has a value in every run, and over several runs a mean with a confidence interval
('points' in summary.json, rows with the seed 'all' in table.csv).
Metrics with a better direction are compared with the baseline by paired differences.

`))
	b.WriteString("| metric | scope | unit | better | in the text | in a run of summary.json | " +
		"meaning |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, f := range Metrics([]string{ofGroup}) {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s | %s | %s |\n", f.Name, f.Scope,
			UnitOf(f.Name), betters[f.Better], quoted(f.Column), quoted(f.JSON), f.Doc)
	}
	b.WriteString(page(`
A percentile has a value if at least 10 RPCs lie beyond it. RPCs that failed were never answered, so
the latency of all RPCs is 'never' for quantiles above the share of those that ended OK.

## Of a backend

Rows with the scope 'backend:NAME' in table.csv, 'backends' in summary.json.

| metric | unit | meaning |
| --- | --- | --- |
`))
	for _, f := range backendMetrics {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Name, UnitOf(f.Name), f.Doc)
	}
	b.WriteString(page(`
## Of a step of the series

Rows with the scope 'time' in table.csv; x is the beginning of the step, in seconds.
In addition there is 'inflight_count' of each backend: attempts in flight to it,
mean over the step.

| metric | unit | meaning |
| --- | --- | --- |
`))
	for _, f := range binMetrics {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Name, UnitOf(f.Name), f.Doc)
	}
	return b.Bytes()
}

// page writes code in the quotes of Markdown, which a raw string cannot have.
func page(text string) string {
	return regexp.MustCompile(`'([\w./:\- ]+)'`).ReplaceAllString(text, "`$1`")
}

func quoted(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

func TestThePageOfMetricsIsUpToDate(t *testing.T) {
	got := metricsPage()
	if want := golden.Kept(t, "../../docs/metrics.md", got); !bytes.Equal(got, want) {
		t.Errorf("docs/metrics.md is not what the tables make: go test ./experiments/analysis "+
			"-run Metrics -update\n%s", strings.TrimSpace(string(got)))
	}
}
