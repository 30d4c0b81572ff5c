package models_test

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/failures"
	"lbsim/models/resolvers"
	"lbsim/models/serviceconfig"
	"lbsim/options"
	"lbsim/policies"

	"pgregory.net/rapid"
)

// drawn is a random small world in which every client begins a limited number of RPCs, all that
// goes wrong ends, and there are backends in the last list.
type drawn struct {
	*rapid.T
	models.Config
}

func draw(t *rapid.T) *models.Config {
	d := drawn{T: t}
	d.Seed = rapid.Uint64Range(0, 1000).Draw(t, "seed")
	d.Duration, d.Bin = time.Hour, time.Duration(d.int("bin", 1, 3600))*time.Second
	for i := range d.int("client groups", 1, 3) {
		d.Clients = append(d.Clients, d.clients(i))
	}
	for i := range d.int("backend groups", 1, 3) {
		d.Backends = append(d.Backends, d.reporting(d.backends(i)))
	}
	d.l4()
	d.Network.Delay = d.dist("0s", "100us", "exp(mean=1ms)")
	if d.bool("connect") {
		d.Network.Connect = d.dist("0s", "5ms", "exp(mean=10s)")
	}
	for range d.int("failures", 0, 4) {
		d.Failures = append(d.Failures, d.failure())
	}
	d.Resolver = d.resolver()
	names := slices.Sorted(maps.Keys(policies.Catalog))
	d.Policy = d.listening(sample(rapid.SampledFrom(names).Draw(t, "policy")))
	for _, f := range d.Failures {
		if err := f.Check(&d.Config); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Resolver.Check(&d.Config); err != nil {
		t.Fatal(err)
	}
	return &d.Config
}

func (d *drawn) int(what string, from, to int) int {
	return rapid.IntRange(from, to).Draw(d.T, what)
}

func (d *drawn) bool(what string) bool { return rapid.Bool().Draw(d.T, what) }

// pick returns one of two values.
func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

func (d *drawn) dist(texts ...string) dist.Distribution {
	text := rapid.SampledFrom(texts).Draw(d.T, "distribution")
	v, err := dist.Parse(text, nil)
	if err != nil {
		d.Fatal(err)
	}
	return v
}

func (d *drawn) clients(i int) models.ClientGroup {
	g := models.ClientGroup{
		Name: fmt.Sprint("c", i), Count: d.int("clients", 1, 3),
		Requests: uint64(d.int("requests", 1, 60)), WaitForReady: new(d.bool("wait for ready")),
		Start: time.Duration(d.int("start", 0, 50)) * time.Millisecond,
		Keys:  keys(d, "uniform(n=9)"), KeyHeader: keyHeader,
		Timeout: rapid.SampledFrom([]time.Duration{0, 1e6, 3e6, 1e7, 1e8}).Draw(d.T, "timeout"),
	}
	d.again(&g)
	if d.bool("open loop") {
		g.Rate = options.Rate(d.int("rate", 50, 5000))
		g.Arrivals = pick(d.bool("even"), models.EvenArrivals, models.PoissonArrivals)
	} else {
		g.Callers, g.Think = d.int("callers", 1, 4), d.dist("0s", "1ms", "exp(mean=3ms)")
	}
	return g
}

// again makes the RPCs of a group be retried or hedged, or neither.
func (d *drawn) again(g *models.ClientGroup) {
	tried := codes(policies.Unavailable, policies.ResourceExhausted)
	most := d.int("attempts", 0, serviceconfig.MaxAttempts)
	delay := time.Duration(d.int("again after", 0, 5)) * time.Millisecond
	switch {
	case most < 2:
	case d.bool("hedged"):
		g.Hedging = &serviceconfig.Hedging{MaxAttempts: most, Delay: delay, NonFatal: tried}
	default:
		g.Retry = &serviceconfig.Retry{
			MaxAttempts: most, InitialBackoff: delay, MaxBackoff: 2 * delay, Multiplier: 1.5,
			Codes: tried,
		}
	}
	if d.bool("throttled") {
		g.Throttle = &serviceconfig.Throttle{
			MaxTokens: float64(d.int("tokens", 1, 20)), TokenRatio: 0.1,
		}
	}
}

func (d *drawn) backends(i int) models.BackendGroup {
	g := models.BackendGroup{
		Name: fmt.Sprint("b", i), Count: d.int("backends", 1, 3),
		Workers: d.int("workers", 1, 3), Queue: models.QueueSize(d.int("queue", -1, 3)),
		Addresses: rapid.SampledFrom([][]models.Label{nil, {1, 0}}).Draw(d.T, "addresses"),
		Service:   d.dist("0s", "1ms", "exp(mean=2ms)", "lognormal(p50=1ms, p99=20ms)"),
		Speed:     rapid.SampledFrom([]float64{0.5, 1, 2}).Draw(d.T, "speed"),
		Weight:    1, ZoneWeight: 1,
		OnCancel:   pick(d.bool("stops cancelled"), models.StopCancelled, models.FinishCancelled),
		OnExpired:  pick(d.bool("drops overdue"), models.DropExpired, models.ServeExpired),
		Discipline: models.Discipline(d.int("discipline", 0, 3)),
	}
	if g.Discipline.StartsAtOnce() {
		g.OnExpired = models.ServeExpired // nothing waits
	}
	return placed(g)
}

// some returns the name of a group or a backend.
func (d *drawn) some() string {
	g := rapid.SampledFrom(d.Backends).Draw(d.T, "group")
	if d.bool("whole group") {
		return g.Name
	}
	return fmt.Sprintf("%s/%d", g.Name, d.int("backend", 0, g.Count-1))
}

func (d *drawn) failure() models.Failure {
	from := time.Duration(d.int("from", 0, 100)) * time.Millisecond
	to := from + time.Duration(d.int("for", 1, 100))*time.Millisecond
	if d.bool("crash") {
		return failures.Crash{Backends: []string{d.some()}, From: from, To: to}
	}
	factor := rapid.SampledFrom([]float64{0.3, 4, 4, 20}).Draw(d.T, "factor")
	return failures.Slow{Backends: []string{d.some()}, From: from, To: to, Factor: factor}
}

func (d *drawn) resolver() models.Resolver {
	switch {
	case d.bool("all backends"):
		return resolvers.Static{}
	case d.bool("static"):
		return resolvers.Static{Backends: []string{d.some()}}
	}
	s := resolvers.Script{At: map[string][]string{"200ms": {d.some()}}}
	for range d.int("lists", 1, 4) {
		list := []string{}
		if !d.bool("empty") {
			list = append(list, d.some())
		}
		s.At[fmt.Sprintf("%dms", d.int("at", 0, 150))] = list
	}
	return s
}

// run makes a run in slices of limit events.
