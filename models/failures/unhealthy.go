package failures

import (
	"time"

	"lbsim/models"
)

// Unhealthy makes backends call themselves NOT_SERVING for a while. They serve what comes as ever,
// and only clients whose service config has a healthCheckConfig ask. Of those, whose policy
// listens stops sending to them but keeps the connections; pick_first does not listen.
type Unhealthy struct {
	// Backends are those that it strikes: "slow", "fast/2" or "fast/2-4".
	Backends []string `toml:"backends"`
	// From and To are the window; To is 0 for the end of the run.
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
