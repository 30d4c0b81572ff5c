package experiments_test

import (
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/runner"
)

// One client sees all RPCs, so with a full scan none waits while any of 100 servers is idle. They
// are 80 % busy, and all at once for some 2 % of the RPCs (Erlang's C): the mean is hardly more
// than the service time, 80 ms. Of ten drawn all are busy for some 0.8^10 = 11 % of the RPCs, which
// wait for one of them, half of a service time on the average: 80 + 0.11*40 = 84 ms and more.
func TestDistinctChoicesHaveNoCap(t *testing.T) {
	const text = `# Does a scan of a hundred differ from ten choices?
duration = "20s"
[clients.web]
rate = "1000/s"
[backends.b]
count   = 100
service = "80ms"
[policies.ten]
kind         = "least_request"
choice_count = 10
distinct     = true
[policies.scan]
kind         = "least_request"
choice_count = 100
distinct     = true
`
	var ten, scan *experiments.Measures
	keep := func(i int, m *experiments.Measures) {
		if i == 0 {
			ten = m
		} else {
			scan = m
		}
	}
	if err := runner.NewPlan(load(t, text)).Run(t.Context(), 2, keep); err != nil {
		t.Fatal(err)
	}
	if ten.Digest == scan.Digest {
		t.Error("both policies make the same run")
	}
	if mean := *scan.LatencyOK.Mean; mean < 80 || mean > 81 {
		t.Errorf("a full scan: mean %.2f ms, want 80 to 81", mean)
	}
	if mean := *ten.LatencyOK.Mean; mean < 83 {
		t.Errorf("ten of a hundred: mean %.2f ms, want more than 83", mean)
	}
}
