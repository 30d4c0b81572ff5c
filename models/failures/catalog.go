// Package failures is what goes wrong in an experiment. A kind is one file and one line in
// [Catalog].
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
	"slow":      Slow{},
	"stop":      Stop{},
	"unhealthy": Unhealthy{},
}

// between schedules what begins at one moment and, unless to is 0, ends at another.
func between(
	w *models.World, backends []string, from, to models.Duration, begin, end func(backend int32),
) {
	for _, b := range w.Select(backends) {
		w.AfterFunc(time.Duration(from), func() { begin(b) })
		if to > 0 {
			w.AfterFunc(time.Duration(to), func() { end(b) })
		}
	}
}

func checkWindow(c *models.Config, backends []string, from, to models.Duration) error {
	if len(backends) == 0 {
		return errors.New(`backends: must name at least one, such as ["fast/0"]`)
	}
	if _, err := c.Select(backends); err != nil {
		return fmt.Errorf("backends: %w", err)
	}
	if to != 0 && to <= from {
		return fmt.Errorf("to: must be later than from, %v (is %v)",
			time.Duration(from), time.Duration(to))
	}
	return nil
}
