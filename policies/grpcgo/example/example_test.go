package example_test

import (
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/grpc/resolver"

	"lbsim/experiments"
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
	file := filepath.Join(t.TempDir(), "weights.toml")
	if err := os.WriteFile(file, []byte(experiment), 0o600); err != nil {
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
	e, err := experiments.Load(file, experiments.Options{Kinds: grpcgo.Kinds(mine)})
	if err != nil {
		t.Fatal(err)
	}
	err = e.Run(t.Context(), 1, func(_ int, m *experiments.Measures) {
		if share := *m.Backends[0].Share; share < .749 || share > .751 || *m.ErrorRatio != 0 {
			t.Errorf("the backend of weight 3 got %.4f of the RPCs, want 0.75; %v errors",
				share, *m.ErrorRatio)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
