package models_test

import (
	"math"
	"testing"

	"lbsim/models"
	"lbsim/options"
	"lbsim/policies"
)

// Gaps that no length of time can hold never end. (What takes too long to serve is in slow.txt.)
func TestRatesNextToNothing(t *testing.T) {
	for _, rate := range []options.Rate{1e-9, 1e-12, 1e-290} {
		for _, even := range []bool{false, true} {
			cfg := oneCaller(t, policies.PickFirst{}, 1, 0)
			cfg.Clients[0] = models.ClientGroup{Name: "c", Count: 2, Rate: rate,
				Arrivals: pick(even, models.EvenArrivals, models.PoissonArrivals)}
			run, _ := run(cfg, math.MaxInt)
			// Even arrivals begin with one at the start; the next is after the end of the run.
			if want := map[bool]uint64{true: 1}[even]; run.In != want || run.Ended != want {
				t.Errorf("rate %v/s, even %v: %d RPCs began, %d ended, want %d",
					rate, even, run.In, run.Ended, want)
			}
		}
	}
}
