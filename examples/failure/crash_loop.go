// Package failure has a failure that is not part of lbsim.
package failure

import (
	"errors"
	"time"

	"lbsim/models"
	"lbsim/models/failures"
)

// CrashLoop crashes backends again and again: each is up for Up and then away for Down.
type CrashLoop struct {
	// Backends are those that crash: "slow", "fast/2" or "fast/2-4".
	Backends []string `toml:"backends"`
	// From is the moment of the first crash. At To they are back for good; 0 for never.
	From time.Duration `toml:"from"`
	To   time.Duration `toml:"to"`
	// Down and Up are lengths of time, each > 0.
	Down time.Duration `toml:"down"`
	Up   time.Duration `toml:"up"`
}

// Default has the defaults of the options. A program adds this value to the kinds of lbsim.
var Default = CrashLoop{Down: 10 * time.Second, Up: 20 * time.Second}

// Doc says what goes wrong, in a line.
func (CrashLoop) Doc() string { return "backends crash, come back and crash again" }

// Check refuses options that make no sense in an experiment.
func (x CrashLoop) Check(c *models.Config) error {
	switch {
	case x.Down <= 0:
		return errors.New("down: must be longer than 0s")
	case x.Up <= 0:
		return errors.New("up: must be longer than 0s")
	}
	return failures.CheckWindow(c, x.Backends, x.From, x.To)
}

// Start schedules the first crash of each backend.
func (x CrashLoop) Start(w *models.World) {
	for _, backend := range w.Select(x.Backends) {
		w.AfterFunc(x.From, func() { x.crash(w, backend, x.From) })
	}
}

// crash crashes a backend now, and schedules the return and the next crash.
func (x CrashLoop) crash(w *models.World, backend int32, now time.Duration) {
	down := x.Down
	if x.To != 0 {
		down = min(down, x.To-now)
	}
	w.Crash(backend)
	w.AfterFunc(down, func() {
		w.Restart(backend)
		if next := now + down + x.Up; x.To == 0 || next < x.To {
			w.AfterFunc(x.Up, func() { x.crash(w, backend, next) })
		}
	})
}

// Window is from when to when the failure lasts, for warnings and plots.
func (x CrashLoop) Window() (from, to time.Duration) { return x.From, x.To }
