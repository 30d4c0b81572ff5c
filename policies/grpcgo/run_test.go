package grpcgo

import (
	"os"
	"path/filepath"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/report"
	"lbsim/experiments/runner"
)

// load makes an experiment of a text, with the balancers as further kinds.
func load(t testing.TB, text string, balancers ...Balancer) *experiments.Experiment {
	t.Helper()
	e, err := tryLoad(t, text, balancers...)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// tryLoad is load of a text that may be refused.
func tryLoad(t testing.TB, text string, balancers ...Balancer) (*experiments.Experiment, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return experiments.Load(file, experiments.Options{
		Kinds: experiments.Kinds{Policies: Kinds(balancers...)},
	})
}

// summary makes the runs of an experiment and sums them up.
func summary(t testing.TB, e *experiments.Experiment, jobs int) *experiments.Summary {
	t.Helper()
	plan := runner.NewPlan(e)
	r, err := report.NewWriter(t.TempDir(), plan, false, noPicture)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := plan.Run(t.Context(), jobs, r.Add); err != nil {
		t.Fatal(err)
	}
	r.Conclude()
	return &r.Summary
}

// slowNode is one backend of ten that is four times slower.
const slowNode = `
warmup   = "2s"
[clients.web]
count   = 20
rate    = "4000/s"
timeout = "1s"
[backends.fast]
count   = 9
workers = 4
service = "lognormal(p50=5ms, p99=16ms)"
load_report = "per_call"
[backends.slow]
count   = 1
workers = 4
service = "lognormal(p50=20ms, p99=64ms)"
load_report = "per_call"
[network]
delay = "200us"
`

func BenchmarkRPC(b *testing.B) {
	for _, kind := range []string{"round_robin", "grpc:round_robin", "least_request",
		"grpc:least_request_experimental", "weighted_round_robin", "grpc:weighted_round_robin",
	} {
		b.Run(kind, func(b *testing.B) {
			e := load(b, slowNode+"[policies.p]\nkind = \""+kind+"\"\n",
				Balancer{Name: "round_robin"}, Balancer{Name: "least_request_experimental"},
				Balancer{Name: "weighted_round_robin"})
			var rpcs uint64
			for b.Loop() {
				err := runner.NewPlan(e).Run(b.Context(), 1, func(_ int, m *experiments.Measures) {
					rpcs += m.RPCs.Ended
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(rpcs)/b.Elapsed().Seconds(), "RPC/s")
		})
	}
}
