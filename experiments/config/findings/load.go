package findings

import (
	"lbsim/experiments/analysis"
	"lbsim/experiments/config"
)

// Offered returns lines with the offered load and the capacity of the backends; of a sweep, at the
// points where the offered load is least and where it is greatest.
func Offered(e *config.Experiment) []string {
	var least, most analysis.Load
	var places [2]int
	for number := range min(e.PointCount(), maxPoints) {
		o := analysis.OfferedLoad(&e.Point(number).Config, nil)
		if number == 0 || o.Rate/o.Capacity < least.Rate/least.Capacity {
			least, places[0] = o, number
		}
		if number == 0 || o.Rate/o.Capacity > most.Rate/most.Capacity {
			most, places[1] = o, number
		}
	}
	var lines []string
	for i, o := range []analysis.Load{least, most} {
		at := pointText(e, places[i])
		if at != "" {
			at = "at " + at + ": "
		}
		if o.Full() {
			at = "warning: " + at
		}
		line := at + o.String()
		if o.Full() {
			line += "; " + analysis.NoSteadyState
		}
		lines = append(lines, line)
		if places[0] == places[1] {
			break
		}
	}
	return lines
}
