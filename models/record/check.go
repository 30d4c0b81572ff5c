package record

import (
	"fmt"

	"lbsim/sim"
)

// openness follows the RPCs that are open, in sums modulo 2⁶⁴.
type openness struct {
	began, ended uint64 // moments at which RPCs did
	spent        uint64 // latencies of those that ended; at the end of the run, of all so far
}

// open is the number of open RPCs summed up over the time until now, in RPC-nanoseconds: each has
// been open since it began until it ended, or until now.
func (r *Recorder) open(now sim.Time) uint64 {
	n := r.run.In - r.run.Ended
	return r.openness.ended - r.openness.began + n*uint64(now)
}

// check tests invariants that hold in every run; a violation is a bug. All are exact: both sides
// are sums of whole nanoseconds over the same time.
func (r *Recorder) check(now sim.Time) {
	run := &r.run
	broken := func(format string, args ...any) {
		run.Broken = append(run.Broken, fmt.Sprintf(format, args...))
	}
	if run.In != run.Ended+run.Open {
		broken("conservation: %d RPCs began, but %d ended and %d are open",
			run.In, run.Ended, run.Open)
	}
	// L = λW over the whole run, where L and λ are the sums over its time: RPCs of the warm-up
	// count, and those that are open count up to the end.
	if held := r.open(now); held != r.openness.spent {
		broken("Little's law: RPCs were open for %d ns, but their latencies are %d ns",
			held, r.openness.spent)
	}
	r.checkCounts(broken)
	for i := range r.Loads {
		// ρ = λS/c: a worker is busy while there is work for it, and for as long as that takes.
		l := &r.Loads[i]
		if served := l.served(now); served != l.busy {
			broken("utilisation: the workers of backend number %d were busy for %d ns, but "+
				"services took %d ns", i, l.busy, served)
		}
		if l.wasted > l.done {
			broken("waste: backend number %d served %d requests for nobody, but %d in all",
				i, l.wasted, l.done)
		}
	}
}

// checkCounts holds the counters of RPCs against each other.
func (r *Recorder) checkCounts(broken func(format string, args ...any)) {
	run := &r.run
	sent := r.sent
	for _, n := range r.Attempts {
		sent += n
	}
	if sent != r.attempts {
		broken("attempts: %d were sent, but the RPCs that ended or are open have %d",
			sent, r.attempts)
	}
	var codes, failures, ended, errors uint64
	for _, n := range run.Codes {
		codes += n
	}
	for i := range run.Failures {
		failures += run.Failures[i].Count
	}
	if ok := uint64(run.Succeeded.Count()); ok != run.Codes[0] || failures != codes-ok {
		broken("codes: %d RPCs ended after the warm-up, %d of them OK, but there are %d "+
			"latencies and %d failures", codes, run.Codes[0], ok, failures)
	}
	for i := range run.Bins {
		ended += run.Bins[i].Ended
		errors += run.Bins[i].Errors
	}
	if ended != run.Ended || errors > ended || codes > ended || failures > errors {
		broken("bins: %d RPCs ended, %d of them after the warm-up and %d of these with errors, "+
			"but in the bins %d did and %d with errors", run.Ended, codes, failures, ended, errors)
	}
}
