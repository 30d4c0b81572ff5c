package validation

import (
	"math"
	"strings"
	"testing"
	"time"

	"lbsim/models/record"
	"lbsim/policies"
	"lbsim/sim"
)

// alternating returns values of mean 10 and standard error sqrt(1/31).
func alternating() (values [Replications]float64) {
	for i := range values {
		values[i] = 9 + 2*float64(i%2)
	}
	return values
}

// Student's t by tables: with 31 degrees of freedom 2.7440 standard errors leave out 1 %, with 9
// they are 3.2498, and 2.2622 leave out 5 %.
func TestMeansHaveTIntervals(t *testing.T) {
	half := 2.7440 * math.Sqrt(1./31)
	known := 1 * 3.2498 / 2.2622
	for _, test := range []struct {
		exact  float64
		half95 float64
		holds  bool
	}{
		{10 + 0.99*half, 0, true},
		{10 + 1.01*half, 0, false},
		{10 - 0.99*half, 0, true},
		{10 - 1.01*half, 0, false},
		{10 - half - 0.99*known, 1, true},
		{10 - half - 1.01*known, 1, false},
		{10 + half + 1.01*known, 1, false},
	} {
		r := Row{Metric: "mean_T", Exact: test.exact, values: alternating()}
		if test.half95 > 0 {
			r.of.half95, r.of.runs = test.half95, 10
		}
		r.judge(0.01, nil)
		if r.Holds != test.holds || math.Abs(r.High-10-half) > 1e-3 ||
			math.Abs(10-half-r.Low) > 1e-3 || r.Estimate != 10 {
			t.Errorf("exactly %v ± %v: %+v, want it to hold: %v",
				test.exact, test.half95, r, test.holds)
		}
	}
}

// Latencies of 1 to 1000 ms, and shares that scatter with a standard error of 0.0032: 99 % are
// within 0.0087 of q, so p90 lies between 891.3 and 908.7 ms, which is 89.1 to 90.9 units.
func TestQuantilesAreBetweenOthers(t *testing.T) {
	run := latencies(t, 1000)
	for _, test := range []struct {
		exact float64
		holds bool
	}{
		{89.0, false}, {89.2, true}, {90, true}, {90.8, true}, {91.1, false},
	} {
		r := Row{Metric: "p90_T", Exact: test.exact}
		for i := range r.values {
			r.values[i] = 0.9 + 0.0176*float64(i%2*2-1)
		}
		r.judge(0.01, run)
		if r.Holds != test.holds || math.Abs(r.Estimate-90) > 0.2 {
			t.Errorf("exactly %v: %+v, want it to hold: %v", test.exact, r, test.holds)
		}
	}
}

// latencies is a record of 1 ms, 2 ms … n ms.
func latencies(t *testing.T, n int) *record.Latency {
	t.Helper()
	rec := record.NewRecorder([]int{1}, int(policies.Codes), 0, 0, time.Second)
	for i := 1; i <= n; i++ {
		rec.Begin(0)
		rec.End(sim.Time(time.Duration(i)*time.Millisecond), 0, 1, 0, 0)
	}
	return rec.Finish(sim.Time(time.Second), 0, 0).Succeeded
}

// Clopper and Pearson's intervals of 95 %, by closed forms and by tables: of none in n the upper
// end is 1-0.025^(1/n), 3 of 10 are 0.0667 to 0.6525, and none is outside of 0 to 1.
func TestCountsHaveExactIntervals(t *testing.T) {
	for _, test := range []struct {
		hits, of  uint64
		low, high float64
	}{
		{0, 5_000_000, 0, -math.Expm1(math.Log(0.025) / 5e6)},
		{0, 10, 0, 0.30850},
		{3, 10, 0.06674, 0.65245},
		{10, 10, 0.69150, 1},
	} {
		share, low, high := binomial(0.05, test.hits, test.of)
		off := func(got, want float64) bool { return math.Abs(got-want) > 1e-4*want }
		if share != float64(test.hits)/float64(test.of) || off(low, test.low) ||
			off(high, test.high) {
			t.Errorf("%d of %d: %v, %v to %v; want %v to %v",
				test.hits, test.of, share, low, high, test.low, test.high)
		}
	}
}

// What is compared is known before any run. None of these would be with another rule at hand.
func TestWhatIsCompared(t *testing.T) {
	s := New(false)
	for _, test := range []struct{ family, parameters, metric, why string }{
		{"mm1_fifo", "lambda=0.95;mu=1", "p99.9_T", ""},
		{"mm1_fifo", "lambda=0.99;mu=1", "mean_T", "needs 5.6e+08 RPCs"},
		{"retry_attempts", "attempt failure prob p=0.01;max attempts m=5;no budget",
			"prob_request_fails", ""}, // 1e-10: a count
		{"mdn_fifo", "n=50;rho=0.5;S=1 (constant)", "mean_T", ""}, // a wait of 2.5e-7
		{"md1_fifo", "lambda=0.5;S=1 (constant)", "p50_T", ""},    // an atom
		{"mg1_fifo", "rho=0.8;S=Pareto(mean 1, alpha=2.5, xm=0.6)", "mean_T", "has no variance"},
		{"mg1_fifo", "rho=0.8;S=Pareto(mean 1, alpha=2.5, xm=0.6)", "p99.9_T", "has no variance"},
		{"mg1_ps", "rho=0.8;S=Pareto(mean 1, alpha=2.5, xm=0.6)", "mean_T", ""},
		{"mg1_fifo", "rho=0.5;S=Lognormal(mean 1, sigma=2)", "mean_T", "needs 2e+10 RPCs"},
		{"mg1_fifo", "rho=0.5;S=Lognormal(mean 1, sigma=2)", "p99.9_T", "needs 2.2e+09 RPCs"},
	} {
		why := "no such value"
		for _, e := range s.Experiments {
			for _, r := range e.Rows {
				if e.Family == test.family && e.Parameters == test.parameters &&
					r.Metric == test.metric {
					why = ""
				}
			}
		}
		for _, l := range s.LeftOut {
			if l.Experiment.Family == test.family && l.Experiment.Parameters == test.parameters &&
				l.Metric == test.metric {
				why = l.Why
			}
		}
		if why != test.why && (test.why == "" || !strings.HasPrefix(why, test.why)) {
			t.Errorf("%s %s %s: %q, want %q",
				test.family, test.parameters, test.metric, why, test.why)
		}
	}
}

// A row is one of so many: each of 205 may fail with a chance of 1 % / 205.
func TestRowErrorIsBonferronis(t *testing.T) {
	s := &Suite{Experiments: []Experiment{{Rows: make([]Row, 2)}, {Rows: make([]Row, 3)}}}
	if got := s.RowError(); math.Abs(got-0.002) > 1e-12 {
		t.Errorf("got %v for five rows, want 0.002", got)
	}
}
