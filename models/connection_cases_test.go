package models_test

import (
	"math"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/failures"
	"lbsim/models/resolvers"
	"lbsim/policies"
)

// These are cases from the field, as people have reported them about real systems: grpc-java issue
// 5366, etcd issue 7941, letsencrypt/boulder pull request 3642. Their values are closed forms.

// caseWorld is one backend group, workers enough, and one client group of which each client begins
// some RPCs.
func caseWorld(duration, service time.Duration, backends, clients int) *models.Config {
	return &models.Config{
		Seed: 1, Duration: duration, Bin: duration,
		Clients: []models.ClientGroup{{
			Name: "c", Count: clients, Rate: 1, Arrivals: models.EvenArrivals,
		}},
		Backends: []models.BackendGroup{{
			Name: "b", Count: backends, Workers: 100_000, Queue: -1,
			Speed: 1, Weight: 1, ZoneWeight: 1,
			Service: dist.Constant(service), PingMinTime: 5 * time.Minute,
		}},
		Network:  models.Network{Delay: dist.Constant(100 * time.Microsecond)},
		Resolver: resolvers.Static{},
		Policy:   policies.PickFirst{},
		Trace:    &models.Trace{},
	}
}

// entries runs a world and returns what happened of a kind.
func entries(cfg *models.Config, what models.TraceKind) []models.TraceEntry {
	models.New(cfg).Run(math.MaxInt)
	var list []models.TraceEntry
	for _, e := range cfg.Trace.Entries {
		if e.What == what {
			list = append(list, e)
		}
	}
	return list
}

// 1,500 clients connect within a second, to a server with a maximum age of 10 min. They come back
// between 9 and 11 min later, 12.5 a second; without jitter, all at once; and with it the bursts
// spread with time, from 9 a second at the peak towards the mean of 2.5.
func TestMaxConnectionAgeSynchronisesClients(t *testing.T) {
	dials := func(jitter float64) (
		in func(from, to float64) int, peak func(from, to float64) float64,
	) {
		cfg := caseWorld(18_400*time.Second, time.Millisecond, 1, 1500)
		cfg.Policy = policies.RoundRobin{} // connects again by itself
		cfg.Clients[0].Rate, cfg.Clients[0].Requests = 1500, 1
		cfg.Backends[0].MaxConnectionAge, cfg.Backends[0].AgeJitter = 10*time.Minute, jitter
		list := entries(cfg, models.Dialled)
		in = func(from, to float64) (n int) {
			for _, e := range list {
				if s := time.Duration(e.At).Seconds(); from <= s && s < to {
					n++
				}
			}
			return n
		}
		peak = func(from, to float64) (most float64) {
			for s := from; s+10 <= to; s++ {
				most = max(most, float64(in(s, s+10))/10)
			}
			return most
		}
		return in, peak
	}
	in, peak := dials(0.1)
	if n := in(540, 662); n != 1500 {
		t.Errorf("%d clients came back from 540 s to 661 s, want all 1500", n)
	}
	if n := in(1080, 1323); n < 1490 || n > 1510 {
		t.Errorf("%d came back in the second cycle, want 1500", n)
	}
	for _, row := range []struct{ from, to, least, most float64 }{
		{540, 661, 12.5, 17},   // 12.5, and what chance adds to the best of 110 windows
		{3000, 3600, 7.5, 11},  // about 9
		{17700, 18300, 3.5, 6}, // about 4.5
	} {
		if got := peak(row.from, row.to); got < row.least || got > row.most {
			t.Errorf("peak from %v s to %v s: %v/s, want %v to %v",
				row.from, row.to, got, row.least, row.most)
		}
	}
	if in, _ := dials(0); in(600, 601.1) != 1500 {
		t.Errorf("without jitter %d came back at 600 s, want 1500", in(600, 601.1))
	}
}

// A node dies without a word. The client that is pinned to it gets deadlines for as long as TCP
// tries, 924 s as Linux does, or until keepalive notices.
func TestDeadNodeWithoutKeepalive(t *testing.T) {
	const from = 10 * time.Second
	for _, row := range []struct {
		name        string
		change      func(cfg *models.Config)
		least, most float64 // seconds from the first failure to the last
		share       float64 // of the RPCs that begin in the first 900 s and fail
	}{
		{"no keepalive", func(*models.Config) {}, 915, 930, 1},
		{"round_robin over three", func(cfg *models.Config) {
			cfg.Policy = policies.RoundRobin{}
		}, 915, 930, 1. / 3},
		{"keepalive", func(cfg *models.Config) {
			cfg.Clients[0].KeepaliveTime = 30 * time.Second
			cfg.Clients[0].KeepaliveTimeout = 15 * time.Second
		}, 35, 50, 45. / 900},
		{"and TCP_USER_TIMEOUT", func(cfg *models.Config) {
			cfg.Clients[0].KeepaliveTime = 30 * time.Second
			cfg.Clients[0].KeepaliveTimeout = 15 * time.Second
			cfg.Network.UserTimeout = true
		}, 10, 20, 15. / 900},
	} {
		t.Run(row.name, func(t *testing.T) {
			cfg := caseWorld(20*time.Minute, 10*time.Millisecond, 3, 1)
			cfg.Clients[0].Timeout = 5 * time.Second
			cfg.Network.GiveUp = 924600 * time.Millisecond
			cfg.Failures = []models.Failure{failures.Blackhole{
				Backends: []string{"b/0"}, From: time.Duration(from),
			}}
			row.change(cfg)
			var failed, first, last float64
			for _, e := range entries(cfg, models.Ended) {
				if e.Code == policies.OK {
					continue
				}
				last = time.Duration(e.At).Seconds()
				if failed++; failed == 1 {
					first = last
				}
			}
			if d := last - first; d < row.least || d > row.most {
				t.Errorf("failures for %v s, want %v to %v", d, row.least, row.most)
			}
			if got := failed / 900; got < row.share-0.03 || got > row.share+0.03 {
				t.Errorf("%v RPCs failed, %v of 900; want %v", failed, got, row.share)
			}
		})
	}
}

// 300 RPCs a second of 1 s each over a connection of 250 streams: a queue that grows by 50 a second
// and holds up the last RPC of a minute for 50·60/250 s = 12 s, while the server is not busy. (RPC
// 17,999 starts 71 s after RPC 249, which starts at 0.83 s: at 71.85 s, 11.85 s after it began.)
// Two connections have no queue.
func TestConcurrentStreamLimitIsAHiddenQueue(t *testing.T) {
	for _, row := range []struct {
		clients int
		want    float64 // seconds that the last RPC waits
	}{
		{1, 12}, {2, 0},
	} {
		cfg := caseWorld(80*time.Second, time.Second, 1, row.clients)
		cfg.Clients[0].Rate, cfg.Clients[0].Requests = 300, uint64(18000/row.clients)
		cfg.Backends[0].MaxStreams = 250
		sent := entries(cfg, models.Sent)
		waits := make(map[uint64]float64) // of client 0, by number
		rate := 300 / float64(row.clients)
		perSecond := make([]int, 80)
		for _, e := range sent {
			if e.Client == 0 {
				waits[e.RPC] = time.Duration(e.At).Seconds() - float64(e.RPC)/rate
			}
			perSecond[int(time.Duration(e.At).Seconds())]++
		}
		last := uint64(18000/row.clients) - 1
		if got := waits[last]; math.Abs(got-row.want) > 0.2 {
			t.Errorf("%d connections: the last RPC of the minute waits %v s, want %v",
				row.clients, got, row.want)
		}
		if got := perSecond[30]; math.Abs(float64(got)-300+50*min(1, row.want)) > 1 {
			t.Errorf("%d connections: %d RPCs sent in second 30", row.clients, got)
		}
	}
}

// 300 streams of 15 min over a connection of 100: a third at once, a third after 15 min, the rest
// after 30.
func TestLongStreamsOverOneConnection(t *testing.T) {
	cfg := caseWorld(time.Hour, 15*time.Minute, 1, 1)
	cfg.Clients[0].Rate, cfg.Clients[0].Requests = 300, 300
	cfg.Backends[0].MaxStreams = 100
	var in [3]int
	for _, e := range entries(cfg, models.Sent) {
		in[int(time.Duration(e.At)/(15*time.Minute))]++
	}
	if in != [3]int{100, 100, 100} {
		t.Errorf("streams that start in each quarter of an hour: %v, want 100 each", in)
	}
}
