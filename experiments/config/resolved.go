package config

import (
	"maps"
	"slices"
	"strings"

	"lbsim/options"
)

// Resolved returns the experiment as a file without defaults, with the changes of the command line.
// It gives the same results.
func (e *Experiment) Resolved() string {
	p := e.base
	r := resolved{e.source.codec.Writer()}
	for line := range strings.Lines(e.Question) {
		r.WriteString(strings.TrimSpace("# "+line) + "\n")
	}
	top := p.Document
	if _, said := e.source.tree["bin"]; !said && slices.Contains(e.SweepKeys, "duration") {
		top.Bin = nil // it depends on the duration
	}
	r.Fields(top)
	for _, name := range e.source.order(e.source.tree, "clients") {
		r.Table("", p.Document.Clients[name], "clients", name)
	}
	for _, name := range e.source.order(e.source.tree, "backends") {
		r.Table("", p.Document.Backends[name], "backends", name)
	}
	for _, name := range e.source.order(e.source.tree, "l4") {
		r.Table("", p.Document.L4[name], "l4", name)
	}
	r.Table("", p.Document.Network, "network")
	r.Table("", p.Document.Backoff, "backoff")
	if e.kindSwept("resolver") {
		r.asWritten(p.Document.Resolver, "", "resolver")
	} else {
		r.resolver(p)
	}
	for _, f := range p.Failures {
		if e.kindSwept("failures", f.Name) {
			r.asWritten(p.Document.Failures[f.Name], f.Kind, "failures", f.Name)
			continue
		}
		r.Table(f.Kind, f.Value, "failures", f.Name)
	}
	for _, pol := range p.Policies {
		for _, name := range e.Policies {
			if name != pol.Name {
				continue
			}
			if e.kindSwept("policies", name) {
				r.asWritten(p.Document.Policies[name], pol.Kind, "policies", name)
				continue
			}
			var options any = pol.Value
			if pol.Kind == ServiceConfigKind { // the service config has its options
				options = struct{}{}
			}
			r.Table(pol.Kind, options, "policies", name)
		}
	}
	if len(e.SweepKeys) > 0 {
		r.Header("sweep")
		for _, key := range e.SweepKeys {
			r.Set(key, p.Document.Sweep[key])
		}
	}
	return r.String()
}

// resolved writes an experiment as a file.
type resolved struct{ *options.Writer }

// asWritten writes a table as in the file, without defaults. If the sweep changes its kind,
// defaults of one kind may be unknown to another.
func (r resolved) asWritten(table any, kind string, path ...string) {
	options, _ := table.(map[string]any)
	if options == nil { // the file has no such table
		return
	}
	r.Header(path...)
	options = maps.Clone(options)
	if _, has := options["kind"]; !has && kind != "" {
		options["kind"] = kind
	}
	for _, name := range sortedKeys(options) {
		r.Set(name, options[name])
	}
}

// resolver writes the resolver's table.
func (r resolved) resolver(p *Point) {
	r.Header("resolver")
	r.Set("kind", p.Resolver.Kind)
	c := &p.Config
	r.Fields(resolverTable{Order: c.Order, Rank: c.Rank, WrongPort: c.WrongPort})
	r.Options(p.Resolver.Value, "resolver")
}
