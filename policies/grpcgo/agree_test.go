package grpcgo

import (
	"math"
	"reflect"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/runner"
)

// Where nothing is drawn, a port and its original give the same to the last digit.
func TestPickFirstGivesTheSame(t *testing.T) {
	e := load(t, `
duration = "40s"
[clients.web]
count        = 20
rate         = "400/s"
timeout      = "1s"
idle_timeout = "5s"
[backends.b]
count   = 5
workers = 4
service = "exp(mean=5ms)"
max_connection_age = "7s"
[network]
delay = "exp(mean=200us)"
[failures.crash]
kind     = "crash"
backends = ["b/0-1"]
from     = "10s"
to       = "22s"
[failures.partition]
kind     = "blackhole"
backends = ["b/2"]
from     = "15s"
to       = "30s"
[policies.ours]
kind = "pick_first"
[policies.real]
kind = "grpc:pick_first"
`, Balancer{Name: "pick_first"})
	var runs []*experiments.Measures
	err := runner.NewPlan(e).Run(t.Context(), 2, func(_ int,
		m *experiments.Measures) {
		runs = append(runs, m)
	})
	if err != nil {
		t.Fatal(err)
	}
	ours, real := *runs[0], *runs[1]
	if ours.RPCs.Ended < 10000 || *ours.Values["error_ratio"] == 0 ||
		*ours.Values["error_ratio"] > .9 {
		t.Errorf("%d RPCs, %v errors: too little happens", ours.RPCs.Ended,
			*ours.Values["error_ratio"])
	}
	for _, f := range []func(m *experiments.Measures) any{
		func(m *experiments.Measures) any { return m.RPCs },
		func(m *experiments.Measures) any { return m.Codes },
		func(m *experiments.Measures) any { return m.LatencyOK },
		func(m *experiments.Measures) any { return m.LatencyAll },
		func(m *experiments.Measures) any { return m.Backends },
	} {
		if a, b := f(&ours), f(&real); !reflect.DeepEqual(a, b) {
			t.Errorf("ours %+v, real %+v", a, b)
		}
	}
}

// metrics are those in which a port and its original are compared.
var metrics = []struct {
	name string
	of   func(m *experiments.Measures) float64
}{
	{"p50 of OK", func(m *experiments.Measures) float64 { return *m.LatencyOK.P50 }},
	{"p90", func(m *experiments.Measures) float64 { return *m.LatencyOK.P90 }},
	{"p99", func(m *experiments.Measures) float64 { return *m.LatencyOK.P99 }},
	{"mean of OK", func(m *experiments.Measures) float64 { return *m.LatencyOK.Mean }},
	{"share of errors", func(m *experiments.Measures) float64 { return *m.Values["error_ratio"] }},
	{"skew", func(m *experiments.Measures) float64 { return *m.Skew.MaxOverMean }},
}

// apart returns by how many standard errors a metric differs between runs with the same seeds.
func apart(a, b []*experiments.Measures, of func(m *experiments.Measures) float64) float64 {
	var sum, squares float64
	n := float64(len(a))
	for i := range a {
		d := of(b[i]) - of(a[i])
		sum += d
		squares += d * d
	}
	if sum == 0 {
		return 0
	}
	mean := sum / n
	return mean / math.Sqrt((squares/n-mean*mean)/(n-1))
}

// A port and its original give the same percentiles, as far as chance allows: with seeds 1 to 16
// the means of a metric may differ by 7 standard errors. Draws are Go's own, new each time; by
// chance alone one of the eighteen metrics is as far apart in one of 13 000 runs of the test (t of
// 15 degrees of freedom). Random instead of round_robin shifts the p50 by some 11.
func TestPercentilesAgree(t *testing.T) {
	const most = 7
	e := load(t, "duration = \"4s\"\nseeds = 16\n"+slowNode+`
[policies.round_robin]
[policies.real_round_robin]
kind = "grpc:round_robin"
[policies.least_request]
[policies.real_least_request]
kind = "grpc:least_request_experimental"
[policies.weighted_round_robin]
blackout_period      = "500ms"
weight_update_period = "100ms"
[policies.real_weighted_round_robin]
kind   = "grpc:weighted_round_robin"
config = '{"blackoutPeriod": "0.5s", "weightUpdatePeriod": "0.1s"}'
[policies.random]
`, Balancer{Name: "round_robin"}, Balancer{Name: "least_request_experimental"},
		Balancer{Name: "weighted_round_robin"})
	runs := make(map[string][]*experiments.Measures)
	err := runner.NewPlan(e).Run(t.Context(), 2, func(_ int, m *experiments.Measures) {
		runs[m.Policy] = append(runs[m.Policy], m)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, policy := range []string{"round_robin", "least_request", "weighted_round_robin"} {
		for _, f := range metrics {
			if d := apart(runs[policy], runs["real_"+policy], f.of); math.Abs(d) > most {
				t.Errorf("%s: %s: real and port are %.1f standard errors apart, at most %d",
					policy, f.name, d, most)
			}
		}
	}
	if d := apart(runs["round_robin"], runs["random"], metrics[0].of); math.Abs(d) < most {
		t.Errorf("random is only %.1f standard errors from round_robin: the test sees nothing", d)
	}
}
