package failures

import (
	"time"

	"lbsim/models"
)

// Refuse makes attempts to connect be refused for a while, as by a firewall or where nobody listens
// on one of the addresses. What is connected goes on.
type Refuse struct {
	// Backends are those that it strikes: "slow", "fast/2" or "fast/2-4".
	Backends []string `toml:"backends"`
	// Addresses are those of theirs that it strikes, such as "ipv6"; all if none is named.
	Addresses []models.Label `toml:"addresses"`
	// From and To are the window; To is 0 for the end of the run.
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
