package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// meter measures the load of a backend, for its reports: averages over the last window, or since
// the process began, if that is not as long ago.
//
// The window slides in steps of a tenth of it: the averages are taken from the step that ended a
// window ago, or a little earlier, up to now.
type meter struct {
	step    time.Duration
	workers int
	began   sim.Time // the process
	busy    int      // workers, now
	at      sim.Time // up to which all is counted
	total   tally    // since the process began
	steps   int64    // that have ended
	ends    [meterSteps + 1]tally
}

const meterSteps = 10

// tally is what a meter counts.
type tally struct {
	busy             uint64 // worker-nanoseconds
	answered, failed uint64 // requests, and those of them with another status than OK
}

func newMeter(g *BackendGroup) *meter {
	return &meter{step: max(1, g.LoadWindow/meterSteps), workers: g.Workers}
}

// begin forgets all that the process before has done.
func (m *meter) begin(now sim.Time) {
	*m = meter{step: m.step, workers: m.workers, began: now, busy: m.busy, at: now}
}

// upTo counts what has happened up to now.
func (m *meter) upTo(now sim.Time) {
	if ended := int64(now.Sub(m.began) / m.step); ended > m.steps {
		for i := max(m.steps, ended-meterSteps-1) + 1; i <= ended; i++ {
			m.ends[i%(meterSteps+1)] = m.totalAt(m.began.Add(time.Duration(i) * m.step))
		}
		m.steps = ended
	}
	m.total, m.at = m.totalAt(now), now
}

// totalAt is the total at a moment up to which nothing more happens than has been counted.
func (m *meter) totalAt(t sim.Time) tally {
	sum := m.total
	sum.busy += uint64(m.busy) * uint64(t.Sub(m.at))
	return sum
}

// work says that so many workers more are busy.
func (m *meter) work(now sim.Time, n int) {
	m.upTo(now)
	m.busy += n
}

// answer says that a request has been answered.
func (m *meter) answer(now sim.Time, code policies.Code) {
	m.upTo(now)
	m.total.answered++
	if code != policies.OK {
		m.total.failed++
	}
}

// loadReport is what a backend reports of its load at a moment.
type loadReport struct {
	used, qps, eps   float64
	inFlight, queued int32
}

// report returns the averages. When the process has just begun there are none.
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
