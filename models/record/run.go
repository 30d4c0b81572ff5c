// Package record keeps what one run leaves behind: histograms, counters, series.
package record

import (
	"time"

	"lbsim/sim"
)

// Run is the record of one run. Counters and latencies cover the RPCs that ended after the warm-up,
// whenever they began: those that end in some time in a steady system are a fair sample, while of
// those that begin in it the slow ones are still open at its end. Series and In, Ended and Open
// cover the whole run. Stretches of time are half-open, see [Recorder].
type Run struct {
	Digest uint64 // of all events
	Events uint64

	// In is how many RPCs began, Ended how many ended, Open how many had not when the run did.
	In, Ended, Open uint64

	// Succeeded are the latencies of the RPCs that ended OK, from the moment an RPC was meant to
	// start to its answer. Failed counts the others.
	Succeeded *Latency
	Failed    uint64
	// Codes counts the RPCs that ended, by the number of their status code.
	Codes []uint64
	// Failures counts those that did not end OK, by code and reason, in their order.
	Failures []Failure
	// Attempts is how often the RPCs that Codes counts were sent, whenever that was.
	Attempts uint64
	// Measured is the time that is covered: from the end of the warm-up, or the start of the first
	// clients if that is later, to the end of the run, or to the end of the last RPC where no
	// client begins another.
	Measured time.Duration
	// Makespan is the time from the begin of the first RPC to the end of the last; nil where
	// clients would begin more or some RPC is open.
	Makespan *time.Duration

	// Remark is what the policy of the first client has to say of the run, or "".
	Remark string

	// Broken lists violated invariants, a sentence each. Any is a bug of lbsim.
	Broken []string

	Backends []Backend
	Bin      time.Duration
	Bins     []Bin
}

// Failure is one kind of failure: the numbers of a status code and of its reason.
type Failure struct {
	Code, Reason uint8
	Count        uint64
}

// Backend is what happened at one backend in the time that is measured; what it served is counted
// to the end of the run.
type Backend struct {
	Attempts uint64 // RPCs that were sent to it, each as often as it was
	Served   uint64 // requests that it served to the end
	Wasted   uint64 // and of those, for a client that had given up
	// Capacity is how much work it could have done for clients, in seconds of work at speed 1.
	Capacity float64
	// CapacityChanged is when what it can do changed for the last time: at the first list, with a
	// failure or with a list.
	CapacityChanged sim.Time
	// Utilization is the share of time during which its workers were busy, 0 to 1.
	Utilization float64
	// InFlight is the number of attempts that clients had sent to it and waited for: mean over time
	// and peak.
	InFlight     float64
	InFlightPeak int64
	// Held is the number of requests at it, in service or queued, wasted ones too: mean over time
	// and peak. Queue is the part of these that waited for a worker.
	Held      float64
	HeldPeak  int64
	Queue     float64
	QueuePeak int64
}

// Bin is one stretch of the series.
type Bin struct {
	Start  sim.Time
	Length time.Duration
	Ended  uint64 // RPCs that ended
	Errors uint64 // and not with OK
	// P50 and P99 are of the latency of all that ended, of which those that failed were answered
	// Never; 0 where none ended.
	P50, P99 time.Duration
	Open     float64   // mean number of RPCs that clients had open
	InFlight []float64 // mean number of attempts that clients waited for, by backend
	Held     []float64 // mean number of requests held, by backend
}
