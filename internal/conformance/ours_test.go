package conformance

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/policies"
)

// playOurs plays a scenario with lbsim, and returns what happened.
func playOurs(s *scenario, seed uint64) []line {
	rec := newRecorder()
	cfg := s.world(seed, rec)
	w := models.New(cfg)
	for !w.Run(1000) {
	}
	w.Finish()
	before := sameBefore(cfg.Trace)
	for _, e := range cfg.Trace.Entries {
		at, client, address := time.Duration(e.At), int(e.Client), int(e.Address)
		call := callOf(client, int(e.RPC))
		switch e.What {
		case models.Began:
			rec.addAt(at, call, "begins")
		case models.Sent:
			rec.addAt(at, call, fmt.Sprintf("is sent to %d", address))
		case models.Ended:
			how := "ends " + e.Code.String()
			if e.Code != policies.OK {
				how += ": " + ourReason(e.Code, e.Reason)
			}
			rec.addAt(at, call, how)
		case models.Dialled:
			rec.addAt(at, dialOf(client, address), "is made")
		case models.SubConnChanged:
			n := before[[2]int{client, int(e.SubConn)}]
			rec.addAt(at, subConnOf(client, address, n), e.State.String())
		case models.ChannelChanged:
			rec.addAt(at, channelOf(client), e.State.String())
		}
	}
	lines := rec.stop()
	if s.switches {
		lines = belowTheSwitch(lines)
	}
	if s.idle > 0 {
		lines = withoutClosing(lines)
	}
	return lines
}

// sameBefore says of each SubConn of a client how many others that it had before were to the same
// address.
func sameBefore(trace *models.Trace) map[[2]int]int {
	addresses := make(map[[2]int]int32)
	for _, e := range trace.Entries {
		if e.What == models.SubConnChanged {
			addresses[[2]int{int(e.Client), int(e.SubConn)}] = e.Address
		}
	}
	before := make(map[[2]int]int)
	for sc, a := range addresses {
		for other, o := range addresses {
			if other[0] == sc[0] && other[1] < sc[1] && o == a {
				before[sc]++
			}
		}
	}
	return before
}

// withoutClosing leaves out that SubConns are shut down as the channel gets idle. grpc-go's are
// too, but they tell only the policy, which is closed before.
func withoutClosing(lines []line) []line {
	idle := make(map[time.Duration]bool)
	for _, l := range lines {
		if l.who == channelOf(0) && l.what == "IDLE" {
			idle[l.at] = true
		}
	}
	return slices.DeleteFunc(lines, func(l line) bool {
		return l.what == policies.Shutdown.String() && idle[l.at]
	})
}

// belowTheSwitch leaves out what the traced policies do not see while one replaces another: which
// state is the channel's, and that the SubConns of the old one are shut down.
func belowTheSwitch(lines []line) []line {
	return slices.DeleteFunc(lines, func(l line) bool {
		return strings.HasSuffix(l.who, ": channel") || l.what == policies.Shutdown.String()
	})
}

// world is the world of a scenario.
func (s *scenario) world(seed uint64, rec *recorder) *models.Config {
	backoff := models.DefaultBackoff()
	backoff.Jitter = s.jitter
	cfg := &models.Config{
		Seed: seed, Duration: s.until, Bin: s.until,
		Network:  models.Network{Delay: dist.Constant(s.delay)},
		Resolver: ourNames{s, rec},
		Failures: []models.Failure{ourSteps{s}},
		Policy:   s.policy,
		Backoff:  &backoff,
		Trace:    &models.Trace{},
	}
	if s.switches {
		cfg.Policy = policies.FromServiceConfig{Default: s.policy}
	}
	for b := range s.backends {
		cfg.Backends = append(cfg.Backends, models.BackendGroup{
			Name: fmt.Sprintf("b%d", b), Count: 1, Addresses: s.labels,
			Workers: cmp.Or(s.workers, manyWorkers), Speed: 1, Weight: 1, ZoneWeight: 1,
			OnFull: models.FullUnavailable, Pushback: s.pushedBack(b),
			Service:    dist.Constant(s.service[b]),
			MaxStreams: s.streams, OnCancel: s.onCancel(),
			MaxConnectionAge: s.age.MaxConnectionAge, MaxConnectionIdle: s.age.MaxConnectionIdle,
			MaxConnectionAgeGrace: s.age.MaxConnectionAgeGrace,
			PingMinTime:           s.pings.MinTime, PingWithoutStream: s.pings.PermitWithoutStream,
			LoadReport: s.loadReport(), LoadWindow: loadWindow, LoadMinInterval: loadInterval,
		})
		if b < len(s.paths) {
			cfg.Backends[b].Path = strings.Split(s.paths[b], "/")
		}
	}
	for i, c := range s.clients {
		cfg.Clients = append(cfg.Clients, models.ClientGroup{
			Name: fmt.Sprintf("c%d", i), Count: 1,
			At: c.at, Timeout: c.timeout, WaitForReady: c.ownWait(),
			Method: "/conformance/Call",
			Retry:  s.retry, Throttle: s.throttle, IdleTimeout: s.idle,
			KeepaliveTime: s.keepalive.Time, KeepaliveTimeout: s.keepalive.Timeout,
			KeepaliveWithoutStream: s.keepalive.PermitWithoutStream,
			HealthCheck:            s.health,
		})
		if s.keyed {
			g := &cfg.Clients[i]
			g.Keys, g.KeyHeader = new(models.Keys), "x-key"
			if err := g.Keys.UnmarshalText([]byte("client")); err != nil {
				panic(err)
			}
		}
	}
	return cfg
}

// ownWait is whether calls wait for ready, nil where the service config says.
func (c *client) ownWait() *bool {
	if c.silent {
		return nil
	}
	return &c.wait
}

func (s *scenario) onCancel() models.OnCancel {
	if s.stubborn {
		return models.FinishCancelled
	}
	return models.StopCancelled
}

func (s *scenario) loadReport() (r models.LoadReport) {
	if s.loads&withReplies != 0 {
		r |= models.LoadPerCall
	}
	if s.loads&apart != 0 {
		r |= models.LoadOutOfBand
	}
	return r
}

// pushedBack is the pushback of a backend.
func (s *scenario) pushedBack(backend int) (p models.Pushback) {
	if backend >= len(s.pushback) || s.pushback[backend] == "" {
		return p
	}
	n, err := strconv.Atoi(s.pushback[backend])
	if err != nil {
		n = -1 // what nobody can read is a never
	}
	return models.Pushback{Given: true, After: time.Duration(n) * time.Millisecond}
}

// ourSteps is the steps of a scenario that strike backends.
type ourSteps struct{ *scenario }

func (ourSteps) Check(*models.Config) error         { return nil }
func (ourSteps) Doc() string                        { return "the steps of a scenario" }
func (s ourSteps) Window() (from, to time.Duration) { return 0, s.until }

func (s ourSteps) Start(w *models.World) {
	for _, b := range s.down {
		w.Crash(int32(b))
	}
	for _, b := range s.notServing {
		w.SetNotServing(int32(b))
	}
	for _, a := range s.refused {
		w.Refuse(int32(a))
	}
	for _, st := range s.steps {
		b := int32(st.backend)
		switch st.do {
		case kill:
			w.AfterFunc(st.at, func() { w.Crash(b) })
		case restart:
			w.AfterFunc(st.at, func() { w.Restart(b) })
		case slow:
			w.AfterFunc(st.at, func() { w.Slow(b, st.factor) })
		case stop:
			w.AfterFunc(st.at, func() { w.Stop(b) })
		case hole:
			w.AfterFunc(st.at, func() { w.Blackhole(b) })
		case unhole:
			w.AfterFunc(st.at, func() { w.Unblackhole(b) })
		case refuse:
			w.AfterFunc(st.at, func() { w.Refuse(b) })
		case permit:
			w.AfterFunc(st.at, func() { w.Unrefuse(b) })
		case mute:
			w.AfterFunc(st.at, func() { w.Mute(b) })
		case unmute:
			w.AfterFunc(st.at, func() { w.Unmute(b) })
		case setNotServing:
			w.AfterFunc(st.at, func() { w.SetNotServing(b) })
		case setServing:
			w.AfterFunc(st.at, func() { w.SetServing(b) })
		}
	}
}

// text writes counts in the order of their names.
func text(counts map[string]int) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", k, counts[k]))
	}
	return strings.Join(parts, ", ")
}
