package experiments

import (
	"fmt"
	"strings"
)

// OfferedOf says in lines what load the experiment offers and what the backends can do; of a sweep,
// where it is least and where most.
func OfferedOf(e *Experiment) []string {
	var least, most offered
	var places [2]int
	for number := range min(e.PointCount(), mostPoints) {
		o := offeredLoad(&e.Point(number).config, nil)
		if number == 0 || o.rate/o.capacity < least.rate/least.capacity {
			least, places[0] = o, number
		}
		if number == 0 || o.rate/o.capacity > most.rate/most.capacity {
			most, places[1] = o, number
		}
	}
	var lines []string
	for i, o := range []offered{least, most} {
		at := ""
		for k, text := range e.PointTexts(places[i]) {
			at += fmt.Sprintf("%s = %s, ", e.SweepKeys[k], text)
		}
		if at != "" {
			at = "at " + strings.TrimSuffix(at, ", ") + ": "
		}
		if o.full() {
			at = "warning: " + at
		}
		line := at + o.String()
		if o.full() {
			line += "; " + noSteadyState
		}
		lines = append(lines, line)
		if places[0] == places[1] {
			break
		}
	}
	return lines
}
