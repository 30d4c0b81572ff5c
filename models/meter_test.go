package models

import (
	"testing"
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// plainMeter remembers all that happens and adds it up nanosecond by nanosecond.
type plainMeter struct {
	busy             []int // by nanosecond
	answered, failed []int
}

func (p *plainMeter) report(from, now int, workers int) (r loadReport) {
	busy, answered, failed := 0, 0, 0
	for i := from; i < now; i++ {
		busy += p.busy[i]
	}
	for i := from; i < len(p.answered); i++ {
		answered += p.answered[i]
		failed += p.failed[i]
	}
	if ns := float64(now - from); ns > 0 {
		r.used = float64(busy) / (ns * float64(workers))
		r.qps, r.eps = float64(answered)*1e9/ns, float64(failed)*1e9/ns
	}
	return r
}

// The meter says what a plain sum over its window says, whatever happens: here in windows of 10 to
// 1000 ns, with idle times that are longer than a window, and a process that begins anew.
func TestMeterIsRight(t *testing.T) {
	for seed := range uint64(200) {
		rand := sim.NewRand(seed, "meter")
		step := 1 + rand.IntN(100)
		m := newMeter(&BackendGroup{Workers: 3, LoadWindow: time.Duration(step * meterSteps)})
		var p plainMeter
		now, began, reports := 0, 0, 0
		for range 200 {
			gap := rand.IntN(step + 1)
			if rand.IntN(10) == 0 {
				gap = rand.IntN(30 * step)
			}
			for range gap {
				p.busy = append(p.busy, m.busy)
			}
			now += gap
			for len(p.answered) <= now-began {
				p.answered, p.failed = append(p.answered, 0), append(p.failed, 0)
			}
			switch at := sim.Time(now); rand.IntN(20) {
			case 0:
				m.upTo(at) // as the work of the process before it ends
				m.begin(at)
				p, began = plainMeter{answered: []int{0}, failed: []int{0}}, now
			case 1, 2, 3, 4:
				m.work(at, 1)
			case 5, 6, 7, 8:
				m.work(at, -min(1, m.busy))
			case 9, 10, 11, 12:
				m.answer(at, policies.OK)
				p.answered[now-began]++
			case 13, 14:
				m.answer(at, policies.Unavailable)
				p.answered[now-began]++
				p.failed[now-began]++
			default:
				from := max(0, (now-began)/step-meterSteps) * step
				want := p.report(from, now-began, 3)
				if got := m.report(at); got != want {
					t.Fatalf("seed %d, at %d since %d: got %+v, want %+v", seed, now, began, got,
						want)
				}
				reports++
			}
		}
		if reports < 10 {
			t.Fatalf("seed %d: %d reports only", seed, reports)
		}
	}
}
