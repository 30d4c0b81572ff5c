package analysis

import (
	"time"

	"lbsim/experiments/analysis/stats"
	"lbsim/internal/numtext"
	"lbsim/models/record"
)

// warnOfHalves warns where the numbers of open RPCs in the two halves of what is measured exclude
// each other, and nothing in the file says why. By Little's law latencies follow them.
func (m *Measures) warnOfHalves(v *RunInfo, run *record.Run) {
	if m.unstable() || m.explained(v, run) {
		return
	}
	var open []float64
	for _, b := range settled(run, v.Config.Warmup) {
		open = append(open, b.Open)
	}
	if first, second, unlike := stats.HalvesDiffer(open); unlike {
		m.warn(Halves, "the halves of what is measured exclude each other: %s RPCs open in the "+
			"first, %s in the second; latencies depend on when the run begins and ends",
			numtext.Rate(first), numtext.Rate(second))
	}
}

// explained reports whether the file makes the halves of the measured time differ: failures begin
// or end there, clients that come or have done their work, lists that change.
func (m *Measures) explained(v *RunInfo, run *record.Run) bool {
	begin := v.Config.Warmup
	inside := func(at time.Duration) bool { return begin < at && at < v.Config.Duration }
	for _, f := range v.Config.Failures {
		from, to := f.Window()
		if inside(from) || inside(to) {
			return true
		}
	}
	for i := range v.Config.Clients {
		if g := &v.Config.Clients[i]; g.Requests > 0 || inside(g.Start) {
			return true
		}
	}
	// The first list comes with the first RPC.
	settled := begin + (v.Config.Duration-begin)/(2*stats.HalfBatches)
	for i := range run.Backends {
		if time.Duration(run.Backends[i].CapacityChanged) > settled {
			return true
		}
	}
	return false
}
