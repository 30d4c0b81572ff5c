package grpcgo

import (
	"reflect"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/runner"
)

// world is one in which backends crash and connections age.
const world = `
duration = "20s"
[clients.web]
count        = 10
rate         = "200/s"
timeout      = "1s"
[backends.b]
count   = 5
workers = 4
service = "exp(mean=5ms)"
max_connection_age = "7s"
path    = ["p"]
[network]
delay = "exp(mean=200us)"
[failures.crash]
kind     = "crash"
backends = ["b/0-1"]
from     = "5s"
to       = "12s"
`

// run makes the runs of an experiment.
func run(t *testing.T, e *experiments.Experiment) []*experiments.Measures {
	t.Helper()
	var runs []*experiments.Measures
	err := runner.NewPlan(e).Run(t.Context(), 1, func(_ int,
		m *experiments.Measures) {
		runs = append(runs, m)
	})
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// A real balancer may stand inside policies of lbsim, also several of them. The real pick_first
// draws nothing, so everything comes out as with lbsim's.
func TestRealBalancersAsChildren(t *testing.T) {
	balancers := []Balancer{{Name: "pick_first"}, {Name: "round_robin"}}
	for _, policy := range []string{
		`{ kind = "outlier_detection", child = "KIND" }`,
		`{ kind = "random_subsetting", subset_size = 3, child = { kind = "KIND" } }`,
		`{ kind = "cluster_impl", child = "KIND" }`,
		`{ kind = "priority", priorities = ["p"], children = { p = { child = "KIND" } } }`,
		`{ kind = "weighted_target", targets = { p = { weight = 1, child = "KIND" } } }`,
		`{ kind = "cluster_impl", child = { kind = "random_subsetting", subset_size = 2,
			child = "KIND" } }`,
	} {
		policy = strings.Join(strings.Fields(policy), " ")
		ours := strings.ReplaceAll(policy, "KIND", "pick_first")
		real := strings.ReplaceAll(policy, "KIND", "grpc:pick_first")
		e := load(t, world+"[policies]\nours = "+ours+"\nreal = "+real+"\n", balancers...)
		runs := run(t, e)
		a, b := *runs[0], *runs[1]
		if a.RPCs.Ended < 1000 {
			t.Errorf("%s: only %d RPCs ended", policy, a.RPCs.Ended)
		}
		for _, f := range [][2]any{{a.RPCs, b.RPCs}, {a.Codes, b.Codes}, {a.Backends, b.Backends},
			{a.LatencyAll, b.LatencyAll}} {
			if !reflect.DeepEqual(f[0], f[1]) {
				t.Errorf("%s: ours %+v, real %+v", policy, f[0], f[1])
			}
		}
		if len(a.Warnings) >= len(b.Warnings) {
			t.Errorf("%s: ours warns of %v, real of %v; want another that it is not repeatable",
				policy, a.Warnings, b.Warnings)
		}
		text := e.Resolved()
		if !strings.Contains(text, `kind = "grpc:pick_first"`) {
			t.Errorf("%s: the resolved file has no real one:\n%s", policy, text)
		}
	}
}
