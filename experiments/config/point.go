package config

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"lbsim/models"
	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// Limits on what an experiment may ask for, so that a slip of the pen does not eat the machine.
const (
	mostRuns        = 100_000
	mostActors      = 1_000_000
	mostSubChannels = 1<<31 - 1  // for they have numbers
	mostSamples     = 50_000_000 // of in-flight: bins times backends
)

// Named is a kind that an experiment uses under a name.
type Named[T any] struct {
	Name, Kind string
	Value      T
}

// Point is an experiment with its sweep settled: what all its policies and seeds have in common.
type Point struct {
	Document Document
	Config   models.Config         // without Seed and Policy
	Service  *serviceconfig.Config // nil where the experiment has none
	Choice   int                   // the place of the service config in a list; -1 for no list
	Resolver Named[models.Resolver]
	Failures []Named[models.Failure]
	Policies []Named[policies.Policy]
}

// build makes a point of the tree of a file. The names of its tables keep the order of the file.
func build(s *source, tree map[string]any) (*Point, error) {
	p := &Point{Document: NewDocument(), Choice: -1}
	if err := checkNames(tree); err != nil {
		return nil, err
	}
	d := s.decoder()
	if err := d.table(nil, tree, reflect.ValueOf(&p.Document).Elem()); err != nil {
		return nil, err
	}
	steps := []func() error{
		p.general,
		func() error { return p.readService(s) },
		func() error { return p.clients(s.order(tree, "clients")) },
		func() error { return p.backends(s.order(tree, "backends")) },
		func() error { return p.l4(s.order(tree, "l4")) },
		p.zones,
		func() error { return p.kinds(d, s, tree) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *Point) general() error {
	t := &p.Document
	if t.Bin == autoBin {
		t.Bin = max(second, (t.Duration+999)/1000)
	}
	switch {
	case t.Seeds < 1:
		return bad("must be at least 1 (is %d)", t.Seeds)("seeds")
	case t.Duration <= 0:
		return bad("must be longer than 0s")("duration")
	case t.Warmup >= warmup(t.Duration):
		return bad("must be shorter than the duration, %v (is %v)",
			time.Duration(t.Duration), time.Duration(t.Warmup))("warmup")
	case t.Bin <= 0:
		return bad("must be longer than 0s")("bin")
	}
	p.Config.Texts = t.Texts
	p.Config.Duration = time.Duration(t.Duration)
	p.Config.Warmup = max(0, time.Duration(t.Warmup)) // 0 until it is found
	p.Config.Network = t.Network.network()
	p.Config.Bin = min(time.Duration(t.Bin), p.Config.Duration)
	backoff, err := t.Backoff.backoff()
	p.Config.Backoff = backoff
	return err
}

// bad returns a maker of errors about a key: bad(format, values...)(key...).
func bad(format string, values ...any) func(key ...string) error {
	return func(key ...string) error { return &keyError{key, fmt.Errorf(format, values...)} }
}

func (p *Point) clients(order []string) error {
	channels := 0
	for _, name := range order {
		t := p.Document.Clients[name]
		if err := checkClients(name, &t); err != nil {
			return err
		}
		channels += t.Count
		p.Config.Clients = append(p.Config.Clients, models.ClientGroup{
			Name: name, Count: t.Count, Rate: t.Rate, Arrivals: t.Arrivals,
			Callers: t.Callers, Think: t.Think, Start: time.Duration(t.Start),
			Requests: t.Requests, Timeout: time.Duration(t.Timeout),
			WaitForReady: t.WaitForReady,
		})
		g := &p.Config.Clients[len(p.Config.Clients)-1]
		if t.Key != nil {
			g.Keys, g.KeyHeader = t.Key, strings.ToLower(t.KeyHeader)
		}
		p.configure(g, &t)
		t.transport(g)
		t.place(g)
	}
	if len(order) == 0 {
		return bad("there must be a group of clients, such as [clients.web]")("clients")
	}
	if channels > mostActors {
		return bad("%d are too many: at most %d", channels, mostActors)("clients")
	}
	return nil
}

func checkClients(name string, t *ClientTable) error {
	at := func(e func(key ...string) error, key string) error { return e("clients", name, key) }
	switch {
	case t.Count < 1 || t.Count > mostActors:
		return at(bad("must be from 1 to %d (is %d)", mostActors, t.Count), "count")
	case t.Callers < 0 || t.Callers > mostActors:
		return at(bad("must be from 1 to %d (is %d)", mostActors, t.Callers), "callers")
	case t.Rate == 0 && t.Callers == 0:
		return bad("needs a rate, such as \"100/s\", for an open loop, or callers, "+
			"such as 10, for a closed loop")("clients", name)
	case t.Rate > 0 && t.Callers > 0:
		return at(bad("cannot stand beside rate: the rate of a closed loop results"), "callers")
	case t.Rate > 0 && float64(t.Rate)/float64(t.Count) > 1e9:
		return at(bad("must be at most 1/ns for each client"), "rate")
	}
	if err := t.checkKey(at); err != nil {
		return err
	}
	return cmp.Or(t.checkZones(name), t.checkTransport(name))
}

// checkKey refuses a key without a header and the other way round.
func (t *ClientTable) checkKey(at func(e func(key ...string) error, key string) error) error {
	switch {
	case t.Key == nil && t.KeyHeader == "":
		return nil
	case t.Key == nil:
		return at(bad("needs a key, such as \"uniform(n=1000)\", beside it"), "key_header")
	case t.KeyHeader == "":
		return at(bad("needs a key_header, such as \"x-session\", beside it"), "key")
	}
	if err := policies.CheckHeader(t.KeyHeader); err != nil {
		return at(bad("%w", err), "key_header")
	}
	return nil
}

func (p *Point) backends(order []string) error {
	count, addresses := 0, 0
	for _, name := range order {
		t := p.Document.Backends[name]
		if err := checkBackends(name, &t); err != nil {
			return err
		}
		count += t.Count
		addresses += t.Count * len(t.Addresses)
		p.Config.Backends = append(p.Config.Backends, models.BackendGroup{
			Name: name, Count: t.Count, Addresses: t.Addresses,
			Workers: t.Workers, Discipline: t.Discipline, Queue: t.Queue,
			OnFull: t.OnFull, Pushback: t.Pushback,
			Service: t.Service, Speed: t.Speed, OnCancel: t.OnCancel,
			OnExpired: t.OnExpired,
		})
		g := &p.Config.Backends[len(p.Config.Backends)-1]
		t.transport(g)
		t.place(g)
		t.reports(g)
	}
	channels := 0
	for i := range p.Config.Clients {
		channels += p.Config.Clients[i].Count
	}
	bins := float64(p.Config.Duration) / float64(p.Config.Bin)
	switch {
	case len(order) == 0:
		return bad("there must be a group of backends, such as [backends.fast]")("backends")
	case count > mostActors || channels*addresses > mostSubChannels:
		return bad("%d clients × %d addresses are too many SubConns: at most %d",
			channels, addresses, mostSubChannels)("backends")
	case bins*float64(count) > mostSamples:
		return bad("makes %.0f bins of %d backends, which are too many: at most %d in all",
			math.Ceil(bins), count, mostSamples)("bin")
	}
	return nil
}

func checkBackends(name string, t *BackendTable) error {
	at := func(e func(key ...string) error, key string) error { return e("backends", name, key) }
	switch {
	case strings.Contains(name, "/"):
		return bad("must not contain a slash: backend 2 of group a is a/2")("backends", name)
	case t.Count < 1 || t.Count > mostActors:
		return at(bad("must be from 1 to %d (is %d)", mostActors, t.Count), "count")
	case len(t.Addresses) == 0:
		return at(bad(`must list at least one, such as ["ipv6", "ipv4"]`), "addresses")
	case t.Workers < 1 || t.Workers > mostActors:
		return at(bad("must be from 1 to %d (is %d)", mostActors, t.Workers), "workers")
	case t.Service == nil:
		return bad("needs a service time, such as service = \"exp(mean=10ms)\"")("backends", name)
	case !(t.Speed > 0 && t.Speed <= 1e6):
		return at(bad("must be greater than 0 and at most 1e6 (is %v)", t.Speed), "speed")
	}
	if err := models.CheckLabels(t.Addresses); err != nil {
		return &keyError{[]string{"backends", name, "addresses"}, err}
	}
	return cmp.Or(t.checkExpired(name), t.checkPlace(name), t.checkTransport(name))
}

// checkExpired refuses to drop what waits where nothing does.
func (t *BackendTable) checkExpired(name string) error {
	at := func(e func(key ...string) error) error { return e("backends", name, "on_expired") }
	if t.OnExpired == models.DropExpired && t.Discipline.StartsAtOnce() {
		return at(bad("has no effect with discipline %q, which begins each request at once",
			t.Discipline))
	}
	return nil
}

// kinds makes the resolver, the failures and the policies.
func (p *Point) kinds(d *decoder, s *source, tree map[string]any) error {
	if err := p.resolve(d); err != nil {
		return err
	}
	for _, name := range s.order(tree, "failures") {
		key := []string{"failures", name}
		f, err := makeKind(d, key, p.Document.Failures[name], s.kinds.Failures, &p.Config)
		if err != nil {
			return err
		}
		p.Failures = append(p.Failures, f)
		p.Config.Failures = append(p.Config.Failures, f.Value)
	}
	for _, name := range s.order(tree, "policies") {
		key := []string{"policies", name}
		pol, err := p.makePolicy(d, s.kinds.Policies, key, p.Document.Policies[name])
		if err != nil {
			return err
		}
		if err := p.checkNames(key, pol.Value); err != nil {
			return err
		}
		p.Policies = append(p.Policies, pol)
	}
	if len(p.Policies) == 0 && (p.Service != nil || p.ConfigByName()) {
		name := ServiceConfigKind
		if !p.ConfigByName() {
			name = p.Service.PolicyName
		}
		p.Policies = append(p.Policies,
			Named[policies.Policy]{name, ServiceConfigKind, p.servicePolicy()})
	}
	if len(p.Policies) == 0 {
		return bad("there must be a policy, such as [policies.round_robin]")("policies")
	}
	return nil
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
