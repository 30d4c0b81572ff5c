// Package plots turns a result table into pictures: table.csv in, SVG and PNG out.
//
// It knows nothing of the simulator. Whatever can write the long-form table (policy, seed, swept
// keys, metric, scope, x, value) can have it drawn, and an old table can be drawn again. The same
// table gives the same bytes on every CPU.
//
// A program may add kinds of its own to those of [Catalog]. The metrics of a table and their scopes
// are those of table.csv; see [Point.Series].
package plots

// Kind is one view of a result table.
type Kind struct {
	// Doc says in one line what the picture shows.
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
