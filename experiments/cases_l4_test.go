package experiments_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"lbsim/experiments/runner"
	"lbsim/models"
	"lbsim/policies"
)

// Cases from the world, with what was seen there as pass conditions: those about connections that a
// balancer of connections hands out.

// watched runs a variant and shows what happens, without keeping it: three million entries.
func watched(v runner.Variant, see func(e *models.TraceEntry)) {
	trace := &models.Trace{}
	v.Config.Trace = trace
	w := models.New(&v.Config)
	for over := false; !over; {
		over = w.Run(1 << 17)
		for i := range trace.Entries {
			see(&trace.Entries[i])
		}
		trace.Entries = trace.Entries[:0]
	}
}

// thirdShares returns the share of the third server of the requests that are sent within 25 s of
// each moment, in seconds.
func thirdShares(v runner.Variant, moments ...float64) (shares []float64) {
	all, third := make([]float64, len(moments)), make([]float64, len(moments))
	watched(v, func(e *models.TraceEntry) {
		if e.What != models.Sent {
			return
		}
		for i, at := range moments {
			if math.Abs(time.Duration(e.At).Seconds()-at) <= 25 {
				all[i]++
				if e.Backend == 2 {
					third[i]++
				}
			}
		}
	})
	for i := range moments {
		shares = append(shares, third[i]/all[i])
	}
	return shares
}

// middle returns the median.
func middle(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

// Nothing is left to chance here, so one run tells all.
func TestC03WithoutGoAwayTheThirdServerStaysEmpty(t *testing.T) {
	var connections, requests [3]int
	ended, refused := 0., 0.
	watched(variants(t, "c03-lopsided-behind-l4")[0], func(e *models.TraceEntry) {
		switch {
		case e.What == models.Sent:
			requests[e.Backend]++
		case e.What == models.SubConnChanged && e.State == policies.Ready:
			connections[e.Backend]++
		case e.What == models.Ended:
			ended++
			if e.Code == policies.ResourceExhausted {
				refused++
			}
		}
	})
	if connections != [3]int{125, 125, 0} || requests[2] != 0 {
		t.Errorf("connections %v, want 125, 125, 0; the third server got %d requests, want none",
			connections, requests[2])
	}
	// Each of the others gets 125 a second and can serve 100.
	near(t, "share of requests that are turned away", refused/ended, 0.2, 0.005)
}

// The share of one run is that of 250 clients, each by itself: its standard deviation is at most
// sqrt(1/3·2/3/250) = 0.03, that of the median of 20 seeds 0.01.
func TestC03WithGoAwayTheThirdServerFills(t *testing.T) {
	moments := []float64{300, 1000, 2000, 3000}
	of := make([][]float64, len(moments))
	for _, v := range variants(t, "c03-lopsided-behind-l4", "seeds=20",
		"sweep={}", "backends.api.goaway_chance=0.001") {
		for i, share := range thirdShares(v, moments...) {
			of[i] = append(of[i], share)
		}
	}
	if len(of[0]) != 20 {
		t.Fatalf("%d runs, want 20", len(of[0]))
	}
	for i, at := range moments {
		want := (1 - math.Exp(-at/1000)) / 3
		near(t, fmt.Sprintf("share of the third server at %v s", at), middle(of[i]), want, 0.05)
	}
}

// In 1,000 s a connection ends some 100 times; the standard deviation of the mean life of one run
// is 10 s/sqrt(100) = 1 s, that of the median of 20 seeds 0.3 s. Requests are short here: a GOAWAY
// comes with an answer, so where those take 4 s a connection lives for 14 s.
func TestC03ABusyClientMovesEvery10Seconds(t *testing.T) {
	var lives []float64
	for _, v := range variants(t, "c03-lopsided-behind-l4", "seeds=20", "duration=1000s",
		"sweep={}", "backends.api.goaway_chance=0.001", "backends.api.service=10ms",
		"clients.node.count=1", "clients.node.rate=100/s") {
		connections, last, moved := 0., int32(-1), 0.
		watched(v, func(e *models.TraceEntry) {
			if e.What == models.SubConnChanged && e.State == policies.Ready {
				connections++
				if e.Backend != last {
					moved++
				}
				last = e.Backend
			}
		})
		if moved != connections {
			t.Errorf("seed %d: %v of %v connections went to another server than the one before",
				v.Seed, moved, connections)
		}
		lives = append(lives, 1000/connections)
	}
	near(t, "seconds from move to move", middle(lives), 10, 1)
}
