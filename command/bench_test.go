package command

import (
	"math"
	"os"
	"strings"
	"testing"
)

// Nothing is said of how fast it is, only that each workload runs, and gives what it gave before.
func TestBenchRunsEachWorkload(t *testing.T) {
	code, stdout, stderr := call(t, "bench", "-rpcs", "1000", "-n", "10,20", "-cpuprofile", "p")
	if code != exitDone {
		t.Fatal(stderr)
	}
	if file, err := os.Stat("p"); err != nil || file.Size() == 0 {
		t.Errorf("no profile (%v)", err)
	}
	rows := strings.Split(strings.TrimSpace(stdout), "\n")[1:]
	if want := 2 * len(workloads); len(rows) != want {
		t.Fatalf("%d rows, want %d:\n%s", len(rows), want, stdout)
	}
	digests := make(map[string]string)
	for _, row := range rows {
		f := strings.Fields(row)
		if f[2] != "1000" {
			t.Errorf("%s with N = %s: %s RPCs have ended, want 1000", f[0], f[1], f[2])
		}
		digests[f[0]+f[1]] = f[len(f)-1]
	}
	// Retries that are never needed change nothing, and deadlines that are never reached.
	if digests["w210"] != digests["w2-bare10"] || digests["w210"] == digests["w220"] {
		t.Errorf("digests %v", digests)
	}
}

func TestBenchRefuses(t *testing.T) {
	for _, row := range []struct{ args, wrong string }{
		{"bench w3", `unknown workload "w3"; did you mean w?`},
		{"bench -rpcs 999", "-rpcs must be at least 1000 (is 999)"},
		{"bench -n 10,x", "must be whole numbers from 1 on, such as 10,100 (is 10,x)"},
		{"bench -cpuprofile /dev/null/p", "-cpuprofile: open /dev/null/p"},
		{"bench -n 0", "must be whole numbers from 1 on"},
	} {
		code, _, stderr := call(t, strings.Fields(row.args)...)
		if code != exitUsage || !strings.Contains(stderr, row.wrong) {
			t.Errorf("%s: exit code %d, stderr %q, want %q", row.args, code, stderr, row.wrong)
		}
	}
}

// A workload of which RPCs fail has percentiles that are never reached.
func TestLatencyText(t *testing.T) {
	for want, ms := range map[string]*float64{
		"–": nil, "never": new(math.Inf(1)), "1.50": new(1.5),
	} {
		if got := latencyText(ms); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
