package failures

import (
	"time"

	"lbsim/models"
)

// Refuse refuses attempts to connect, as a firewall does, or an address on which no process
// listens. Existing connections work.
type Refuse struct {
	// Backends are the backends with the failure: "slow", "fast/2" or "fast/2-4".
	Backends []string `toml:"backends"`
	// Addresses are the addresses of these backends with the failure, such as "ipv6"; empty for
	// all.
	Addresses []models.Label `toml:"addresses"`
	// From is when the failure begins, To when it ends; 0 for the end of the run.
	From time.Duration `toml:"from"`
	To   time.Duration `toml:"to"`
}

// Doc implements [models.Failure].
func (Refuse) Doc() string {
	return "attempts to connect are refused; what is connected goes on"
}

// Check refuses a window that ends before it begins and what is unknown.
func (x Refuse) Check(c *models.Config) error {
	return checkPaths(c, x.Backends, x.Addresses, x.From, x.To)
}

// Start schedules the beginning and the end.
func (x Refuse) Start(w *models.World) {
	paths := w.SelectAddresses(x.Backends, x.Addresses)
	forEach(w, paths, x.From, x.To, w.Refuse, w.Unrefuse)
}

// Window implements [models.Failure].
func (x Refuse) Window() (from, to time.Duration) {
	return x.From, x.To
}
