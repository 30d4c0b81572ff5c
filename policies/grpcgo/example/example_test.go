package example_test

import (
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/grpc/resolver"

	"lbsim/experiments"
	"lbsim/experiments/runner"
	"lbsim/policies"
	"lbsim/policies/grpcgo"
	"lbsim/policies/grpcgo/example"
)

// One client keeps eight RPCs on their way to a backend of weight 3 and one of weight 1 that are
// equally fast, so that of eight the first has six.
const experiment = `
duration = "21s"
warmup   = "1s"
[clients.c]
callers = 8
[backends.b]
count   = 2
workers = 8
service = "10ms"
[policies.mine]
kind = "grpc:weighted_in_flight"
`

func TestItRunsAsItIs(t *testing.T) {
	if share := shareOfTheFirst(t, experiment); share < .749 || share > .751 {
		t.Errorf("the backend of weight 3 got %.4f of the RPCs, want 0.75", share)
	}
}

// It has asked for health checks.
func TestItAvoidsTheUnhealthy(t *testing.T) {
	share := shareOfTheFirst(t, `service_config = '{"healthCheckConfig": {"serviceName": ""}}'
`+experiment+`
[failures.health]
kind     = "unhealthy"
backends = ["b/0"]
from     = "11s"
`)
	// Of 20 s it has its 0.75 for 10 s, and the other, with all eight RPCs, as many in all as both.
	if share < .374 || share > .376 {
		t.Errorf("the backend that was healthy half of the time got %.4f of the RPCs, want 0.375",
			share)
	}
}

// shareOfTheFirst runs an experiment and returns the share of the RPCs that the first backend got.
func shareOfTheFirst(t *testing.T, text string) (share float64) {
	file := filepath.Join(t.TempDir(), "x.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	weights := []uint32{3, 1}
	mine := grpcgo.Balancer{Name: example.Name,
		Endpoint: func(e resolver.Endpoint, of *policies.Endpoint) resolver.Endpoint {
			for i, a := range e.Addresses {
				e.Addresses[i] = example.WithWeight(a, weights[of.ID])
			}
			return e
		}}
	e, err := experiments.Load(file, experiments.Options{
		Kinds: experiments.Kinds{Policies: grpcgo.Kinds(mine)},
	})
	if err != nil {
		t.Fatal(err)
	}
	err = runner.NewPlan(e).Run(t.Context(), 1, func(_ int, m *experiments.Measures) {
		share = *m.Backends[0].Share
		if *m.Values["error_ratio"] != 0 {
			t.Errorf("%v errors, want none", *m.Values["error_ratio"])
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return share
}
