package failures

import (
	"time"

	"lbsim/models"
)

// Mute makes backends accept connections without sending SETTINGS, so attempts to connect take
// until their deadline. Existing connections work.
type Mute struct {
	// Backends are the backends with the failure: "slow", "fast/2" or "fast/2-4".
	Backends []string `toml:"backends"`
	// From is when the failure begins, To when it ends; 0 for the end of the run.
	From time.Duration `toml:"from"`
	To   time.Duration `toml:"to"`
}

// Doc implements [models.Failure].
func (Mute) Doc() string {
	return "backends accept connections but never answer on them: connecting times out"
}

// Check refuses a window that ends before it begins and unknown backends.
func (x Mute) Check(c *models.Config) error { return CheckWindow(c, x.Backends, x.From, x.To) }

// Start schedules the beginning and the end.
func (x Mute) Start(w *models.World) { between(w, x.Backends, x.From, x.To, w.Mute, w.Unmute) }

// Window implements [models.Failure].
func (x Mute) Window() (from, to time.Duration) {
	return x.From, x.To
}
