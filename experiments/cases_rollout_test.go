package experiments_test

import (
	"testing"
	"time"

	"lbsim/experiments/runner"
	"lbsim/models"
	"lbsim/policies"
)

// Cases from the world, with what was seen there as pass conditions: those about servers that
// leave, or send their clients away.

// retryOnce is a service config that tries an RPC once more, at once or nearly.
const retryOnce = `service_config={"methodConfig": [{"name": [{}], "retryPolicy": {
	"maxAttempts": 2, "initialBackoff": "0.001s", "maxBackoff": "0.001s", "backoffMultiplier": 1,
	"retryableStatusCodes": ["UNAVAILABLE"]}}]}`

func TestC25PodGoneBeforeItsEndpoint(t *testing.T) {
	for _, row := range []struct {
		name        string
		set         []string
		least, most int // RPCs that fail at each replacement
	}{
		{"nothing done", nil, 270, 330},
		{"served for 3 s more", []string{"failures.first.from=33s",
			"failures.second.from=63s", "failures.third.from=93s"}, 0, 0},
		{"GOAWAY", []string{"failures.first.kind=stop",
			"failures.second.kind=stop", "failures.third.kind=stop"}, 0, 0},
		{"killed, and the client hears of it", []string{"failures.first.kind=crash",
			"failures.second.kind=crash", "failures.third.kind=crash"}, 0, 3},
		{"killed, and tried again", []string{"failures.first.kind=crash",
			"failures.second.kind=crash", "failures.third.kind=crash", retryOnce}, 0, 0},
		{"tried again", []string{retryOnce}, 0, 0},
	} {
		var failed [4]int // from each replacement to the next, and before the first
		all := rpcsOf(variants(t, "c25-pod-gone-before-its-endpoint", row.set...)[0])
		for _, r := range all {
			if r.code != policies.OK {
				failed[int(time.Duration(r.end)/(30*time.Second))]++
			}
		}
		if failed[0] > 0 || len(all) < 35_900 {
			t.Errorf("%s: %d RPCs, of which %d failed before the first replacement",
				row.name, len(all), failed[0])
		}
		for i, n := range failed[1:] {
			if n < row.least || n > row.most {
				t.Errorf("%s: %d RPCs failed at replacement %d, want %d to %d",
					row.name, n, i, row.least, row.most)
			}
		}
	}
}

// dials returns when clients began to connect in a run, in seconds.
func dials(v runner.Variant) (list []float64) {
	for _, e := range traced(v) {
		if e.What == models.Dialled {
			list = append(list, time.Duration(e.At).Seconds())
		}
	}
	return list
}

// between returns how many of ascending moments are in a window.
func between(moments []float64, from, to float64) (n int) {
	for _, s := range moments {
		if from <= s && s < to {
			n++
		}
	}
	return n
}

// peak returns the highest rate over 10 s in a window.
func peak(moments []float64, from, to float64) (most float64) {
	for s := from; s+10 <= to; s++ {
		most = max(most, float64(between(moments, s, s+10))/10)
	}
	return most
}

func TestC04ReconnectsInStep(t *testing.T) {
	all := dials(variants(t, "c04-reconnects-in-step")[0])
	// A stream fails 1.001 s after its connection's age, and then the client comes back.
	const late = 1.1
	for _, row := range []struct {
		from, to    float64
		least, most int
	}{
		{0, 1, 1500, 1500},
		{1, 540, 0, 0},
		{540, 660 + late, 1500, 1500},
		{1080, 1320 + 2*late, 1490, 1510},
	} {
		if n := between(all, row.from, row.to); n < row.least || n > row.most {
			t.Errorf("%d clients connected from %v s to %v s, want %d to %d",
				n, row.from, row.to, row.least, row.most)
		}
	}
	near(t, "peak from 3,000 s to 3,600 s", peak(all, 3000, 3600), 9, 1.5)
	near(t, "peak from 17,700 s to 18,300 s", peak(all, 17700, 18300), 4.5, 1)
	near(t, "mean from 17,400 s to 18,000 s", float64(between(all, 17400, 18000))/600, 2.5, 0.25)
}

func TestC04WithoutJitterAllAtOnce(t *testing.T) {
	all := dials(variants(t, "c04-reconnects-in-step", "duration=700s",
		"backends.pod.max_connection_age_jitter=0")[0])
	if n := between(all, 601, 601.1); n != 1500 || len(all) != 3000 {
		t.Errorf("%d of %d connections began 601 s after the start, want 1500 of 3000",
			n, len(all))
	}
}
