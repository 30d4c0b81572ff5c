package failures

import (
	"time"

	"lbsim/models"
)

// Unhealthy makes the health of backends NOT_SERVING. They still serve requests. Only clients whose
// service config has a healthCheckConfig watch the health. Their policies keep the connections but
// send no RPCs there, save pick_first, which ignores health.
type Unhealthy struct {
	// Backends are the backends with the failure: "slow", "fast/2" or "fast/2-4".
	Backends []string `toml:"backends"`
	// From is when the failure begins, To when it ends; 0 for the end of the run.
	From time.Duration `toml:"from"`
	To   time.Duration `toml:"to"`
}

// Doc implements [models.Failure].
func (Unhealthy) Doc() string {
	return "backends say NOT_SERVING: clients that check health stop sending to them"
}

// Check refuses a window that ends before it begins and unknown backends.
func (x Unhealthy) Check(c *models.Config) error { return CheckWindow(c, x.Backends, x.From, x.To) }

// Start schedules the beginning and the end.
func (x Unhealthy) Start(w *models.World) {
	between(w, x.Backends, x.From, x.To, w.SetNotServing, w.SetServing)
}

// Window implements [models.Failure].
func (x Unhealthy) Window() (from, to time.Duration) {
	return x.From, x.To
}
