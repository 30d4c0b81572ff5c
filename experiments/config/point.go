package config

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"lbsim/models"
	"lbsim/models/serviceconfig"
	"lbsim/options"
	"lbsim/policies"
)

// maxRuns is the greatest number of runs of an experiment: more are probably a mistake in the file.
const maxRuns = 100_000

// Named is a configured kind with its name in an experiment.
type Named[T any] struct {
	Name, Kind string
	Value      T
}

// Point is an experiment at one point of its sweep: what all policies and seeds there have in
// common.
type Point struct {
	Document Document
	Config   models.Config         // without Seed and Policy
	Service  *serviceconfig.Config // the clients' own; nil for none
	Choice   int                   // index of Service in a list of choices; -1 for no list
	Resolver Named[models.Resolver]
	Failures []Named[models.Failure]
	Policies []Named[policies.Policy]
}

// build makes a point from the tree of a file. Named tables keep the order of the file.
func build(s *source, tree map[string]any) (*Point, error) {
	p := &Point{Document: NewDocument(), Choice: -1}
	if err := checkNames(tree); err != nil {
		return nil, err
	}
	s.memo.next()
	if err := s.codec.Read(nil, tree, &p.Document); err != nil {
		return nil, err
	}
	for _, step := range []func(*source, map[string]any) error{
		p.general, p.readService, p.orderGroups, p.readResolver, p.readFailures, p.readPolicies,
		p.check,
	} {
		if err := step(s, tree); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// general reads the keys outside of tables, and tables without names.
func (p *Point) general(*source, map[string]any) error {
	d := &p.Document
	if d.Bin == nil {
		d.Bin = new(max(time.Second, (d.Duration+999)/1000))
	}
	if d.Seeds < 1 {
		return options.Errorf([]string{"seeds"}, "must be at least 1 (is %d)", d.Seeds)
	}
	p.Config = models.Config{
		Texts: d.Texts, Duration: d.Duration, Bin: *d.Bin,
		Warmup:  max(0, time.Duration(d.Warmup)), // 0 for "auto", until it is found
		Network: d.Network, Backoff: &d.Backoff,
	}
	return nil
}

// orderGroups puts clients, backends and L4 balancers in the order of the file.
func (p *Point) orderGroups(s *source, tree map[string]any) error {
	for _, name := range s.order(tree, "clients") {
		g := p.Document.Clients[name]
		g.Name, g.KeyHeader = name, strings.ToLower(g.KeyHeader)
		if p.Service != nil {
			g.Configure(p.Service)
		}
		p.Config.Clients = append(p.Config.Clients, g)
	}
	for _, name := range s.order(tree, "backends") {
		g := p.Document.Backends[name]
		g.Name = name
		p.Config.Backends = append(p.Config.Backends, g)
	}
	for _, name := range s.order(tree, "l4") {
		l := p.Document.L4[name]
		l.Name = name
		p.Config.L4 = append(p.Config.L4, l)
	}
	return nil
}

// readFailures reads the failures.
func (p *Point) readFailures(s *source, tree map[string]any) error {
	for _, name := range s.order(tree, "failures") {
		key := []string{"failures", name}
		f, err := makeKind(s.codec, key, p.Document.Failures[name], s.kinds.Failures)
		if err != nil {
			return err
		}
		p.Failures = append(p.Failures, f)
		p.Config.Failures = append(p.Config.Failures, f.Value)
	}
	return nil
}

// readPolicies reads the policies. A file without policies has that of its service config.
func (p *Point) readPolicies(s *source, tree map[string]any) error {
	for _, name := range s.order(tree, "policies") {
		key := []string{"policies", name}
		pol, err := p.makePolicy(s, key, p.Document.Policies[name])
		if err != nil {
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
		return options.Errorf([]string{"policies"},
			"there must be a policy, such as [policies.round_robin]")
	}
	return nil
}

// check refuses what cannot be run. It puts the names of failures into errors in place of their
// indices.
func (p *Point) check(*source, map[string]any) error {
	c := p.Config
	c.Policy = policies.PickFirst{} // a placeholder: the policies are checked below
	err := c.Check()
	if ke, is := err.(*options.KeyError); is && ke.Key[0] == "failures" {
		n, _ := strconv.Atoi(ke.Key[1])
		ke.Key[1] = p.Failures[n].Name
	}
	if err != nil {
		return err
	}
	p.Config.Bin = min(p.Config.Bin, p.Config.Duration)
	for _, pol := range p.Policies {
		if err := p.Config.CheckPolicy([]string{"policies", pol.Name}, pol.Value); err != nil {
			return err
		}
	}
	return nil
}

// sortedKeys returns the keys in a fixed order: that of a map is random.
func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
