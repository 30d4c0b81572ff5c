package experiments_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/runner"
)

// good is a right experiment; each wrong one below changes a line of it.
const good = `# Is it right?
seed     = 1
duration = "10s"
warmup   = "1s"

[clients.web]
count   = 2
rate    = "100/s"
timeout = "1s"

[backends.fast]
count   = 2
service = "lognormal(p50=5ms, p99=16ms)"

[backends.slow]
service = "exp(mean=20ms)"

[failures.brake]
kind     = "slow"
backends = ["slow"]
from     = "2s"
to       = "4s"
factor   = 3

[policies.round_robin]
[policies.p2c]
kind         = "least_request"
choice_count = 2

[sweep]
"clients.web.rate" = ["50/s", "100/s"]
`

// write puts an experiment and its data into a folder and returns the file.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "my.toml")
}

func TestWrongFilesSayWhereAndWhatWouldBeRight(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"syntax", `seed     = 1`, `seed     =`, `my.toml:2: expected value but found`},
		{"a key that is there twice", "warmup   = \"1s\"", "seed = 2",
			`my.toml:4: key 'seed' has already been defined`},
		{"unknown key", `timeout =`, `timeuot =`,
			`my.toml:9: clients.web.timeuot: unknown key; did you mean timeout? (have count, `},
		{"unknown top-level key", `warmup   =`, `warm_up =`,
			`my.toml:4: warm_up: unknown key; did you mean warmup?`},
		{"unknown kind", `"least_request"`, `"least_reqest"`,
			`my.toml:27: policies.p2c.kind: unknown kind "least_reqest"; did you mean least_re`},
		{"misspelt policy", `[policies.round_robin]`, `[policies.round_robbin]`,
			`my.toml:25: policies.round_robbin: unknown kind "round_robbin"; did you mean round`},
		{"missing unit", `"10s"`, `"10"`, `my.toml:3: duration: missing unit in "10" (write for`},
		{"number without unit", `"10s"`, `10`, `my.toml:3: duration: missing unit in "10"`},
		{"negative duration", `"2s"`, `"-2s"`,
			`my.toml:21: failures.brake.from: must not be negative (is -2s)`},
		{"NaN for a duration", `"2s"`, `"NaN"`, `my.toml:21: failures.brake.from: `},
		{"overflowing duration", `"2s"`, `"99999999999h"`, `my.toml:21: failures.brake.from: `},
		{"negative seed", `seed     = 1`, `seed     = -1`,
			`my.toml:2: seed: must be a whole number from 0 on (is -1)`},
		{"rate of 0", `"100/s"`, `"0/s"`, `my.toml:8: clients.web.rate: must be greater than 0/s`},
		{"rate without unit", `"100/s"`, `"100"`,
			`my.toml:8: clients.web.rate: missing unit in "100"`},
		{"neither rate nor callers", `rate    = "100/s"`, ``,
			`my.toml:6: clients.web: needs a rate, such as "100/s", for an open loop, or callers`},
		{"percentiles the wrong way round", `p99=16ms`, `p99=1ms`,
			`my.toml:13: backends.fast.service: lognormal: `},
		{"unknown distribution", `exp(mean`, `expo(mean`, `my.toml:16: backends.slow.service: `},
		{"text for a number", `count   = 2
rate`, `count   = "two"
rate`, `my.toml:7: clients.web.count: must be a whole number (is the text "two")`},
		{"fraction for a count", `count   = 2
rate`, `count   = 1.5
rate`, `my.toml:7: clients.web.count: must be a whole number (is 1.5)`},
		{"no workers", `service = "exp(mean=20ms)"`, "workers = 0\nservice = \"1ms\"",
			`my.toml:16: backends.slow.workers: must be from 1 to 1000000 (is 0)`},
		{"backend out of range", `["slow"]`, `["slow/1"]`,
			`my.toml:20: failures.brake.backends: "slow/1": there is no slow/1: group slow has 1`},
		{"unknown backend group", `["slow"]`, `["slwo"]`,
			`my.toml:20: failures.brake.backends: unknown backend group "slwo"; did you mean`},
		{"failure that ends before it starts", `"4s"`, `"1s"`,
			`my.toml:22: failures.brake.to: must be later than from, 2s (is 1s)`},
		{"option out of range", `choice_count = 2`, `choice_count = 1`,
			`my.toml:28: policies.p2c.choice_count: must be >= 2 (is 1)`},
		{"warm-up as long as the run", `warmup   = "1s"`, `warmup   = "10s"`,
			`my.toml:4: warmup: must be shorter than the duration, 10s (is 10s)`},
		{"unknown baseline", `seed     = 1`, `baseline = "p2"`,
			`my.toml:2: baseline: "p2" is not among the policies that run; did you mean p2c?`},
		{"two groups of one name", `[backends.slow]`, `[backends.fast]`,
			`my.toml:15: key 'backends.fast' has already been defined`},
		{"array of tables", `[backends.slow]`, `[[backends.slow]]`, `my.toml:15: backends.slow: `},
		{"sweep over an unknown key", `"clients.web.rate" =`, `"clients.web.raet" =`,
			`my.toml:31: sweep."clients.web.raet": unknown key; did you mean rate?`},
		{"sweep over an unknown group", `"clients.web.rate" =`, `"clients.app.rate" =`,
			`my.toml:31: sweep."clients.app.rate": there is no table clients.app`},
		{"sweep with a wrong value", `"50/s"`, `"0/s"`,
			`my.toml:31: sweep."clients.web.rate": must be greater than 0/s`},
		{"sweep without values", `["50/s", "100/s"]`, `[]`,
			`my.toml:31: sweep."clients.web.rate": must list at least one value`},
		{"too many runs", `seed     = 1`, `seeds    = 25001`,
			`my.toml:30: sweep: makes 100004 runs, which are too many: at most 100000`},
		{"missing data file", `"exp(mean=20ms)"`, `"file(none.txt)"`,
			`my.toml:16: backends.slow.service: file: `},
		{"empty data file", `"exp(mean=20ms)"`, `"file(empty.txt)"`,
			`my.toml:16: backends.slow.service: file: empty.txt: `},
		{"ghz report with missing rows", `"exp(mean=20ms)"`, `"file(ghz.json)"`,
			`my.toml:16: backends.slow.service: file: ghz.json: `},
		{"no policy", `[policies.round_robin]
[policies.p2c]
kind         = "least_request"
choice_count = 2`, ``, `my.toml:1: policies: there must be a policy`},
		{"more SubConns than fit", `count   = 2
service`, `count   = 1000000
service`, `backends`},
		{"a bin for each nanosecond", `warmup   = "1s"`, `bin = "1ns"`,
			`my.toml:4: bin: makes 1000000`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(good, test.old, test.new, 1)
			if text == good {
				t.Fatalf("%q does not occur in the good experiment", test.old)
			}
			file := write(t, map[string]string{
				"my.toml": text, "empty.txt": "",
				"ghz.json": `{"count": 2, "details": [{"latency": 1000, "status": "OK"}]}`,
			})
			_, err := experiments.Load(file, experiments.Options{})
			if err == nil {
				t.Fatalf("no error, want %q", test.want)
			}
			got := strings.TrimPrefix(err.Error(), filepath.Dir(file)+"/")
			if !strings.Contains(got, test.want) || strings.Contains(got, "\n") {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestVariantsComeByPointThenPolicyThenSeed(t *testing.T) {
	e := load(t, good, "seeds=2")
	var got []string
	plan := runner.NewPlan(e)
	for i := range plan.Runs() {
		v := plan.Variant(i)
		got = append(got, v.Point[0]+" "+v.Policy+" "+string('0'+rune(v.Seed)))
	}
	want := []string{
		"50/s round_robin 1", "50/s round_robin 2", "50/s p2c 1", "50/s p2c 2",
		"100/s round_robin 1", "100/s round_robin 2", "100/s p2c 1", "100/s p2c 2",
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestCommandLineChangesTheFile(t *testing.T) {
	file := write(t, map[string]string{"my.toml": good})
	seed := uint64(7)
	e, err := experiments.Load(file, experiments.Options{
		Set:      []string{"duration=3s", "backends.fast.workers = 5", `network.delay="1ms"`},
		Policies: []string{"p2c"}, Seed: &seed,
	})
	if err != nil {
		t.Fatal(err)
	}
	plan := runner.NewPlan(e)
	if v := plan.Variant(0); plan.Runs() != 2 || v.Seed != 7 || v.Policy != "p2c" {
		t.Errorf("%d runs, %s with seed %d, want p2c with seed 7 at two rates",
			runner.NewPlan(e).Runs(), v.Policy, v.Seed)
	}
	resolved := e.Resolved()
	for _, want := range []string{
		"duration = \"3s\"\n", "workers = 5\n", "delay = \"constant(1ms)\"\n", "seed = 7\n",
		"\"clients.web.rate\" = [\"50/s\", \"100/s\"]\n",
	} {
		if !strings.Contains(resolved, want) {
			t.Errorf("resolved lacks %q:\n%s", want, resolved)
		}
	}
	if strings.Contains(resolved, "round_robin") {
		t.Errorf("resolved has a policy that was not chosen:\n%s", resolved)
	}
}

func TestCommandLineAddsAndRemovesTables(t *testing.T) {
	e := load(t, good, "sweep={}", "policies.extra={kind=\"random\"}")
	got, runs := strings.Join(e.Policies, " "), runner.NewPlan(e).Runs()
	if got != "round_robin p2c extra" || runs != 3 {
		t.Errorf("policies %s in %d runs, want round_robin p2c extra in 3", got, runs)
	}
}

func TestWrongCommandLines(t *testing.T) {
	tests := []struct {
		set      string
		policies []string
		want     string
	}{
		{set: "duration", want: "-set duration: must be key=value"},
		{set: "duraton=1s", want: "-set duraton=1s: unknown key; did you mean duration?"},
		{set: "clients.web.rate=0/s", want: "-set clients.web.rate=0/s: must be greater than 0/s"},
		{set: "clients.app.rate=1/s",
			want: "-set clients.app.rate=1/s: there is no table clients.app"},
		{policies: []string{"p3c"}, want: `-policies: FILE has no policy "p3c"; did you mean p2c?`},
	}
	file := write(t, map[string]string{"my.toml": good})
	for _, test := range tests {
		opt := experiments.Options{Policies: test.policies}
		if test.set != "" {
			opt.Set = []string{test.set}
		}
		_, err := experiments.Load(file, opt)
		got := strings.ReplaceAll(fmt.Sprint(err), file, "FILE")
		if err == nil || !strings.Contains(got, test.want) {
			t.Errorf("-set %q, -policies %v: got %s, want %s",
				test.set, test.policies, got, test.want)
		}
	}
}

func TestResolvedFileGivesTheSameRuns(t *testing.T) {
	for _, name := range experiments.ShippedNames() {
		e, err := experiments.Load(name, experiments.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text := e.Resolved()
		if strings.Contains(text, "file(") {
			continue // its data are not beside the copy
		}
		copied := write(t, map[string]string{"my.toml": text})
		again, err := experiments.Load(copied, experiments.Options{})
		if err != nil {
			t.Errorf("%s: %v in:\n%s", name, err, text)
			continue
		}
		if again.Resolved() != text {
			t.Errorf("%s: resolved again:\n%s\nbefore:\n%s", name, again.Resolved(), text)
		}
	}
}
