package models_test

import (
	"fmt"
	"math"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/resolvers"
	"lbsim/policies"
)

// A config by hand: SetDefaults gives each part what an experiment's file has where it says
// nothing, and New panics with what is wrong with the rest.
func ExampleNew() {
	var web models.ClientGroup
	web.SetDefaults()
	web.Name, web.Rate, web.Arrivals = "web", 600, models.EvenArrivals

	var pod models.BackendGroup
	pod.SetDefaults()
	pod.Name, pod.Count, pod.Service = "pod", 2, dist.Constant(5*time.Millisecond)
	pod.Queue = 0

	var cfg models.Config
	cfg.SetDefaults()
	cfg.Clients, cfg.Backends = []models.ClientGroup{web}, []models.BackendGroup{pod}
	cfg.Resolver, cfg.Policy = resolvers.Static{}, policies.RoundRobin{}

	w := models.New(&cfg)
	w.Run(math.MaxInt) // events at most
	run := w.Finish()
	fmt.Println(run.In, "RPCs,", run.Codes[policies.OK], "OK,",
		run.Codes[policies.ResourceExhausted], "refused,", run.Open, "open")
	fmt.Println("median", run.Succeeded.Quantile(0.5).Round(100*time.Microsecond))

	cfg.Backends[0].Speed = 0
	fmt.Println(cfg.Check())
	// Output:
	// 36000 RPCs, 17999 OK, 17999 refused, 2 open
	// median 5ms
	// backends.pod.speed: must be greater than 0 and at most 1e6 (is 0)
}
