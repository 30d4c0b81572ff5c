package record

import (
	"cmp"
	"slices"
	"time"

	"lbsim/sim"
)

// Recorder records a run. The actors of the run call it.
//
// All stretches of time are half-open, [from, to): what happens at their first moment belongs to
// them, what happens at their end does not. So each moment is in one bin and either in the warm-up
// or behind it, and an RPC that would end at the moment at which the run ends is open. The world
// sees to that: [Recorder.WarmedUp] and [Recorder.EndBin] come before all else that happens at
// their moments, and nothing happens at the end of the run.
//
// The measured time begins with the end of the warm-up, or when the first clients start if that is
// later. It ends with the run, or with the last RPC if no client will begin another. Rates and
// means over time all cover this time, so that L = λW holds between them. Requests that backends
// serve later, after their clients have given up, are still counted.
type Recorder struct {
	// Loads, Capacities, Attempts and InFlights are kept by the backends and clients themselves, by
	// number of the backend.
	Loads      []Load
	Capacities []Capacity
	Attempts   []uint64
	InFlights  []InFlight

	run      Run
	warmup   sim.Time
	start    sim.Time // when the first clients start
	first    sim.Time // when the first RPC began
	sent     uint64   // attempts sent in the warm-up
	attempts uint64   // attempts of the RPCs that ended; at the end of the run, of all RPCs
	bin      Bin
	binOK    *Latency
	binStart []uint64 // held of each load when the bin began
	binFrom  []uint64 // the sum of each of InFlights then
	openness openness
	binOpen  uint64 // open RPCs summed up over time when the bin began
}

// NewRecorder returns a recorder of a run with these numbers of workers, by backend, and of status
// codes, whose first clients start at a moment.
func NewRecorder(
	workers []int, codes int, warmup, start sim.Time, bin time.Duration,
) *Recorder {
	r := &Recorder{
		Loads:      make([]Load, len(workers)),
		Capacities: make([]Capacity, len(workers)),
		Attempts:   make([]uint64, len(workers)),
		InFlights:  make([]InFlight, len(workers)),
		run: Run{
			Succeeded: newLatency(), Codes: make([]uint64, codes), Bin: bin,
		},
		warmup:   warmup,
		binOK:    newLatency(),
		start:    start,
		binStart: make([]uint64, len(workers)),
		binFrom:  make([]uint64, len(workers)),
	}
	for i, n := range workers {
		r.Loads[i] = NewLoad(n)
	}
	return r
}

// Begin records that an RPC has begun.
func (r *Recorder) Begin(now sim.Time) {
	if r.run.In == 0 {
		r.first = now
	}
	r.run.In++
	r.openness.began += uint64(now)
}

// StillOpen records, at the end of the run, that an RPC which was meant to begin at start and has
// been sent so often has not ended.
func (r *Recorder) StillOpen(now, start sim.Time, attempts uint8) {
	r.run.Open++
	r.attempts += uint64(attempts)
	r.openness.spent += uint64(now - start)
}

// End records that an RPC which was meant to begin at start and was sent so often has ended with a
// status code, and for what reason if that is not OK.
func (r *Recorder) End(now, start sim.Time, attempts, code, reason uint8) {
	r.run.Ended++
	r.bin.Ended++
	d := now.Sub(start)
	r.openness.ended += uint64(now)
	r.openness.spent += uint64(d)
	r.attempts += uint64(attempts)
	if code == 0 {
		r.binOK.add(d)
	} else {
		r.bin.Errors++
	}
	if now < r.warmup {
		return
	}
	r.run.Attempts += uint64(attempts)
	r.run.Codes[code]++
	if code == 0 {
		r.run.Succeeded.add(d)
	} else {
		r.run.Failed++
		r.fail(code, reason)
	}
}

// fail counts a failure. There are but a few kinds of them.
func (r *Recorder) fail(code, reason uint8) {
	for i := range r.run.Failures {
		if f := &r.run.Failures[i]; f.Code == code && f.Reason == reason {
			f.Count++
			return
		}
	}
	r.run.Failures = append(r.run.Failures, Failure{code, reason, 1})
}

// Ended is how many RPCs have ended so far.
func (r *Recorder) Ended() uint64 { return r.run.Ended }

// Open is how many RPCs have begun and not ended.
func (r *Recorder) Open() uint64 { return r.run.In - r.run.Ended }

// WorkOver records that the last RPC has just ended and no client will begin another.
func (r *Recorder) WorkOver(now sim.Time) {
	span := now.Sub(r.first)
	r.run.Makespan = &span
	if now > r.from() {
		r.summarize(now)
	}
}

// from is when what is measured begins.
func (r *Recorder) from() sim.Time { return max(r.warmup, r.start) }

// WarmedUp begins what is measured of backends.
func (r *Recorder) WarmedUp(now sim.Time) {
	r.endLoads(now)
	for i := range r.Loads {
		r.binStart[i] -= r.Loads[i].held // so that the bin goes on across the reset
		r.Loads[i].start(now)
		r.binFrom[i] -= r.InFlights[i].upTo(now)
		r.InFlights[i].start(now)
		r.Capacities[i].start(now)
		r.sent += r.Attempts[i]
		r.Attempts[i] = 0
	}
}

// EndBin ends a stretch of the series and begins the next.
func (r *Recorder) EndBin(now sim.Time) {
	r.endLoads(now)
	b := r.bin
	b.Length = now.Sub(b.Start)
	if b.Ended > 0 {
		all := int64(b.Ended)
		b.P50, b.P99 = r.binOK.QuantileAmong(all, 0.5), r.binOK.QuantileAmong(all, 0.99)
		r.binOK.reset()
	}
	open := r.open(now)
	b.Open = float64(open-r.binOpen) / float64(b.Length)
	r.binOpen = open
	b.Held, b.InFlight = make([]float64, len(r.Loads)), make([]float64, len(r.Loads))
	for i := range r.Loads {
		held, sum := r.Loads[i].held, r.InFlights[i].upTo(now)
		b.Held[i] = float64(held-r.binStart[i]) / float64(b.Length)
		b.InFlight[i] = float64(sum-r.binFrom[i]) / float64(b.Length)
		r.binStart[i], r.binFrom[i] = held, sum
	}
	r.run.Bins = append(r.run.Bins, b)
	r.bin = Bin{Start: now}
}

func (r *Recorder) endLoads(now sim.Time) {
	for i := range r.Loads {
		r.Loads[i].upTo(now)
	}
}

// Finish ends the record at the end of the run.
func (r *Recorder) Finish(now sim.Time, digest, events uint64) *Run {
	if now > r.bin.Start {
		r.EndBin(now)
	}
	run := &r.run
	run.Digest, run.Events = digest, events
	slices.SortFunc(run.Failures, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Reason, b.Reason))
	})
	if run.Backends == nil {
		r.summarize(now)
	}
	for i := range run.Backends {
		l, b := &r.Loads[i], &run.Backends[i]
		b.Attempts, b.Served, b.Wasted = r.Attempts[i], l.done, l.wasted
	}
	r.endLoads(now)
	r.check(now)
	return run
}

// summarize computes the means over time up to a moment. If the measured time is empty, because all
// RPCs ended within the warm-up or took no time, it covers the whole time after the warm-up.
func (r *Recorder) summarize(now sim.Time) {
	r.endLoads(now)
	from := r.from()
	if from >= now {
		from = min(now, r.warmup)
	}
	r.run.Measured = now.Sub(from)
	for i := range r.Loads {
		b := r.Loads[i].summary(r.run.Measured)
		b.InFlightPeak = r.InFlights[i].peak
		if r.run.Measured > 0 {
			b.InFlight = float64(r.InFlights[i].upTo(now)) / float64(r.run.Measured)
		}
		r.Capacities[i].upTo(now)
		b.Capacity, b.CapacityChanged = r.Capacities[i].sum, r.Capacities[i].changed
		r.run.Backends = append(r.run.Backends, b)
	}
}

func (l *Load) summary(over time.Duration) Backend {
	b := Backend{HeldPeak: l.peak, QueuePeak: max(0, l.peak-l.workers)}
	if over > 0 {
		b.Held = float64(l.held) / float64(over)
		b.Queue = float64(l.held-l.busy) / float64(over)
		b.Utilization = float64(l.busy) / float64(over) / float64(l.workers)
	}
	return b
}
