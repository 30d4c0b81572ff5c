package analysis_test

import (
	"math"
	"strings"
	"testing"

	"lbsim/experiments"
)

// prompts is an experiment of 64 prompts of 8 samples each on 8 workers, where all of a prompt go
// to one worker, which a hash chooses.
const prompts = `
duration = "20s"
seeds    = 40
[clients.prompt]
count      = 64
rate       = "640/s"
requests   = 8
key        = "client"
key_header = "x-prompt"
[backends.worker]
count   = 8
workers = 128
service = "1ms"
[policies.together]
kind = "ring_hash"
request_hash_header = "x-prompt"
min_ring_size = 4096
`

// mostBalls is the mean of the greatest of the counts of balls in bins, each of which a ball is as
// likely to fall into. The chance that no count is above m is n! / bins^n times the coefficient of
// x^n in (1 + x + x²/2! + … + x^m/m!)^bins.
func mostBalls(balls, bins int) (mean float64) {
	for m := range balls { // the sum of the chances that the greatest is above m
		ways := make([]float64, balls+1) // of k balls in the bins so far, each over k!
		ways[0] = 1
		for range bins {
			next := make([]float64, balls+1)
			for k, w := range ways {
				for i, f := 0, 1.; i <= m && k+i <= balls; i++ {
					next[k+i] += w / f
					f *= float64(i + 1)
				}
			}
			ways = next
		}
		chance := ways[balls]
		for k := 1; k <= balls; k++ {
			chance *= float64(k) / float64(bins)
		}
		mean += 1 - chance
	}
	return mean
}

// Where a hash puts things is drawn with the seed: over 40 seeds the mean skew is that of balls
// thrown into bins at random. The ring has 512 points a worker, so that their parts of it differ by
// 4 %, which adds 0.005 to the skew: a tenth of the half width.
func TestIntervalsHoldWhereAHashPutsThings(t *testing.T) {
	if got := mostBalls(2, 2); math.Abs(got-1.5) > 1e-12 { // 2 or 1, as likely
		t.Fatalf("2 balls in 2 bins: the most is %v, want 1.5", got)
	}
	want := mostBalls(64, 8) / 8
	p := concluded(t, prompts).Points[0]
	f := metricOf(p, "skew").Over(p.Policies[0].Runs)
	if f.Half == nil || *f.Half < 0.03 || *f.Half > 0.15 || math.Abs(*f.Mean-want) > *f.Half {
		t.Errorf("skew %v ± %v, want an interval that holds %v", *f.Mean, *f.Half, want)
	}
	fixed := concluded(t, prompts, `addresses_and_keys="fixed"`, "seeds=3").Points[0]
	f = metricOf(fixed, "skew").Over(fixed.Policies[0].Runs)
	if *f.Half > 1e-9 {
		t.Errorf("fixed: skew %v ± %v, want the same from all seeds", *f.Mean, *f.Half)
	}
}

func TestWhatAddressesAndKeysMayBe(t *testing.T) {
	_, err := experiments.Load(fileOf(t, "addresses_and_keys = \"random\"\n"+prompts),
		experiments.Options{})
	const want = `1: addresses_and_keys: unknown texts "random" (have fixed, drawn)`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
