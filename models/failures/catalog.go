// Package failures is what goes wrong in an experiment. A kind is one file, one line in [Catalog]
// and a story in testdata.
//
// A kind of another module implements [models.Failure], too. Check calls [CheckWindow]; Start
// resolves the names of backends with [models.World.Select], and calls AfterFunc for each moment at
// which something begins or ends.
package failures

import (
	"errors"
	"fmt"
	"time"

	"lbsim/models"
)

// Catalog holds every failure under its configuration name, as a prototype with its defaults.
var Catalog = map[string]models.Failure{
	"blackhole": Blackhole{},
	"crash":     Crash{},
	"errors":    Errors{Ratio: 1, Code: "UNAVAILABLE"},
	"mute":      Mute{},
	"refuse":    Refuse{},
	"slow":      Slow{},
	"stop":      Stop{},
	"unhealthy": Unhealthy{},
}

// between schedules what begins at one moment for some backends and, unless to is 0, ends at
// another.
func between(
	w *models.World, backends []string, from, to time.Duration, begin, end func(backend int32),
) {
	forEach(w, w.Select(backends), from, to, begin, end)
}

// forEach is between for what has numbers.
func forEach(
	w *models.World, numbers []int32, from, to time.Duration, begin, end func(number int32),
) {
	for _, n := range numbers {
		w.AfterFunc(from, func() { begin(n) })
		if to > 0 {
			w.AfterFunc(to, func() { end(n) })
		}
	}
}

// checkPaths is CheckWindow for what strikes addresses of the backends.
func checkPaths(
	c *models.Config, backends []string, labels []models.Label, from, to time.Duration,
) error {
	if err := CheckWindow(c, backends, from, to); err != nil {
		return err
	}
	if err := c.CheckAddresses(backends, labels); err != nil {
		return fmt.Errorf("addresses: %w", err)
	}
	return nil
}

// CheckWindow refuses a list of backends that is empty or names unknown ones, and a window that
// ends before it begins. To is 0 for the end of the run. An error begins with the option's name.
func CheckWindow(c *models.Config, backends []string, from, to time.Duration) error {
	if len(backends) == 0 {
		return errors.New(`backends: must name at least one, such as ["fast/0"]`)
	}
	if _, err := c.Select(backends); err != nil {
		return fmt.Errorf("backends: %w", err)
	}
	if to != 0 && to <= from {
		return fmt.Errorf("to: must be later than from, %v (is %v)",
			from, to)
	}
	return nil
}
