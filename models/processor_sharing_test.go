package models

import (
	"math"
	"slices"
	"testing"
	"time"

	"lbsim/sim"
)

// sharer is the actor of a processorSharing alone: requests come, some are dropped, and it notes
// when the others end.
type sharer struct {
	k     *sim.Kernel
	e     *processorSharing
	works []time.Duration
	ends  []sim.Time
}

const (
	sharerArrive sim.Kind = 100 + iota
	sharerDrop
)

func (s *sharer) Handle(ev sim.Event) {
	switch ev.Kind() {
	case sharerArrive:
		s.e.add(handle(ev.Arg), s.works[ev.Arg])
	case sharerDrop:
		at := func(x psRequest) bool { return x.h == handle(ev.Arg) }
		if slices.ContainsFunc(s.e.heap, at) {
			s.e.drop(handle(ev.Arg))
		}
	case backendScheduledDone:
		s.ends[s.e.done(ev.Arg)] = s.k.Now()
	}
}

// Random requests beside a calculation that goes from event to event and lets each request that is
// there advance by its part of the workers: 40 requests in 100 worlds of 1 to 4 workers. Ends are
// rounded up to nanoseconds, so the two may drift apart by one for each request.
func TestEqualSharesBesideEachOnItsOwn(t *testing.T) {
	const n = 40
	for seed := range uint64(100) {
		r := sim.NewRand(seed, "shares")
		k := sim.New(seed)
		s := &sharer{k: k, works: make([]time.Duration, n), ends: make([]sim.Time, n)}
		workers := 1 + r.IntN(4)
		s.e = &processorSharing{k: k, to: k.Register(s), workers: float64(workers)}
		arrivals, drops := make([]float64, n), make([]float64, n)
		for i := range n {
			at := r.IntN(2_000_000)
			arrivals[i], drops[i] = float64(at), math.Inf(1)
			s.works[i] = time.Duration(1000 + r.IntN(200_000))
			k.At(sim.Time(at), s.e.to, sharerArrive, uint32(i))
			if r.IntN(4) == 0 {
				at += r.IntN(300_000)
				drops[i] = float64(at)
				k.At(sim.Time(at), s.e.to, sharerDrop, uint32(i))
			}
		}
		k.Run(sim.Time(time.Second), math.MaxInt)
		for i, want := range endsOf(arrivals, drops, s.works, workers) {
			got := float64(s.ends[i])
			near := math.Abs(got-want) <= n || want > drops[i]-n && got == 0
			if !near {
				t.Errorf("seed %d, %d workers: request %d ended at %.0f ns, want %.0f",
					seed, workers, i, got, want)
			}
		}
	}
}

// endsOf returns when requests end, in nanoseconds; of those that are dropped, +Inf.
func endsOf(arrivals, drops []float64, works []time.Duration, workers int) []float64 {
	left, ends := make([]float64, len(works)), make([]float64, len(works))
	for i := range works {
		left[i], ends[i] = float64(works[i]), math.Inf(1)
	}
	there := func(i int, now float64) bool {
		return arrivals[i] <= now && now < drops[i] && math.IsInf(ends[i], 1)
	}
	for now := 0.0; !math.IsInf(now, 1); {
		count := 0.0
		for i := range works {
			if there(i, now) {
				count++
			}
		}
		rate := min(1, float64(workers)/count)
		next, first := math.Inf(1), -1 // the next event, and whose end it is
		for i := range works {
			for _, at := range []float64{arrivals[i], drops[i]} {
				if now < at && at < next {
					next, first = at, -1
				}
			}
			if at := now + left[i]/rate; there(i, now) && at < next {
				next, first = at, i
			}
		}
		for i := range works {
			if there(i, now) && !math.IsInf(next, 1) {
				left[i] -= (next - now) * rate
			}
		}
		if first >= 0 {
			ends[first] = next
		}
		now = next
	}
	return ends
}
