package failures

import (
	"time"

	"lbsim/models"
)

// Stop stops the processes of backends gracefully (grpc-go's GracefulStop) and restarts them:
// attempts to connect are refused, connections get a GOAWAY, and requests in progress are served to
// the end. A killed process is a [Crash]; so is grpc-go's Stop.
type Stop struct {
	// Backends are the backends with the failure: "slow", "fast/2" or "fast/2-4".
	Backends []string `toml:"backends"`
	// From is when they stop, To when they restart; 0 for never.
	From time.Duration `toml:"from"`
	To   time.Duration `toml:"to"`
}

// Doc implements [models.Failure].
func (Stop) Doc() string {
	return "backends stop gracefully: GOAWAY, what runs is served, connecting is refused"
}

// Check refuses a window that ends before it begins and unknown backends.
func (x Stop) Check(c *models.Config) error { return CheckWindow(c, x.Backends, x.From, x.To) }

// Start schedules the stop and the return.
func (x Stop) Start(w *models.World) { between(w, x.Backends, x.From, x.To, w.Stop, w.Restart) }

// Window implements [models.Failure].
func (x Stop) Window() (from, to time.Duration) {
	return x.From, x.To
}
