package failures

import (
	"time"

	"lbsim/models"
)

// Blackhole cuts backends off for a while: the network drops silently what is sent to them or by
// them. Attempts to connect take until their deadline. Connections stay READY: RPCs hang until
// their deadlines, or until keepalive or TCP gives the connection up. What was on its way when the
// failure begins arrives. What is held when the failure ends comes with TCP's next retransmission.
type Blackhole struct {
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
func (Blackhole) Doc() string {
	return "backends are cut off without a word: RPCs hang, connections stay READY"
}

// Check refuses a window that ends before it begins and what is unknown.
func (x Blackhole) Check(c *models.Config) error {
	return checkPaths(c, x.Backends, x.Addresses, x.From, x.To)
}

// Start schedules the beginning and the end.
func (x Blackhole) Start(w *models.World) {
	paths := w.SelectAddresses(x.Backends, x.Addresses)
	forEach(w, paths, x.From, x.To, w.Blackhole, w.Unblackhole)
}

// Window implements [models.Failure].
func (x Blackhole) Window() (from, to time.Duration) {
	return x.From, x.To
}
