package models_test

import (
	"math"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/policies"

	"pgregory.net/rapid"
)

// reporting makes backends report their load, or not.
func (d *drawn) reporting(g models.BackendGroup) models.BackendGroup {
	g.LoadReport = pick(d.bool("per call"), models.LoadPerCall, 0) |
		pick(d.bool("out of band"), models.LoadOutOfBand, 0)
	g.LoadMinInterval = time.Duration(d.int("seconds between reports", 10, 60)) * time.Second
	g.LoadWindow = time.Duration(d.int("window", 1, 100)) * time.Millisecond
	return g
}

// listening makes a policy that listens to load reports take notice of some in a short run.
func (d *drawn) listening(p policies.Policy) policies.Policy {
	if w, ok := p.(policies.WeightedRoundRobin); ok {
		w.EnableOOB = d.bool("listens out of band")
		w.BlackoutPeriod, w.UpdatePeriod = 0, time.Minute
		return w
	}
	return p
}

// listenToLoad makes backends report their load, in one way, and clients listen, which make no new
// shares of it.
func listenToLoad(cfg *models.Config, outOfBand bool) {
	w := policies.Catalog["weighted_round_robin"].(policies.WeightedRoundRobin)
	w.EnableOOB, w.OOBPeriod, w.UpdatePeriod = outOfBand, 10*time.Millisecond, time.Hour
	cfg.Policy = w
	g := &cfg.Backends[0]
	g.LoadReport = pick(outOfBand, models.LoadOutOfBand, models.LoadPerCall)
	g.LoadWindow, g.LoadMinInterval = time.Second, time.Millisecond
}

// Reports to which nobody listens change nothing.
func TestReportsAreFree(t *testing.T) {
	check(t, func(t *rapid.T) {
		cfg := draw(t)
		if _, listens := cfg.Policy.(policies.WeightedRoundRobin); listens {
			cfg.Policy = policies.RoundRobin{}
		}
		with, _ := run(cfg, math.MaxInt)
		for i := range cfg.Backends {
			g := &cfg.Backends[i]
			g.LoadReport ^= models.LoadPerCall | models.LoadOutOfBand
		}
		if other, _ := run(cfg, math.MaxInt); other.Digest != with.Digest {
			t.Fatalf("digest %x, and %x where others report", with.Digest, other.Digest)
		}
	})
}
