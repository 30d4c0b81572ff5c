package models_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/failures"
	"lbsim/policies"
)

// reporter is round_robin that writes down the load reports that it gets. It asks for them where
// every is not 0, and asks again, or no more, when the time has come.
type reporter struct {
	every, then time.Duration
	at          time.Duration // of then
	lines       *[]string
}

func (r reporter) Doc() string { return "what backends report" }

func (r reporter) Build(h policies.Host) policies.Balancer {
	b := &reporting{Host: h, reporter: r}
	b.Balancer = policies.RoundRobin{}.Build(b)
	return b
}

type reporting struct {
	policies.Host
	policies.Balancer
	policies.Picker
	reporter
}

func (b *reporting) UpdateState(c policies.Connectivity, p policies.Picker) {
	b.Picker = p
	b.Host.UpdateState(c, b)
}

func (b *reporting) SubConnState(
	sc policies.SubConn, c policies.Connectivity, err *policies.Status,
) {
	if c == policies.Ready && b.every > 0 {
		b.WatchLoad(sc, b.every)
		if b.at > 0 {
			b.AfterFunc(b.at-time.Duration(b.Now()), func() { b.WatchLoad(sc, b.then) })
		}
	}
	b.Balancer.SubConnState(sc, c, err)
}

func (b *reporting) note(how string, sc policies.SubConn, l *policies.Load) {
	named := make(map[string]float64)
	for _, m := range l.Named {
		named[m.Name] = m.Value
	}
	*b.lines = append(*b.lines, fmt.Sprintf("%v %s %d: cpu %.3g qps %.3g eps %.3g, %v of %v wait",
		b.Now(), how, sc, l.CPU, l.QPS, l.EPS, named["queue"], named["in_flight"]))
}

func (b *reporting) LoadReport(sc policies.SubConn, l *policies.Load) { b.note("hears", sc, l) }

func (b *reporting) Done(p policies.Pick, o policies.Outcome) {
	if o.Load != nil {
		b.note("reads", p.SubConn, o.Load)
	}
	b.Picker.Done(p, o)
}

// reported runs a world of one client and one backend of two workers that take 100 ms, one way
// takes 10 ms, and returns the load reports that the policy gets.
func reported(t *testing.T, r reporter, change func(cfg *models.Config)) []string {
	t.Helper()
	cfg := watching(t)
	cfg.Clients[0].HealthCheck = false
	g := &cfg.Backends[0]
	g.Workers, g.Service = 2, parse(t, "100ms")
	g.LoadReport = models.LoadPerCall | models.LoadOutOfBand
	g.LoadWindow, g.LoadMinInterval = time.Second, time.Second
	var lines []string
	r.lines = &lines
	cfg.Policy = r
	change(cfg)
	w := models.New(cfg)
	w.Run(math.MaxInt)
	w.Finish()
	return lines
}

func calls(cfg *models.Config, milliseconds ...int) {
	for _, at := range milliseconds {
		cfg.Clients[0].At = append(cfg.Clients[0].At, time.Duration(at)*time.Millisecond)
	}
}

func wantLines(t *testing.T, name string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\ngot\n\t%s\nwant\n\t%s", name, strings.Join(got, "\n\t"),
			strings.Join(want, "\n\t"))
	}
}

func TestLoadInReplies(t *testing.T) {
	// The first call waits for the connection, which takes 30 ms: it is answered at 140 ms, when
	// one of two workers has been busy for 100 of 140 ms. The window then has grown to a second: at
	// 1140 ms it holds the second call and what came after 100 ms of the first.
	wantLines(t, "two calls", reported(t, reporter{}, func(cfg *models.Config) {
		calls(cfg, 0, 1030)
	}),
		"150ms reads 0: cpu 0.357 qps 7.14 eps 0, 0 of 1 wait",
		"1.15s reads 0: cpu 0.0673 qps 1.92 eps 0, 0 of 1 wait")
	// Five at once, and a connection for them at 1060 ms. The window at 1270 ms reaches back to
	// 200 ms, for its last tenth that has ended is that of 1200 ms; in it both workers have been
	// busy for 200 ms. One request of the three is the one that is answered.
	wantLines(t, "five calls", reported(t, reporter{}, func(cfg *models.Config) {
		calls(cfg, 1030, 1030, 1030, 1030, 1030)
	})[2:],
		"1.28s reads 0: cpu 0.187 qps 2.8 eps 0, 1 of 3 wait",
		"1.28s reads 0: cpu 0.187 qps 3.74 eps 0, 0 of 2 wait",
		"1.38s reads 0: cpu 0.234 qps 4.67 eps 0, 0 of 1 wait")
	wantLines(t, "one is too many", reported(t, reporter{}, func(cfg *models.Config) {
		cfg.Backends[0].Workers, cfg.Backends[0].Queue = 1, 0
		calls(cfg, 1030, 1040)
	}),
		"1.08s reads 0: cpu 0 qps 0.935 eps 0.935, 0 of 1 wait",
		"1.18s reads 0: cpu 0.0935 qps 1.87 eps 0.935, 0 of 1 wait")
	wantLines(t, "none where the backend has none", reported(t, reporter{}, func(c *models.Config) {
		c.Backends[0].LoadReport = models.LoadOutOfBand
		calls(c, 0)
	}))
	wantLines(t, "nor where no reply comes", reported(t, reporter{}, func(cfg *models.Config) {
		cfg.Clients[0].Timeout = 100 * time.Millisecond
		calls(cfg, 0)
	}))
}

func TestLoadOutOfBand(t *testing.T) {
	quiet := func(cfg *models.Config) { cfg.Backends[0].LoadReport = models.LoadOutOfBand }
	const idle = ": cpu 0 qps 0 eps 0, 0 of 0 wait"
	const one = " hears 0: cpu 0.0481 qps 0.962 eps 0, 0 of 0 wait" // call of 100 ms in 1040 ms
	for _, row := range []struct {
		name   string
		r      reporter
		change func(cfg *models.Config)
		want   []string
	}{
		// READY at 30 ms: the question arrives at 40 ms, the report at 50 ms.
		{"as often as asked for", reporter{every: 3 * time.Second}, func(cfg *models.Config) {
			calls(cfg, 0, 2900)
		}, []string{"50ms hears 0" + idle, "3.05s" + one,
			"6.05s hears 0" + idle, "9.05s hears 0" + idle}},
		{"not more often than the backend likes", reporter{every: time.Second},
			func(cfg *models.Config) {
				cfg.Backends[0].LoadMinInterval = 5 * time.Second
				calls(cfg, 0)
			}, []string{"50ms hears 0" + idle, "5.05s hears 0" + idle}},
		{"no such service", reporter{every: time.Second}, func(cfg *models.Config) {
			cfg.Backends[0].LoadReport &^= models.LoadOutOfBand
			calls(cfg, 0)
		}, nil},
		{"no such service, and the question had the only stream", reporter{every: time.Second},
			func(cfg *models.Config) {
				g := &cfg.Backends[0]
				g.LoadReport, g.MaxStreams = models.LoadPerCall, 1
				calls(cfg, 0) // is sent at 50 ms
			}, []string{"170ms reads 0: cpu 0.312 qps 6.25 eps 0, 0 of 1 wait"}},
		{"asked again before the question has arrived", reporter{every: 4 * time.Second,
			then: 8 * time.Second, at: 35 * time.Millisecond},
			func(cfg *models.Config) { calls(cfg, 0) },
			[]string{"55ms hears 0: cpu 0.0556 qps 0 eps 0, 0 of 1 wait", "8.055s hears 0" + idle}},
		{"another interval", reporter{every: 4 * time.Second, then: 2 * time.Second,
			at: 5 * time.Second}, func(cfg *models.Config) { calls(cfg, 0) },
			[]string{"50ms hears 0" + idle, "4.05s hears 0" + idle, "5.02s hears 0" + idle,
				"7.02s hears 0" + idle, "9.02s hears 0" + idle}},
		{"a report on its way when the interval changes", reporter{every: 4 * time.Second,
			then: 2 * time.Second, at: 4045 * time.Millisecond}, func(cfg *models.Config) {
			calls(cfg, 0)
		}, []string{"50ms hears 0" + idle, "4.065s hears 0" + idle, "6.065s hears 0" + idle,
			"8.065s hears 0" + idle}},
		{"no more", reporter{every: time.Second, at: 1500 * time.Millisecond},
			func(cfg *models.Config) { calls(cfg, 0) },
			[]string{"50ms hears 0" + idle, "1.05s" + one}},
		{"a crash ends it, another connection begins it anew", reporter{every: time.Second},
			func(cfg *models.Config) {
				cfg.Backends[0].LoadWindow = time.Hour // of the new process nothing yet
				calls(cfg, 0, 1450)                    // which is lost
				cfg.Failures = append(cfg.Failures, failures.Crash{Backends: []string{"b"},
					From: time.Duration(1500 * time.Millisecond),
					To:   time.Duration(6 * time.Second)})
				steady := models.DefaultBackoff()
				steady.Jitter = 0
				cfg.Backoff = &steady // it tries again at 2.53 s, 4.15 s and 6.73 s
			}, []string{"50ms hears 0" + idle, "1.05s" + one, "6.78s hears 0" + idle,
				"7.78s hears 0" + idle, "8.78s hears 0" + idle, "9.78s hears 0" + idle}},
		{"a black hole holds it", reporter{every: time.Second}, func(cfg *models.Config) {
			calls(cfg, 0)
			cfg.Failures = append(cfg.Failures, failures.Blackhole{Backends: []string{"b"},
				From: time.Duration(1500 * time.Millisecond),
				To:   time.Duration(4500 * time.Millisecond)})
			// TCP repeats the first 0.2 s, 0.6 s, 1.4 s and 3 s after 2.04 s.
		}, []string{"50ms hears 0" + idle, "1.05s" + one, "5.05s hears 0" + idle,
			"5.05s hears 0" + idle, "5.05s hears 0" + idle, "5.05s hears 0" + idle,
			"6.05s hears 0" + idle, "7.05s hears 0" + idle, "8.05s hears 0" + idle,
			"9.05s hears 0" + idle}},
	} {
		got := reported(t, row.r, func(cfg *models.Config) { quiet(cfg); row.change(cfg) })
		wantLines(t, row.name, got, row.want...)
	}
}
