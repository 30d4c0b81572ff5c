// Package plots turns a result table into pictures: table.csv in, SVG and PNG out.
//
// It knows nothing of the simulator. Whatever can write the long-form table (policy, seed, swept
// keys, metric, scope, x, value) can have it drawn, and an old table can be drawn again. The same
// table gives the same bytes on every CPU.
//
// A program may add kinds of its own to those of [Catalog]. The metrics of a table and their scopes
// are those of table.csv; see [Point.Series].
package plots

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Kind is one view of a result table.
type Kind struct {
	// Doc is a line on what the picture shows.
	Doc string
	// Metrics are the metrics that Draw reads, each with what its column x holds. Further ones need
	// no entry: the warm-up, the failures, and of every metric the means over all seeds, their
	// confidence intervals and the differences.
	Metrics map[string]X
	// Draw lays out the picture of one sweep point. It returns nil where there is nothing to show.
	Draw func(*Point) *Figure
}

// X is what the column x of a metric holds.
type X int

const (
	NoX      X = iota // nothing
	Quantile          // 0 to 1, 1 excluded
	Seconds           // a moment, in seconds since the run began
)

// Catalog holds every kind of plot that lbsim ships, by name. The name is the stem of its files.
var Catalog = map[string]Kind{
	"differences":   differencesKind,
	"inflight":      inflightKind,
	"latency":       latencyKind,
	"p99-over-time": p99OverTimeKind,
	"share":         shareKind,
}

// With returns kinds and further ones. A name that is there already or can be none of a file is an
// error, and so is a metric whose x is not what it is in another kind.
func With(kinds, more map[string]Kind) (map[string]Kind, error) {
	all := maps.Clone(kinds)
	for _, name := range slices.Sorted(maps.Keys(more)) {
		switch _, has := kinds[name]; {
		case has:
			return nil, fmt.Errorf("there is a kind %q already", name)
		case name == "" || safe(name) != name || strings.Contains(name, "."):
			return nil, fmt.Errorf("kind %q: files have its name: use a to z, 0 to 9, _ and -",
				name)
		case more[name].Draw == nil:
			return nil, fmt.Errorf("kind %q has no Draw", name)
		}
		all[name] = more[name]
	}
	_, err := metricsOf(all)
	return all, err
}
