package experiments_test

import (
	"fmt"
	"math"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/runner"
)

// queue is an experiment with one queue of known theory: Poisson arrivals, no network.
const queue = `
seed     = 1
seeds    = 20
duration = "%ds"
warmup   = "100s"
[clients.c]
count = 3
rate  = "%g/s"
[backends.b]
workers = %d
service = "%s"
[policies.round_robin]
`

// t995 is the 99.5th percentile of Student's t with 19 degrees of freedom: an interval of this many
// standard errors of a mean over 20 seeds holds the true mean with probability 99 %.
const t995 = 2.861

// exactValue is a metric and its exact value.
type exactValue struct {
	name    string
	metric  func(m *experiments.Measures) *float64
	exactMS float64
}

func TestQueuesAgreeWithTheory(t *testing.T) {
	const rate, mean = 70.0, 0.010 // load 0.7 of one worker
	// M/M/1: the time in the system is exponential, with this mean.
	const sojournMS = 1e3 / (1/mean - rate)
	// Pollaczek–Khinchine for M/G/1: the mean wait is ρS(1+cv²) / 2(1−ρ).
	const cv = 1.5
	const pkMS = 1e3 * (mean + 0.7*mean*(1+cv*cv)/(2*0.3))
	tests := []struct {
		name, text string
		values     []exactValue
	}{
		{"M/M/1", fmt.Sprintf(queue, 1100, rate, 1, "exp(mean=10ms)"), []exactValue{
			{"mean", meanOf, sojournMS},
			{"p50", p50Of, sojournMS * math.Log(2)},
			{"p99", p99Of, sojournMS * math.Log(100)},
		}},
		{"M/M/4", fmt.Sprintf(queue, 400, 320.0, 4, "exp(mean=10ms)"), []exactValue{
			{"mean", meanOf, 1e3 * mmcMean(4, 320, mean)},
		}},
		{"M/G/1 lognormal", fmt.Sprintf(queue, 1100, rate, 1, "lognormal(mean=10ms, cv=1.5)"),
			[]exactValue{{"mean", meanOf, pkMS}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var runs []*experiments.Measures
			err := runner.NewPlan(load(t, test.text)).Run(t.Context(), 2, func(_ int,
				m *experiments.Measures) {
				runs = append(runs, m)
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range test.values {
				compare(t, f, runs)
			}
		})
	}
}

// compare tests whether the 99 % interval of a metric over the runs holds its exact value and is
// narrow enough to have a meaning.
func compare(t *testing.T, f exactValue, runs []*experiments.Measures) {
	t.Helper()
	n, sum, squares := float64(len(runs)), 0.0, 0.0
	for _, m := range runs {
		x := *f.metric(m)
		sum, squares = sum+x, squares+x*x
	}
	got := sum / n
	half := t995 * math.Sqrt((squares/n-got*got)/(n-1))
	t.Logf("%s: %.3f ± %.3f ms, exact %.3f ms", f.name, got, half, f.exactMS)
	if math.Abs(got-f.exactMS) > half {
		t.Errorf("%s: %.3f ± %.3f ms (99 %%, %g seeds), exact %.3f ms",
			f.name, got, half, n, f.exactMS)
	}
	if half > 0.04*f.exactMS {
		t.Errorf("%s: an interval of ± %.3f ms tells nothing of %.3f ms", f.name, half, f.exactMS)
	}
}

func meanOf(m *experiments.Measures) *float64 { return m.LatencyOK.Mean }
func p50Of(m *experiments.Measures) *float64  { return m.LatencyOK.P50 }
func p99Of(m *experiments.Measures) *float64  { return m.LatencyOK.P99 }

// mmcMean is the mean time in the system, in seconds, of M/M/c (Erlang C).
func mmcMean(c int, rate, mean float64) float64 {
	a := rate * mean
	rho := a / float64(c)
	b := 1.0 // Erlang B by recursion
	for k := 1; k <= c; k++ {
		b = a * b / (float64(k) + a*b)
	}
	wait := b / (1 - rho*(1-b)) // probability to wait
	return mean + wait*mean/(float64(c)*(1-rho))
}
