package experiments_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"lbsim/experiments"
)

// Two seeds of a backend that is too slow and crashes: what failed is counted by code and reason,
// each failure once, the same in all files, and the text has the sum of both seeds.
func TestFailuresAreCountedByReason(t *testing.T) {
	e := load(t, `# What fails?
seeds = 2
duration = "10s"
[clients.c]
rate = "100/s"
timeout = "100ms"
[backends.b]
service = "exp(mean=9ms)"
queue = 20
[failures.f]
kind = "crash"
backends = ["b"]
from = "7s"
[policies.pick_first]
`)
	files := results(t, e, 1)
	var s experiments.Summary
	if err := json.Unmarshal(files["summary.json"], &s); err != nil {
		t.Fatal(err)
	}
	sum := make(map[string]uint64)
	for _, m := range s.Runs {
		left := m.Codes
		delete(left, "OK")
		for _, f := range m.Failed {
			kind := f.Code + " " + f.Reason
			sum[kind] += f.Count
			left[f.Code] -= f.Count
			row := fmt.Sprintf("pick_first,%d,failed_count,failed:%s,,%d\n", m.Seed, kind, f.Count)
			if !strings.Contains(string(files["table.csv"]), row) {
				t.Errorf("table.csv lacks %q", row)
			}
		}
		for code, n := range left {
			if n != 0 {
				t.Errorf("seed %d: %d RPCs ended with %s for no reason", m.Seed, int64(n), code)
			}
		}
	}
	rows := make(map[string]string) // first word behind the policy, by the kind
	for line := range strings.Lines(string(files["summary.txt"])) {
		if w := strings.Fields(line); len(w) > 4 && w[0] == "pick_first" {
			rows[strings.Join(w[3:], " ")] = w[1]
		}
	}
	for _, kind := range []string{
		"DEADLINE_EXCEEDED in flight", "RESOURCE_EXHAUSTED backend full",
		"UNAVAILABLE connection refused", "UNAVAILABLE connection reset",
	} {
		if sum[kind] == 0 || rows[kind] != fmt.Sprint(sum[kind]) {
			t.Errorf("%s: the text has %q, the sum is %d", kind, rows[kind], sum[kind])
		}
	}
	if len(sum) != 4 {
		t.Errorf("%d kinds of failures, want 4: %v", len(sum), sum)
	}
}
