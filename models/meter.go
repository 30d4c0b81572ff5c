package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// meter measures the load of a backend for its reports: means over the last load window, or since
// the process began if that is more recent.
//
// The window slides in steps of a tenth of its length. The means cover the time from the end of a
// step, a window or up to a tenth more ago, until now.
type meter struct {
	step    time.Duration // a tenth of the window, > 0
	workers int           // of the backend
	began   sim.Time      // when the process began
	busy    int           // workers that are busy now
	at      sim.Time      // total covers the time until then
	total   tally         // since the process began
	steps   int64         // steps that have ended by at
	// ends holds total at the ends of the latest steps: of step i at i modulo its length.
	ends [meterSteps + 1]tally
}

const meterSteps = 10

// tally is what a meter counts.
type tally struct {
	busy     uint64 // worker-nanoseconds
	answered uint64 // requests that were answered
	failed   uint64 // those of them with another status than OK
}

func newMeter(g *BackendGroup) *meter {
	return &meter{step: max(1, g.LoadWindow/meterSteps), workers: g.Workers}
}

// begin starts anew with a new process.
func (m *meter) begin(now sim.Time) {
	*m = meter{step: m.step, workers: m.workers, began: now, busy: m.busy, at: now}
}

// upTo advances the meter to now.
func (m *meter) upTo(now sim.Time) {
	if ended := int64(now.Sub(m.began) / m.step); ended > m.steps {
		for i := max(m.steps, ended-meterSteps-1) + 1; i <= ended; i++ {
			m.ends[i%(meterSteps+1)] = m.totalAt(m.began.Add(time.Duration(i) * m.step))
		}
		m.steps = ended
	}
	m.total, m.at = m.totalAt(now), now
}

// totalAt returns total at a moment, if nothing is counted between m.at and then.
func (m *meter) totalAt(t sim.Time) tally {
	sum := m.total
	sum.busy += uint64(m.busy) * uint64(t.Sub(m.at))
	return sum
}

// work records that n more workers are busy (or, negative, fewer).
func (m *meter) work(now sim.Time, n int) {
	m.upTo(now)
	m.busy += n
}

// answer records that a request was answered.
func (m *meter) answer(now sim.Time, code policies.Code) {
	m.upTo(now)
	m.total.answered++
	if code != policies.OK {
		m.total.failed++
	}
}

// loadReport is the load of a backend at a moment.
type loadReport struct {
	used     float64 // utilisation of the workers, 0 to 1
	qps, eps float64 // requests answered, and failed, per second
	inFlight int32   // requests at the backend
	queued   int32   // those of them that wait for a worker
}

// report returns the means; 0 at the moment at which the process begins.
func (m *meter) report(now sim.Time) (r loadReport) {
	m.upTo(now)
	var base tally
	from := m.began
	if first := m.steps - meterSteps; first > 0 {
		base = m.ends[first%(meterSteps+1)]
		from = m.began.Add(time.Duration(first) * m.step)
	}
	if ns := float64(now.Sub(from)); ns > 0 {
		r.used = float64(m.total.busy-base.busy) / (ns * float64(m.workers))
		r.qps = float64(m.total.answered-base.answered) * 1e9 / ns
		r.eps = float64(m.total.failed-base.failed) * 1e9 / ns
	}
	return r
}
