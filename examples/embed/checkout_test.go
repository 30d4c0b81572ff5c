// Package embed is a test of a service that runs an experiment: how do RPCs fare with the service
// config that clients get?
package embed

import (
	"embed"
	"testing"

	"lbsim/experiments"
)

//go:embed checkout.toml service_config.json
var files embed.FS

func TestServiceConfigSurvivesASlowBackend(t *testing.T) {
	const mostP99, mostErrors = 100, 0.001 // ms; a share of the RPCs
	e, err := experiments.LoadFS(files, "checkout.toml", experiments.Options{})
	if err != nil {
		t.Fatal(err)
	}
	results, err := experiments.Run(t.Context(), e, experiments.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range results.Failed {
		t.Error(run)
	}
	for _, run := range results.Runs { // one for each seed
		if p99 := run.LatencyAll.P99; p99 == nil || *p99 > mostP99 {
			t.Errorf("seed %d: the p99 is not %d ms or less", run.Seed, mostP99)
		}
		if errors := run.Values["error_ratio"]; errors == nil || *errors > mostErrors {
			t.Errorf("seed %d: the share of errors is not %v or less", run.Seed, mostErrors)
		}
	}
	if t.Failed() {
		results.WriteText(t.Output())
	}
}
