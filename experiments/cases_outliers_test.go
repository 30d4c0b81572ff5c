package experiments_test

import (
	"fmt"
	"testing"
	"time"

	"lbsim/experiments/runner"
	"lbsim/models"
	"lbsim/policies"
	"lbsim/sim"
)

// Cases from the world, with what was seen there as pass conditions: those about outliers.

// servedEach returns how many RPCs each of three backends got in each second.
func servedEach(v runner.Variant) (got [][3]int) {
	got = make([][3]int, int(v.Config.Duration.Seconds())+1)
	for _, e := range traced(v) {
		if e.What == models.Sent {
			got[int(time.Duration(e.At).Seconds())][e.Backend]++
		}
	}
	return got
}

func TestC20EjectionCap(t *testing.T) {
	for _, row := range []struct{ limit, ejected int }{{67, 3}, {66, 2}, {33, 1}, {10, 1}, {0, 0}} {
		set := fmt.Sprint("policies.outlier_detection.max_ejection_percent=", row.limit)
		got := servedEach(variants(t, "c20-ejection-cap", set)[0])
		// The first sweep is 10 s from the start and the first way back, after more than 30 s,
		// 40 s later.
		for s := 11; s < 49; s++ {
			none := 0
			for _, n := range got[s] {
				if n == 0 {
					none++
				}
			}
			if none != row.ejected {
				t.Fatalf("limit %d: in second %d RPCs go to %v, want %d of three to get none",
					row.limit, s, got[s], row.ejected)
			}
		}
	}
}

func TestC20AllEjectedIsAnOutage(t *testing.T) {
	v := variants(t, "c20-ejection-cap", "failures.all.to=30s")[0]
	for _, r := range rpcsOf(v) {
		// All are back 40 s after the sweep at 10 s, however well they are from 30 s on.
		if ok := r.start >= at(50); (r.code == policies.OK) != ok {
			t.Fatalf("RPC of %v: %v, want UNAVAILABLE until all are back at 50s and OK then",
				r.start, r.code)
		}
	}
	for s, n := range servedEach(v) {
		if inside := s > 10 && s < 50; inside && n != [3]int{} {
			t.Errorf("second %d: RPCs go to %v, want none while all are ejected", s, n)
		}
	}
}

// Each time an endpoint is ejected for 30 s more: from 10 s to 50 s, and from 60 s to 130 s.
func TestC20EjectionsGrow(t *testing.T) {
	for s, n := range servedEach(variants(t, "c20-ejection-cap")[0]) {
		in := s < 10 || s >= 50 && s < 60 || s >= 130 && s < 140
		if (n != [3]int{}) != in {
			t.Errorf("second %d: RPCs go to %v, want some: %v", s, n, in)
		}
	}
}

// With outlier detection RPCs fail for no more than two intervals, and again each time when the
// dead node is let back, which is ever later: after 40 s, 70 s, 100 s …
func TestC06OutlierDetection(t *testing.T) {
	var failed, all int
	var begins, lasts []float64
	last := sim.Time(0)
	for _, r := range rpcsOf(variants(t, "c06-dead-node")[2]) {
		if r.start > at(934) {
			break // TCP has given up
		}
		all++
		if r.code == policies.OK {
			continue
		}
		failed++
		s := time.Duration(r.start).Seconds()
		if last == 0 || r.start.Sub(last) > 20*time.Second {
			begins, lasts = append(begins, s), append(lasts, 0)
		}
		last = r.start
		lasts[len(lasts)-1] = s - begins[len(begins)-1]
	}
	for i := range begins {
		if lasts[i] > 20 {
			t.Errorf("RPCs from %v s on fail for %v s, want 20 at most", begins[i], lasts[i])
		}
	}
	if n := len(begins); n < 6 || n > 8 || failed > all/10 {
		t.Errorf("failures begin at %v s, %d of %d RPCs; want 6 to 8 times and a tenth at most",
			begins, failed, all)
	}
}
