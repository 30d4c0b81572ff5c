package failures

import (
	"time"

	"lbsim/models"
)

// Stop ends the processes of backends gracefully (grpc-go's GracefulStop) and starts them again:
// attempts to connect are refused, a GOAWAY tells clients to send new RPCs elsewhere, and those
// that run are served to the end. A process that is killed is a [Crash]; so is grpc-go's Stop.
type Stop struct {
	// Backends are those that it strikes: "slow", "fast/2" or "fast/2-4".
	Backends []string `toml:"backends"`
	// From is when they stop, To when they are back; 0 for never.
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
