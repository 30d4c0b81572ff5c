package conformance

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// The waits of 500 SubConns whose backend is down, the second to the fifth of each, as parts of
// what they are without jitter. The first has none.
func TestJitterOfConnecting(t *testing.T) {
	const channels = 500
	s := scenario{down: []int{0}, jitter: 0.2, until: ms(25e3)}
	for range channels {
		s.clients = append(s.clients, calls(0)...)
	}
	nominal := []time.Duration{time.Second, ms(1600), ms(2560), ms(4096), ms(6553.6)}
	compareWaits(t, &s, ": dial", 1, nominal, channels)
}

// The waits of 500 RPCs before each of their four retries; the last two are as long as they may be.
// The one worker is busy with the first call, so that all others are turned away.
func TestJitterOfRetries(t *testing.T) {
	const rpcs = 500
	s := scenario{workers: 1, service: at(1e6), until: ms(10e3),
		retry: &serviceconfig.Retry{
			MaxAttempts: 5, Codes: 1 << policies.Unavailable, Multiplier: 2,
			InitialBackoff: ms(100), MaxBackoff: ms(300),
		},
		clients: []client{{at: append(at(0), every(rpcs, 100, 1)...)}},
	}
	nominal := []time.Duration{ms(100), ms(200), ms(300), ms(300)}
	compareWaits(t, &s, ": call", 0, nominal, rpcs)
}

// compareWaits plays a scenario on both sides, and compares the waits between what is made or sent
// again by the same party. They are without jitter before the wait with number first. Each party
// has all the nominal waits, if it waits at all.
func compareWaits(
	t *testing.T, s *scenario, of string, first int, nominal []time.Duration, parties int,
) {
	t.Helper()
	s = s.withDefaults()
	s.note(t)
	sides := [2][]line{playReal(t, s), playOurs(s, 1)}
	var samples [2][]float64
	for i, lines := range sides {
		for who, moments := range again(lines, of) {
			if len(moments) < len(nominal) {
				continue // the call that is served
			}
			for n, want := range nominal {
				wait := moments[n+1] - moments[n] - 2*s.delay
				if n < first && wait != want {
					t.Errorf("side %d, %s: wait %d is %v, want %v", i, who, n, wait, want)
				}
				if n >= first {
					samples[i] = append(samples[i], float64(wait)/float64(want))
				}
			}
		}
		if got, want := len(samples[i]), parties*(len(nominal)-first); got != want {
			t.Fatalf("side %d: %d waits, want %d", i, got, want)
		}
		slices.Sort(samples[i])
	}
	// A bound that equal distributions pass but once in a million times: grpc-go's draws have no
	// seed. With 2000 waits on each side it is 0.085; a jitter of 0.15 in place of 0.2 is 0.125.
	n := float64(len(samples[0]))
	bound := math.Sqrt(-math.Log(1e-6/2)/2) * math.Sqrt(2/n)
	d := distance(samples[0], samples[1])
	text := fmt.Sprintf("%v waits on each side, grpc-go's from %.4f to %.4f, lbsim's from %.4f "+
		"to %.4f: distance %.4f, bound %.4f", n, samples[0][0], samples[0][int(n)-1],
		samples[1][0], samples[1][int(n)-1], d, bound)
	if t.Log(text); d > bound {
		t.Error("the distributions differ")
	}
	for i, all := range samples {
		if all[0] < 0.8 || all[0] > 0.81 || all[len(all)-1] > 1.2 || all[len(all)-1] < 1.19 {
			t.Errorf("side %d: waits are not 0.8 to 1.2 of what they are without jitter", i)
		}
	}
}

// again returns the moments at which each of those with this in their name was made or sent.
func again(lines []line, of string) map[string][]time.Duration {
	moments := make(map[string][]time.Duration)
	for _, l := range lines {
		if strings.Contains(l.who, of) && strings.HasPrefix(l.what, "is ") {
			moments[l.who] = append(moments[l.who], l.at)
		}
	}
	return moments
}

// distance is the Kolmogorov–Smirnov statistic of two sorted samples: how far their distribution
// functions are apart where they are farthest.
func distance(a, b []float64) (most float64) {
	for i, k := 0, 0; i < len(a) && k < len(b); {
		x := min(a[i], b[k])
		for i < len(a) && a[i] == x {
			i++
		}
		for k < len(b) && b[k] == x {
			k++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(k)/float64(len(b))))
	}
	return most
}
