package models_test

import (
	"testing"
	"time"

	"lbsim/models"
	"lbsim/policies"
)

// Every RPC gives up after 3 ms, its work takes 5 ms: all of it is for nobody, unless the backend
// stops when it hears so.
func TestWorkForNobodyIsCounted(t *testing.T) {
	for _, stops := range []bool{false, true} {
		cfg := oneCaller(t, policies.PickFirst{}, 1, 10)
		cfg.Duration = time.Second
		cfg.Clients[0].Timeout = 3 * time.Millisecond
		cfg.Backends[0].Service = parse(t, "5ms")
		cfg.Backends[0].OnCancel = pick(stops, models.StopCancelled, models.FinishCancelled)
		w := models.New(cfg)
		for !w.Run(1000) {
		}
		b := w.Finish().Backends[0]
		want := uint64(10)
		if stops {
			want = 0
		}
		if b.Attempts != 10 || b.Wasted != want {
			t.Errorf("stops: %v: %d of %d attempts wasted, want %d of 10",
				stops, b.Wasted, b.Attempts, want)
		}
	}
}
