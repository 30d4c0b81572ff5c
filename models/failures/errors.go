package failures

import (
	"fmt"
	"time"

	"lbsim/models"
)

// Errors makes backends answer a share of the requests at once with an error status, without work.
// Connections are not affected. Of several such failures of one backend the latest counts.
type Errors struct {
	// Backends are the backends with the failure: "slow", "fast/2" or "fast/2-4".
	Backends []string `toml:"backends"`
	// From is when the failure begins, To when it ends; 0 for the end of the run.
	From time.Duration `toml:"from"`
	To   time.Duration `toml:"to"`
	// Ratio is the share of the requests, 0 to 1.
	Ratio float64 `toml:"ratio"`
	// Code is the status code as gRPC spells it, such as "UNAVAILABLE".
	Code string `toml:"code"`
}

// Doc implements [models.Failure].
func (Errors) Doc() string {
	return "backends answer a share of requests at once with a status, without work"
}

// Check refuses a window that ends before it begins, unknown backends, a share that is none and a
// status that is unknown or no error.
func (e Errors) Check(c *models.Config) error {
	if !(e.Ratio >= 0 && e.Ratio <= 1) {
		return fmt.Errorf("ratio: must be from 0 to 1 (is %v)", e.Ratio)
	}
	if _, err := models.ErrorCode(e.Code); err != nil {
		return fmt.Errorf("code: %w", err)
	}
	return CheckWindow(c, e.Backends, e.From, e.To)
}

// Start schedules the beginning and the end.
func (e Errors) Start(w *models.World) {
	code, _ := models.ErrorCode(e.Code)
	between(w, e.Backends, e.From, e.To,
		func(b int32) { w.Fail(b, e.Ratio, code) },
		func(b int32) { w.Unfail(b, e.Ratio, code) })
}

// Window implements [models.Failure].
func (e Errors) Window() (from, to time.Duration) {
	return e.From, e.To
}
