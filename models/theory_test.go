package models_test

import (
	"math"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/record"
	"lbsim/models/resolvers"
	"lbsim/options"
	"lbsim/policies"
)

// station is one backend, without a network, at which Poisson arrivals queue for workers.
type station struct {
	clients, workers int
	service          string
	mean             float64 // seconds of work
	load             float64 // share of the workers that is needed
}

func (s station) rate() float64 { return s.load * float64(s.workers) / s.mean }

// runs makes ten runs, seeds 1 to 10, of some 600,000 RPCs each behind a warm-up of a tenth.
func (s station) runs(t *testing.T) (runs []*record.Run) {
	const rpcs, seeds = 600_000, 10
	length := time.Duration(rpcs / s.rate() * 1e9)
	for seed := range uint64(seeds) {
		run, _ := run(&models.Config{
			Seed: seed + 1, Duration: length + length/10, Warmup: length / 10, Bin: 2 * length,
			Clients: []models.ClientGroup{{
				Name: "c", Count: s.clients, Rate: options.Rate(s.rate()),
			}},
			Backends: []models.BackendGroup{{Name: "b", Count: 1, Workers: s.workers, Queue: -1,
				Speed: 1, Weight: 1, ZoneWeight: 1, Service: parse(t, s.service)}},
			Network:  models.Network{Delay: parse(t, "0s")},
			Resolver: resolvers.Static{},
			Policy:   policies.PickFirst{},
		}, math.MaxInt)
		runs = append(runs, run)
	}
	return runs
}

// agrees compares the mean of a measure over the runs with theory: theory must lie in the interval
// of 99 % confidence (Student's t with 9 degrees of freedom: 3.25 standard errors), and the
// interval must be narrow enough, else the test would see nothing. Seeds are fixed: no run is
// unlucky.
func agrees(t *testing.T, what string, runs []*record.Run, want, narrow float64,
	measure func(*record.Run) float64) {
	t.Helper()
	const t99 = 3.2498
	var sum, squares float64
	for _, r := range runs {
		sum += measure(r)
	}
	n := float64(len(runs))
	mean := sum / n
	for _, r := range runs {
		squares += (measure(r) - mean) * (measure(r) - mean)
	}
	half := t99 * math.Sqrt(squares/(n-1)/n)
	t.Logf("%s: %.6g ± %.2g (99 %%), theory %.6g", what, mean, half, want)
	if math.Abs(mean-want) > half || half > narrow*want {
		t.Errorf("%s: got %.6g ± %.2g from %d runs, want %.6g in an interval of at most ± %.2g",
			what, mean, half, len(runs), want, narrow*want)
	}
}

func meanLatency(r *record.Run) float64 { return r.Succeeded.Mean().Seconds() }

func quantile(q float64) func(*record.Run) float64 {
	return func(r *record.Run) float64 { return r.Succeeded.Quantile(q).Seconds() }
}

// agreeOnLoad checks what holds at every station: the workers are busy for as long as there is
// work, and Little's law, the number of requests held is their rate times their latency.
func (s station) agreeOnLoad(t *testing.T, runs []*record.Run) {
	t.Helper()
	agrees(t, "utilisation", runs, s.load, 0.005, func(r *record.Run) float64 {
		return r.Backends[0].Utilization
	})
	for i, r := range runs {
		held := r.Backends[0].Held * r.Measured.Seconds()
		latencies := r.Succeeded.Mean().Seconds() * float64(r.Succeeded.Count())
		// They differ by the few requests that are there at the beginning or the end only.
		if off := held/latencies - 1; math.Abs(off) > 0.001 {
			t.Errorf("run %d: %.6g request-seconds at the backend, latencies add up to %.6g s",
				i, held, latencies)
		}
		if r.Open > 200 || r.Succeeded.Count() < 590_000 || r.Failed > 0 {
			t.Errorf("run %d: %d RPCs ended OK, %d failed, %d are open",
				i, r.Succeeded.Count(), r.Failed, r.Open)
		}
	}
}

// M/M/1: the latency is exponential with rate mu - lambda.
func TestOneWorker(t *testing.T) {
	s := station{clients: 1, workers: 1, service: "exp(mean=10ms)", mean: 0.010, load: 0.7}
	runs := s.runs(t)
	mean := 1 / (1/s.mean - s.rate())
	agrees(t, "mean", runs, mean, 0.015, meanLatency)
	agrees(t, "p50", runs, mean*math.Ln2, 0.015, quantile(0.5))
	agrees(t, "p99", runs, mean*math.Log(100), 0.03, quantile(0.99))
	s.agreeOnLoad(t, runs)
}

// M/M/4, from eight clients: an RPC has to wait with Erlang's probability C, then for an
// exponential time with rate c mu - lambda.
func TestSeveralWorkers(t *testing.T) {
	s := station{clients: 8, workers: 4, service: "exp(mean=10ms)", mean: 0.010, load: 0.8}
	runs := s.runs(t)
	offered := s.load * float64(s.workers)
	term, sum := 1., 0. // offered^k / k!
	for k := range s.workers {
		sum += term
		term *= offered / float64(k+1)
	}
	c := term / (1 - s.load) / (sum + term/(1-s.load))
	wait := c / (float64(s.workers)/s.mean - s.rate())
	agrees(t, "mean", runs, s.mean+wait, 0.015, meanLatency)
	agrees(t, "mean queue", runs, wait*s.rate(), 0.03, func(r *record.Run) float64 {
		return r.Backends[0].Queue
	})
	s.agreeOnLoad(t, runs)
}

// M/G/1: Pollaczek and Khinchine give the mean wait, lambda E[S^2] / 2 (1 - rho).
func TestGeneralService(t *testing.T) {
	const p50, z99 = 0.010, 2.3263478740408408
	sigma := math.Log(4) / z99
	mean := p50 * math.Exp(sigma*sigma/2)
	second := mean * mean * math.Exp(sigma*sigma)
	s := station{clients: 1, workers: 1, service: "lognormal(p50=10ms, p99=40ms)", mean: mean,
		load: 0.7}
	runs := s.runs(t)
	agrees(t, "mean", runs, mean+s.rate()*second/2/(1-s.load), 0.015, meanLatency)
	s.agreeOnLoad(t, runs)
}
