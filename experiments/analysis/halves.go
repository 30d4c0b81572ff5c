package analysis

import (
	"slices"
	"time"

	"lbsim/internal/numtext"
	"lbsim/models/record"
)

const (
	batches    = 10  // of each half
	unlikeness = 0.1 // by which part the means of the halves must differ at least
)

// apart says whether the halves of a series exclude each other: of the means of ten batches of each
// half, all of the second lie above all of the first, or all below, and the means of the halves
// differ by a tenth or more.
//
// If batches were independent this would happen by chance in 2 of 20!/(10! 10!) series, one in
// 90,000. Neighbours are alike where a queue is long, which makes it likelier: of 1000 runs of
// M/M/1 with a load of 0.9, 14 relaxation times long, it is none. What it finds is a way to another
// level, and a walk without one: at a load of 1 one run in four.
func apart(levels []float64) (first, second float64, unlike bool) {
	size := len(levels) / (2 * batches)
	if size == 0 {
		return 0, 0, false
	}
	// A remainder is left out in the middle.
	early := batchMeans(levels[:size*batches], size)
	late := batchMeans(levels[len(levels)-size*batches:], size)
	for i := range early {
		first += early[i] / batches
		second += late[i] / batches
	}
	unlike = slices.Max(early) < slices.Min(late) || slices.Max(late) < slices.Min(early)
	return first, second, unlike && max(first, second) >= (1+unlikeness)*min(first, second)
}

// batchMeans returns the means of stretches of so many values.
func batchMeans(values []float64, size int) (means []float64) {
	for part := range slices.Chunk(values, size) {
		sum := 0.0
		for _, x := range part {
			sum += x
		}
		means = append(means, sum/float64(size))
	}
	return means
}

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
	if first, second, unlike := apart(open); unlike {
		m.warn(Halves, "the halves of what is measured exclude each other: %s RPCs open in the "+
			"first, %s in the second; figures depend on when the run begins and ends",
			numtext.Rate(first), numtext.Rate(second))
	}
}

// explained says whether the file has the halves of what is measured differ: failures that begin or
// end there, clients that come or have done their work, lists that change.
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
	settled := begin + (v.Config.Duration-begin)/(2*batches)
	for i := range run.Backends {
		if time.Duration(run.Backends[i].CapacityChanged) > settled {
			return true
		}
	}
	return false
}
