package dist

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestParseCanonical(t *testing.T) {
	rows := []struct{ name, text, want string }{
		{"bare duration", "10ms", "constant(10ms)"},
		{"bare zero needs no unit", " 0 ", "constant(0s)"},
		{"micro is written in ASCII", "200µs", "constant(200us)"},
		{"short name", "exp(mean=10ms)", "exponential(mean=10ms)"},
		{"any order", "lognormal(p99=40ms, p50=5ms)", "lognormal(p50=5ms, p99=40ms)"},
		{"any order, not percentiles", "gamma(mean=10ms,shape=2)", "gamma(shape=2, mean=10ms)"},
		{"spaces are free", "\t weibull ( shape = 0.50 ,\n scale=10ms ) ",
			"weibull(shape=0.5, scale=10ms)"},
		{"fractional percentile", "exp(p99.90=1s)", "exponential(p99.9=1s)"},
		{"same number, same text", "erlang(k=3.0, mean=0.010s)", "erlang(k=3, mean=10ms)"},
		{"mixture", "mix(0.9 1ms,0.1 exp(mean=80ms))",
			"mixture(0.9 constant(1ms), 0.1 exponential(mean=80ms))"},
		{"mixture in a mixture", "mix(.5 mix(0.25 1s, 0.75 2s), .5 3s)",
			"mixture(0.5 mixture(0.25 constant(1s), 0.75 constant(2s)), 0.5 constant(3s))"},
		{"a third need not be exact", "mix(0.3333333333 1s, 0.6666666667 2s)",
			"mixture(0.3333333333 constant(1s), 0.6666666667 constant(2s))"},
		{"file", "file( latencies.csv )", "file(latencies.csv)"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			d := mustParse(t, r.text)
			if d.String() != r.want {
				t.Errorf("Parse(%q) = %s, want %s", r.text, d, r.want)
			}
			if again := mustParse(t, d.String()); !reflect.DeepEqual(again, d) {
				t.Errorf("%s does not parse back to an equal distribution", d)
			}
		})
	}
}

// parseErrors has the text and how its error begins.
var parseErrors = []struct{ text, want string }{
	// kinds and parentheses
	{"", `no distribution (write e.g. 10ms or exponential(mean=10ms))`},
	{"lognormall(p50=5ms)", `unknown distribution "lognormall"; did you mean lognormal? (have ` +
		strings.Join(slices.Sorted(maps.Keys(Catalog)), ", ") + ")"},
	{"(10ms)", `unknown distribution "" (have constant, `},
	{"exp", `exponential: no parameters (write exponential(mean=10ms) or exponential(p99=40ms))`},
	{"exp(mean=10ms", `exponential: missing ) in "exp(mean=10ms"`},
	{"exp(mean=10ms))", `exponential: unexpected ")" after the closing )`},
	{"exp(mean=10ms) 5", `exponential: unexpected "5" after the closing )`},
	{"exp()", `exponential: missing parameter (write exponential(mean=10ms) or `},
	{"exp(mean=10ms,)", `exponential: missing parameter`},
	{strings.Repeat("x", 5000), `a distribution's text has at most 4096 bytes (has 5000)`},

	// durations
	{"10", `constant: missing unit in "10" (write for instance 10ms)`},
	{"constant()", `constant: missing duration (write e.g. 10ms)`},
	{"constant(value=10ms)", `constant: "value=10ms" is no duration ` +
		`(write for instance 200us, 10ms or 1.5s)`},
	{"-10ms", `constant: must not be negative (is -10ms)`},
	{"99999999h", `constant: "99999999h" is too long: at most 2562047h47m16.854775807s`},
	{"10 ms", `constant: "10 ms" is no duration: write no spaces, such as 10ms`},
	{"exp(mean=10)", `exponential: mean: missing unit in "10" (write for instance 10ms)`},
	{"exp(mean=)", `exponential: mean: missing duration (write e.g. 10ms)`},
	{"exp(mean=NaN)", `exponential: mean: "NaN" is no duration ` +
		`(write for instance 200us, 10ms or 1.5s)`},
	{"exp(mean=Inf)", `exponential: mean: "Inf" is no duration ` +
		`(write for instance 200us, 10ms or 1.5s)`},
	{"exp(mean=-1ms)", `exponential: mean: must not be negative (is -1ms)`},
	{"exp(mean=0.1ns)", `exponential: mean: must be at least 1ns (is 0.1ns)`},
	{"exp(p99=0s)", `exponential: p99: must be at least 1ns (is 0s)`},

	// names
	{"exp(10ms)", `exponential: parameter "10ms" has no name (write exponential(mean=10ms) or `},
	{"exp(men=10ms)", `exponential: unknown parameter "men"; did you mean mean? (have mean, p99)`},
	{"gamma(shape=2, p99=1s)", `gamma: unknown parameter "p99"`},
	{"exp(mean=10ms, mean=1ms)", `exponential: "mean" is given twice`},
	{"lognormal(p50=1ms, p50.0=2ms)", `lognormal: "p50" is given twice`},
	{"lognormal(mean=1ms, p99=2ms)", `lognormal: cannot be given by mean and p99 (write `},
	{"lognormal(p50=1ms, p90=2ms, p99=3ms)", `lognormal: cannot be given by p50 and p90 and p99`},
	{"lognormal(p99=1ms)", `lognormal: cannot be given by p99 (write lognormal(p50=5ms, p99=40ms)`},
	{"exp(p100=1ms)", `exponential: "p100": a percentile lies between p0 and p100`},
	{"exp(p0=1ms)", `exponential: "p0": a percentile lies between p0 and p100`},
	{"exp(p=1ms)", `exponential: unknown parameter "p"`},
	{"exp(p9.9.9=1ms)", `exponential: unknown parameter "p9.9.9"`},

	// numbers
	{"lognormal(mean=1ms, sigma=5ms)", `lognormal: sigma: "5ms" is not a finite number`},
	{"lognormal(mean=1ms, sigma=)", `lognormal: sigma: missing number (write e.g. 0.5)`},
	{"lognormal(mean=1ms, sigma=NaN)", `lognormal: sigma: "NaN" is not a finite number`},
	{"lognormal(mean=1ms, sigma=1e999)", `lognormal: sigma: "1e999" is not a finite number`},
	{"lognormal(mean=1ms, sigma=-0.5)", `lognormal: sigma must not be negative (is -0.5)`},
	{"lognormal(mean=1ms, sigma=21)", `lognormal: sigma must be from 0 to 20 (is 21)`},
	{"gamma(shape=0, mean=1ms)", `gamma: shape must be from 0.01 to 10000 (is 0)`},
	{"erlang(k=2.5, mean=1ms)", `erlang: k must be a whole number (is 2.5)`},
	{"erlang(k=0, mean=1ms)", `erlang: k must be from 1 to 10000 (is 0)`},
	{"pareto(alpha=1, mean=1ms)",
		`pareto: alpha must be greater than 1 for a mean to exist (is 1)`},

	// pairs
	{"lognormal(p50=5ms, p99=3ms)", `lognormal: p99 (3ms) must be greater than p50 (5ms)`},
	{"lognormal(p99=5ms, p50=5ms)", `lognormal: p99 (5ms) must be greater than p50 (5ms)`},
	{"uniform(min=3ms, max=1ms)", `uniform: max (1ms) must be greater than min (3ms)`},
	{"weibull(p50=5ms, p99=5.0001ms)",
		`weibull: p50=5ms and p99=5.0001ms make shape 94700, which must be from 0.05 to 1000`},

	// mixtures
	{"mix()", `mixture: part 1: missing (write a weight and a distribution, e.g. 0.9 10ms)`},
	{"mix(10ms)", `mixture: part 1: "10ms" is not a weight (write e.g. 0.9 10ms)`},
	{"mix(exp(mean=1s))", `mixture: part 1: "exp(mean=1s)" is not a weight`},
	{"mix(0.5)", `mixture: part 1: no distribution after the weight 0.5`},
	{"mix(0.5 1s, -0.5 2s)",
		`mixture: part 2: a weight must be greater than 0 and at most 1 (is -0.5)`},
	{"mix(NaN 1s)", `mixture: part 1: a weight must be greater than 0 and at most 1 (is NaN)`},
	{"mix(0.9 1s, 0.2 2s)", `mixture: the weights sum to 1.1, not 1`},
	{"mix(0.9 1s, 0.1 exp(mean=10))", `mixture: part 2: exponential: mean: missing unit in "10"`},
	{"mix(1 mix(1 mix(1 mix(1 mix(1 1s)))))",
		strings.Repeat("mixture: part 1: ", 5) + `distributions are nested more than 4 deep`},
}

func TestParseErrors(t *testing.T) {
	for _, r := range parseErrors {
		d, err := Parse(r.text, testdata)
		if err == nil || !strings.HasPrefix(err.Error(), r.want) {
			t.Errorf("Parse(%q)\n got %v, %v\nwant %s", r.text, d, err, r.want)
		} else if d != nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("Parse(%q) = %v with the error %q", r.text, d, err)
		}
	}
}

func TestFileErrors(t *testing.T) {
	open := func(name string) ([]byte, error) {
		if name == "gone" {
			return nil, errors.New("open gone: no such file")
		}
		return []byte(name), nil // the name is the content
	}
	rows := []struct {
		name, text string
		open       func(string) ([]byte, error)
		want       string
	}{
		{"no opener", "file(a.csv)", nil, `file: no file can be read here ("a.csv")`},
		{"no name", "file()", open, `file: no file name (write e.g. file(latencies.csv))`},
		{"a line break in the name", "file(a\nb)", open, `file: "a\nb" is no file name`},
		{"cannot be opened", "file(gone)", open, `file: open gone: no such file`},
		{"comments only", "file(#)", open, `file: #: no durations (write one a line, e.g. 3.2ms)`},
		{"no unit", "file(12.5)", open,
			`file: 12.5:1: missing unit in "12.5" (write for instance 12.5ms)`},
		{"no duration", "file(latency)", open, `file: latency:1: "latency" is no duration`},
		{"negative", "file(-3ms)", open, `file: -3ms:1: must not be negative (is -3ms)`},
		{"zero", "file(0s)", open, `file: 0s:1: must be at least 1ns (is 0s)`},
		{"broken JSON", "file({)", open, `file: {: not a ghz report: unexpected end of JSON input`},
		{"JSON of something else", "file({})", open,
			`file: {}: not a ghz report: it needs count and details (for others write one`},
		{"a JSON list", "file([1])", open, `file: [1]: not a ghz report: json: cannot unmarshal`},
		{"rows are missing", `file({"count":2,"details":[{"latency":5,"status":"OK"}]})`, open,
			`file: {"count":2,"details":[{"latency":5,"status":"OK"}]}: ghz report says ` +
				`count 2 but has 1 detail rows: what is missing may be the slowest`},
		{"no latency", `file({"count":1,"details":[{"status":"OK"}]})`, open,
			`file: {"count":1,"details":[{"status":"OK"}]}: details[0]: an OK call must have`},
		{"none OK", `file({"count":1,"details":[{"latency":5,"status":"Canceled"}]})`, open,
			`file: {"count":1,"details":[{"latency":5,"status":"Canceled"}]}: none of the 1 calls`},
		{"a real report that lost rows", "file(sayhello-report1.json)", testdata,
			`file: sayhello-report1.json: ghz report says count 200 but has 193 detail rows`},
	}
	for _, r := range rows {
		_, err := Parse(r.text, r.open)
		if err == nil || !strings.HasPrefix(err.Error(), r.want) {
			t.Errorf("%s: got %v\nwant %s", r.name, err, r.want)
		}
	}
}
