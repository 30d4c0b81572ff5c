package models_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/resolvers"
	"lbsim/options"
	"lbsim/policies"
)

// benchConfig is a world of 100 clients and 50 backends of 4 workers at load 0.8, with all that a
// user gets by default: deadlines, records, connection states, the digest.
func benchConfig(tb testing.TB, policy policies.Policy) *models.Config {
	tb.Helper()
	const backends, workers, load = 50, 4, 0.8
	service := parse(tb, "exp(mean=10ms)")
	return &models.Config{
		Seed: 1, Duration: time.Hour, Bin: time.Second,
		Clients: []models.ClientGroup{{
			Name: "web", Count: 100, Timeout: time.Second,
			Rate: options.Rate(load * backends * workers / service.Mean()),
		}},
		Backends: []models.BackendGroup{{
			Name: "b", Count: backends, Workers: workers, Queue: -1,
			Speed: 1, Weight: 1, ZoneWeight: 1, Service: service,
		}},
		Network:  models.Network{Delay: parse(tb, "lognormal(p50=200us, p99=600us)")},
		Resolver: resolvers.Static{},
		Policy:   policy,
	}
}

func parse(tb testing.TB, text string) dist.Distribution {
	tb.Helper()
	d, err := dist.Parse(text, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// BenchmarkWorld reports what one core simulates per second of whole worlds of so many backends.
func BenchmarkWorld(b *testing.B) {
	for _, backends := range []int{10, 50, 100, 1000, 5000} {
		b.Run(fmt.Sprint(backends), func(b *testing.B) {
			cfg := benchConfig(b, policies.LeastRequest{ChoiceCount: 2})
			cfg.Clients[0].Rate *= options.Rate(backends) / options.Rate(cfg.Backends[0].Count)
			cfg.Backends[0].Count = backends
			w := models.New(cfg)
			w.Run(10_000 * backends) // connect, and let the slabs grow
			b.ReportAllocs()
			before := w.Progress()
			for b.Loop() {
				w.Run(100_000)
			}
			after := w.Progress()
			perSecond := func(n uint64) float64 { return float64(n) / b.Elapsed().Seconds() }
			b.ReportMetric(perSecond(after.Events-before.Events), "events/s")
			b.ReportMetric(perSecond(after.Ended-before.Ended), "RPC/s")
		})
	}
}

// BenchmarkReportingWorld is the same world where each reply reports load, and clients listen.
func BenchmarkReportingWorld(b *testing.B) {
	cfg := benchConfig(b, nil)
	listenToLoad(cfg, false)
	w := models.New(cfg)
	w.Run(1_000_000)
	b.ReportAllocs()
	before := w.Progress()
	for b.Loop() {
		w.Run(100_000)
	}
	b.ReportMetric(float64(w.Progress().Ended-before.Ended)/b.Elapsed().Seconds(), "RPC/s")
}

// BenchmarkStart sets up worlds of so many clients and backends, and has all clients connect.
func BenchmarkStart(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			cfg := benchConfig(b, policies.LeastRequest{ChoiceCount: 2})
			cfg.Clients[0].Count, cfg.Clients[0].Rate, cfg.Clients[0].Callers = n, 0, 1
			cfg.Clients[0].Requests, cfg.Clients[0].Think = 1, parse(b, "0s")
			cfg.Bin, cfg.Duration = time.Second, time.Second
			cfg.Backends[0].Count = n
			b.ReportAllocs()
			for b.Loop() {
				models.New(cfg).Run(1 << 40)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*n), "ns/SubConn")
		})
	}
}

// BenchmarkIdleSubConn reports the memory of a SubConn that is READY and idle, with all that its
// channel and its policy keep for it.
func BenchmarkIdleSubConn(b *testing.B) {
	const clients, backends = 200, 1000
	for b.Loop() {
		cfg := benchConfig(b, policies.RoundRobin{})
		cfg.Clients[0].Count, cfg.Clients[0].Rate, cfg.Clients[0].Callers = clients, 0, 1
		cfg.Clients[0].Requests, cfg.Clients[0].Think = 1, parse(b, "0s")
		cfg.Bin = cfg.Duration // so that no series is kept
		cfg.Backends[0].Count = backends
		before := heap()
		w := models.New(cfg)
		w.Run(2_000_000)
		b.ReportMetric(float64(heap()-before)/(clients*backends), "B/SubConn")
		runtime.KeepAlive(w)
	}
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
