package models_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/failures"
	"lbsim/models/resolvers"
	"lbsim/models/serviceconfig"
	"lbsim/options"
	"lbsim/policies"
)

// byHand is a config as somebody writes it who leaves out what they need not say.
func byHand() *models.Config {
	c := &models.Config{
		Seed: 1, Duration: 10 * time.Second, Bin: time.Second,
		Clients: []models.ClientGroup{{Name: "web", Count: 1, Rate: 200}},
		Backends: []models.BackendGroup{{
			Name: "pod", Count: 1, Workers: 1, Speed: 1, Weight: 1, ZoneWeight: 1,
			Service: dist.Constant(5 * time.Millisecond),
		}},
		Resolver: resolvers.Static{}, Policy: policies.RoundRobin{},
	}
	return c
}

// config is one with its groups at hand.
type config struct {
	*models.Config
	web *models.ClientGroup
	pod *models.BackendGroup
}

// refusal is a change of a config and what Check has against it.
type refusal struct {
	change func(c config)
	want   string
}

func TestCheckRefuses(t *testing.T) {
	checkRefusals(t, []refusal{
		{func(c config) { c.Duration = 0 },
			`duration: must be longer than 0s`},
		{func(c config) { c.Bin = 0 },
			`bin: must be longer than 0s`},
		{func(c config) { c.Bin = 1 },
			`bin: makes 10000000000 bins of 1 backends, which are too many: ` +
				`at most 50000000 in all`},
		{func(c config) { c.Warmup = -1 },
			`warmup: must not be negative (is -1ns)`},
		{func(c config) {
			c.Warmup = c.Duration
		}, `warmup: must be shorter than the duration, 10s (is 10s)`},
		{func(c config) { c.Texts = 2 },
			`addresses_and_keys: unknown texts "2" (have fixed, drawn)`},
		{func(c config) { c.Clients = nil },
			`clients: there must be a group of clients, such as [clients.web]`},
		{func(c config) { c.Backends = nil },
			`backends: there must be a group of backends, such as [backends.fast]`},
		{func(c config) {
			c.Backends = append(c.Backends, c.Backends[0])
		}, `backends.pod: must be the name of one group (is that of two)`},
		{func(c config) { c.Resolver = nil },
			`resolver: must be given, such as resolvers.Static{}`},
		{func(c config) {
			c.Resolver = resolvers.DNS{Lookup: dist.Constant(-1)}
		}, `resolver.lookup: must not be negative (its mean is -1e-09s)`},
		{func(c config) { c.Order = 7 },
			`resolver.order: unknown order "7" (have given, shuffled, rotated)`},
		{func(c config) {
			c.Rank = models.RankZone
		}, `clients.web.zone: must be given: the resolver ranks by zone`},
		{func(c config) { c.Resolver = (*resolvers.Static)(nil) },
			`resolver: must be given, such as resolvers.Static{}`},
		{func(c config) { c.Policy = (*policies.RoundRobin)(nil) },
			`policy: must be given, such as policies.RoundRobin{}`},
		{func(c config) { c.Policy = nil },
			`policy: must be given, such as policies.RoundRobin{}`},
		{func(c config) {
			c.Policy = policies.FromServiceConfig{}
		}, `policy: must be given, such as policies.RoundRobin{}`},
		{func(c config) {
			c.Policy = policies.ClusterImpl{Child: policies.OutlierDetection{Interval: -1}}
		}, `policy.child.interval: must be >= 0 (is -1ns)`},
		{func(c config) {
			c.Policy = policies.GRPCLB{Balancer: map[string][]string{"0s": {"pot"}}}
		}, `policy.balancer: unknown backend group "pot"; did you mean pod? (have pod)`},
		{func(c config) {
			c.Failures = []models.Failure{nil}
		}, `failures.0: must not be nil`},
		{func(c config) {
			c.Failures = []models.Failure{(*failures.Crash)(nil)}
		}, `failures.0: must not be nil`},
		{func(c config) {
			c.Failures = []models.Failure{failures.Crash{Backends: []string{"pod"}, From: -1}}
		}, `failures.0.from: must not be negative (is -1ns)`},
		{func(c config) {
			c.Failures = []models.Failure{failures.Slow{Backends: []string{"pod"}}}
		}, `failures.0.factor: must be greater than 0 and at most 1e6 (is 0)`},
		{func(c config) {
			c.Network.GiveUp = -1
		}, `network.tcp_give_up: must not be negative (is -1ns)`},
		{func(c config) {
			c.Backoff = &models.Backoff{}
		}, `backoff.base: must be longer than 0s`},
		{func(c config) {
			c.L4 = []models.L4Balancer{{Name: "vip", Backends: []string{"pod"}, Choice: 9}}
		}, `l4.vip.choice: unknown choice "9" (have random, round_robin, least_connections)`},
	})
}

func TestCheckRefusesGroups(t *testing.T) {
	checkRefusals(t, []refusal{
		{func(c config) { c.web.Count = -1 },
			`clients.web.count: must be from 1 to 1000000 (is -1)`},
		{func(c config) { c.web.Rate = 0 },
			`clients.web: needs a rate, such as "100/s", for an open loop, or callers, ` +
				`such as 10, for a closed loop`},
		{func(c config) { c.web.Rate = -1 },
			`clients.web.rate: must be greater than 0/s (is -1/s)`},
		{func(c config) {
			c.web.Rate = options.Rate(math.NaN())
		}, `clients.web.rate: must be greater than 0/s (is NaN/s)`},
		{func(c config) {
			c.web.At = []time.Duration{1}
		}, `clients.web.at: cannot stand beside rate or callers`},
		{func(c config) {
			c.web.Keys, c.web.KeyHeader = new(models.Keys), "x"
		}, `clients.web.key: must be read from a text, such as "client"`},
		{func(c config) {
			c.web.Keys, c.web.KeyHeader = keys(t, "client"), "X"
		}, `clients.web.key_header: must be in small letters (is "X")`},
		{func(c config) {
			c.web.Retry = &serviceconfig.Retry{}
		}, `clients.web.retry: max attempts must be from 2 to 5 (is 0)`},
		{func(c config) {
			c.web.Throttle = &serviceconfig.Throttle{}
		}, `clients.web.throttle: max tokens must be greater than 0 and at most 1000, and the ` +
			`token ratio greater than 0 (are 0 and 0)`},
		{func(c config) { c.pod.Speed = 0 },
			`backends.pod.speed: must be greater than 0 and at most 1e6 (is 0)`},
		{func(c config) { c.pod.Service = nil },
			`backends.pod: needs a service time, such as service = "exp(mean=10ms)"`},
		{func(c config) { c.pod.Queue = -2 },
			`backends.pod.queue: must be a whole number from 0 on, or "unbounded" (is -2)`},
		{func(c config) { c.pod.Weight = 0 },
			`backends.pod.weight: must be at least 1 (is 0)`},
		{func(c config) {
			c.pod.LoadReport = models.LoadPerCall
		}, `backends.pod.load_window: must be at least 1ms (is 0s)`},
	})
}

func checkRefusals(t *testing.T, rows []refusal) {
	t.Helper()
	for _, row := range rows {
		c := byHand()
		row.change(config{c, &c.Clients[0], &c.Backends[0]})
		err := c.Check()
		var ke *options.KeyError
		if fmt.Sprint(err) != row.want || !errors.As(err, &ke) {
			t.Errorf("got %v, want %s", err, row.want)
		}
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); text != "models: "+row.want {
					t.Errorf("New panics with %q, want %q", text, "models: "+row.want)
				}
			}()
			models.New(c)
		}()
	}
}

// What a config may leave out has the meaning that its comment gives.
func TestZeroValues(t *testing.T) {
	refused := byHand() // Queue 0, OnFull unset
	refused.Duration = 1000 * time.Second
	refused.Backends[0].Service = parse(t, "exp(mean=5ms)")
	got, _ := run(refused, math.MaxInt)
	// Erlang's loss formula for one worker at load 1: half of the requests find it busy.
	share := float64(got.Codes[policies.ResourceExhausted]) / float64(got.Ended)
	if math.Abs(share-0.5) > 0.005 || got.Codes[policies.OK]+uint64(got.Failed) != got.Ended {
		t.Errorf("%.3f of %d RPCs are refused, %d fail, want half", share, got.Ended, got.Failed)
	}
	p50 := got.Succeeded.Quantile(0.5)
	if p50 < 3400*time.Microsecond || p50 > 3530*time.Microsecond {
		t.Errorf("median of those that are served %v, want that of their service, 3.466ms", p50)
	}

	same := func(what string, change func(c *models.Config)) {
		one, other := byHand(), byHand()
		change(other)
		a, _ := run(one, math.MaxInt)
		b, _ := run(other, math.MaxInt)
		if a.Digest != b.Digest || a.Ended == 0 {
			t.Errorf("%s: digest %x of %d RPCs, want %x of %d", what, b.Digest, b.Ended, a.Digest,
				a.Ended)
		}
	}
	same("no delay", func(c *models.Config) { c.Network.Delay = dist.Constant(0) })
	same("the usual backoff", func(c *models.Config) {
		c.Backoff = new(models.Backoff)
		c.Backoff.SetDefaults()
	})
	same("ipv4", func(c *models.Config) { c.Backends[0].Addresses = make([]models.Label, 1) })

	loop := byHand() // Think unset
	loop.Clients[0].Rate, loop.Clients[0].Callers = 0, 1
	if got, _ := run(loop, math.MaxInt); got.Ended != 1999 { // the last reply comes at 10 s
		t.Errorf("a caller that does not think ends %d RPCs of 5 ms in 10 s, want 1999", got.Ended)
	}
}

func TestDefaultsAreValid(t *testing.T) {
	c := &models.Config{Resolver: resolvers.Static{}, Policy: policies.PickFirst{}}
	c.SetDefaults()
	c.Clients, c.Backends = make([]models.ClientGroup, 1), make([]models.BackendGroup, 1)
	c.Clients[0].SetDefaults()
	c.Backends[0].SetDefaults()
	c.Clients[0].Rate, c.Backends[0].Service = 1, dist.Constant(1)
	c.Resolver, c.Policy = resolvers.Static{}, policies.PickFirst{}
	if err := c.Check(); err != nil {
		t.Error(err)
	}
	c.Clients[0].Rate = 0
	if err := c.Check(); err == nil || !strings.Contains(err.Error(), "needs a rate") {
		t.Errorf("without a rate: got %v", err)
	}
}
