package failures

import (
	"time"

	"lbsim/models"
)

// Crash kills backends and restarts them: their connections are reset, their work is lost, and
// attempts to connect are refused until the restart.
type Crash struct {
	// Backends are the backends with the failure: "slow", "fast/2" or "fast/2-4".
	Backends []string `toml:"backends"`
	// From is when they crash, To when they restart; 0 for never.
	From time.Duration `toml:"from"`
	To   time.Duration `toml:"to"`
}

// Doc implements [models.Failure].
func (Crash) Doc() string {
	return "backends die: connections are reset, work is lost, connecting is refused"
}

// Check refuses a window that ends before it begins and unknown backends.
func (x Crash) Check(c *models.Config) error { return CheckWindow(c, x.Backends, x.From, x.To) }

// Start schedules the crash and the return.
func (x Crash) Start(w *models.World) { between(w, x.Backends, x.From, x.To, w.Crash, w.Restart) }

// Window implements [models.Failure].
func (x Crash) Window() (from, to time.Duration) {
	return x.From, x.To
}
