package experiments_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"lbsim/experiments"
)

// steady is an experiment of which some seeds give a good interval.
const steady = `# How precise?
seeds    = 3
duration = "5s"
warmup   = "1s"
[clients.c]
rate = "100/s"
[backends.b]
count   = 3
service = "exp(mean=10ms)"
[policies.round_robin]
[policies.random]
`

// Runs are added until the interval is tight enough, no more; which does not depend on jobs.
func TestPrecision(t *testing.T) {
	set := []string{"precision=mean ± 5%", `sweep={"clients.c.rate"=["20/s", "200/s"]}`}
	files := results(t, load(t, steady, set...), 1)
	for name, content := range results(t, load(t, steady, set...), 8) {
		if !bytes.Equal(content, files[name]) {
			t.Errorf("%s differs between 1 and 8 jobs", name)
		}
	}
	var s experiments.Summary
	if err := json.Unmarshal(files["summary.json"], &s); err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Points {
		wide := false
		for i := range p.Policies {
			r := &p.Policies[i]
			for _, f := range r.Estimates {
				if f.Metric != "latency_mean_ms" || f.Scope != "all" {
					continue
				}
				t.Logf("%v %s: %.3f ±%.3f of %d runs", p.Point, r.Policy, *f.Mean, *f.Half, f.Runs)
				wide = wide || *f.Half > 0.05**f.Mean
				if len(r.Seeds) != len(p.Policies[0].Seeds) || len(r.Seeds) < 4 {
					t.Errorf("%v: %d seeds of %s", p.Point, len(r.Seeds), r.Policy)
				}
			}
		}
		if wide || !*p.Precise {
			t.Errorf("%v: too wide, precise: %v", p.Point, *p.Precise)
		}
	}
	if text := string(files["summary.txt"]); !strings.Contains(text, "mean ± 5% is reached of") {
		t.Errorf("the text does not say that it is reached:\n%s", text)
	}
}

func TestPrecisionOutOfReachIsSaid(t *testing.T) {
	files := results(t, load(t, steady, "precision=p99 ± 1us", "max_seeds=7"), 2)
	want := "p99 ± 1us is not reached with 3 seeds: of round_robin it has no value in 3 of 3 runs"
	text := string(files["summary.txt"])
	if !strings.Contains(text, want) || !strings.Contains(text, "p99 needs 1000") {
		t.Errorf("the text does not say %q, and why:\n%s", want, text)
	}
	files = results(t, load(t, steady, "precision=mean ± 1us", "max_seeds=7"), 2)
	want = "mean ± 1us is not reached with 7 seeds: of round_robin it is "
	if text := string(files["summary.txt"]); !strings.Contains(text, want) {
		t.Errorf("the text does not say %q:\n%s", want, text)
	}
}

func TestWrongPrecisions(t *testing.T) {
	for _, row := range []struct{ set, want string }{
		{"precision=p98 ± 2%", `unknown metric "p98"; did you mean p`},
		{"precision=p99", `must be a metric ± a part or a number, such as "p99 ± 2%" (is "p99")`},
		{"precision=p99 ± 2", `"2" is no width: write a part, such as 2%, or a value above 0`},
		{"precision=mean ± 0%", `"0%" is no width`},
		{"seeds=1", "precision: needs runs with several seeds, which give an interval: "},
		{"max_seeds=2", "must be at least seeds, 3 (is 2)"},
	} {
		file := write(t, map[string]string{"my.toml": "precision = \"mean ± 5%\"\n" + steady})
		_, err := experiments.Load(file, experiments.Options{Set: []string{row.set}})
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v, want %q", row.set, err, row.want)
		}
	}
}
