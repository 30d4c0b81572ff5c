package analysis

import (
	"time"

	"lbsim/experiments/analysis/stats"
	"lbsim/internal/numtext"
)

// warnOfHalves warns if the numbers of open RPCs in the two halves of the measured time exclude
// each other and nothing in the file explains it. By Little's law latencies follow them.
func warnOfHalves(d *runData) {
	if d.m.unstable() || halvesExplained(d) {
		return
	}
	var open []float64
	for _, b := range settledBins(d) {
		open = append(open, b.Open)
	}
	if first, second, unlike := stats.HalvesDiffer(open); unlike {
		d.m.warn(Halves, "the halves of what is measured exclude each other: %s RPCs open in the "+
			"first, %s in the second; latencies depend on when the run begins and ends",
			numtext.Rate(first), numtext.Rate(second))
	}
}

// halvesExplained reports whether the file makes the halves of the measured time differ: failures
// begin or end there, clients that come or have done their work, lists that change.
func halvesExplained(d *runData) bool {
	begin := d.Config.Warmup
	inside := func(at time.Duration) bool { return begin < at && at < d.Config.Duration }
	for _, f := range d.Config.Failures {
		from, to := f.Window()
		if inside(from) || inside(to) {
			return true
		}
	}
	for i := range d.Config.Clients {
		if g := &d.Config.Clients[i]; g.Requests > 0 || inside(g.Start) {
			return true
		}
	}
	// The first list comes with the first RPC.
	settled := begin + (d.Config.Duration-begin)/(2*stats.HalfBatches)
	for i := range d.record.Backends {
		if time.Duration(d.record.Backends[i].CapacityChanged) > settled {
			return true
		}
	}
	return false
}
