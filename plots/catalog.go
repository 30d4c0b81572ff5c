// Package plots turns a result table into pictures: table.csv in, SVG and PNG out.
//
// It knows nothing of the simulator. Whatever can write the long-form table (policy, seed, swept
// keys, metric, scope, x, value) can have it drawn, and an old table can be drawn again. The same
// table gives the same bytes on every CPU.
package plots

// Kind is one view of a result table.
type Kind struct {
	// Name is the kind's name and the stem of its file names.
	Name string
	// Doc says in one line what the picture shows.
	Doc string

	// draw lays out the picture of one sweep point, or returns nil where there is nothing to show.
	draw func(*point) *figure
}

// Catalog lists every kind of plot, sorted by name.
var Catalog = []Kind{
	{
		Name: "differences",
		Doc:  "paired differences of each policy from the baseline, with intervals and verdicts",
		draw: drawDifferences,
	},
	{
		Name: "inflight",
		Doc:  "heat map of the RPCs in flight at each backend over time, one panel a policy",
		draw: drawInflight,
	},
	{
		Name: "latency",
		Doc:  "latency by percentile with intervals, one line a policy; each step is one more nine",
		draw: drawLatency,
	},
	{
		Name: "p99-over-time",
		Doc:  "p99 latency over time, one line a policy, failure windows shaded",
		draw: drawP99OverTime,
	},
	{
		Name: "share",
		Doc:  "share of the RPCs that each backend got, with intervals, and of the capacity",
		draw: drawShare,
	},
}
