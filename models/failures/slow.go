package failures

import (
	"fmt"
	"time"

	"lbsim/models"
)

// Slow makes backends slower: work that begins in the window takes Factor times as long. Work in
// progress keeps its service time.
type Slow struct {
	// Backends are the backends with the failure: "slow", "fast/2" or "fast/2-4".
	Backends []string `toml:"backends"`
	// From is when the failure begins, To when it ends; 0 for the end of the run.
	From time.Duration `toml:"from"`
	To   time.Duration `toml:"to"`
	// Factor multiplies the service time, > 0; below 1 the backends are faster.
	Factor float64 `toml:"factor"`
}

// Doc implements [models.Failure].
func (Slow) Doc() string {
	return "backends take factor times as long for work that begins in the window"
}

// Check refuses a window that ends before it begins, unknown backends, and a useless factor.
func (s Slow) Check(c *models.Config) error {
	if !(s.Factor > 0 && s.Factor <= 1e6) {
		return fmt.Errorf("factor: must be greater than 0 and at most 1e6 (is %v)", s.Factor)
	}
	return CheckWindow(c, s.Backends, s.From, s.To)
}

// Start schedules the beginning and the end.
func (s Slow) Start(w *models.World) {
	for _, b := range w.Select(s.Backends) {
		w.AfterFunc(s.From, func() { w.Slow(b, s.Factor) })
		if s.To > 0 {
			w.AfterFunc(s.To, func() { w.Unslow(b, s.Factor) })
		}
	}
}

// Window implements [models.Failure].
func (s Slow) Window() (from, to time.Duration) {
	return s.From, s.To
}
