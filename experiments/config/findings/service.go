package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"lbsim/experiments/analysis"
	"lbsim/experiments/config"
	"lbsim/internal/numtext"
	"lbsim/models"
	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// idlePart is a part of a service config that has no effect in this experiment: the field at a path
// with its content.
type idlePart struct {
	path, why string
	unused    *serviceconfig.Entry // the part is an entry that no client uses; nil for other parts
}

// covers reports whether a field is in the part.
func (i *idlePart) covers(f *serviceconfig.Field) bool {
	rest, in := strings.CutPrefix(f.Path, i.path)
	return in && f.Verdict == serviceconfig.Simulated &&
		(rest == "" || i.path == "" || rest[0] == '.' || rest[0] == '[')
}

// coversAny reports whether the service config has a field that the part covers.
func (i *idlePart) coversAny(c *serviceconfig.Config) bool {
	for k := range c.Fields {
		if i.covers(&c.Fields[k]) {
			return true
		}
	}
	return false
}

// fieldsOf returns the fields of a service config with the verdicts that hold in this experiment.
func fieldsOf(c *serviceconfig.Config, parts []idlePart) []serviceconfig.Field {
	fields := slices.Clone(c.Fields)
	for i := range fields {
		for k := range parts {
			if parts[k].covers(&fields[i]) {
				fields[i].Verdict, fields[i].Reason = serviceconfig.NoEffect, parts[k].why
			}
		}
	}
	return fields
}

// reasons collects paths without effect by their reason.
type reasons struct {
	all   []string
	paths map[string][]string
}

// add adds a path to those of a reason.
func (r *reasons) add(path, why string) {
	if r.paths == nil {
		r.paths = make(map[string][]string)
	}
	if r.paths[why] == nil {
		r.all = append(r.all, why)
	}
	r.paths[why] = append(r.paths[why], path)
}

// configs finds what has no effect in the service configs that clients may have. Entries for
// methods that no client calls are usual in production configs, so they are reported only if some
// client has no entry.
func (f *finder) configs() {
	for _, c := range f.clientConfigs() {
		if c.Err != nil || c.Never != "" {
			continue
		}
		f.entries(c)
		var found reasons
		parts := f.idleParts(c)
		f.addUnusedEntries(c, parts, &found)
		for i := range parts {
			if part := &parts[i]; part.unused == nil && part.coversAny(c.Config) {
				found.add(cmp.Or(part.path, "all of it"), part.why)
			}
		}
		for _, field := range c.Config.Fields {
			if field.Verdict == serviceconfig.NoEffect {
				found.add(field.Path, field.Reason)
			}
		}
		for _, why := range found.all {
			paths := found.paths[why]
			f.add(analysis.NoEffect, "%s: %s %s no effect: %s", c.where, numtext.List(paths),
				have(paths), why)
		}
	}
}

// entries finds entries that fail all RPCs, and hedging with a single endpoint.
func (f *finder) entries(c clientConfig) {
	for i := range c.Config.Entries {
		e := &c.Config.Entries[i]
		for _, g := range f.callers(c.Config, e) {
			if t := e.Method.Timeout; t != nil && *t == 0 {
				f.add(analysis.Fails,
					"%s: methodConfig[%d].timeout is 0s, so all RPCs of clients.%s are "+
						"over at once", c.where, e.Place, g.Name)
			}
		}
		if e.Method.Hedging != nil && f.endpoints() == 1 {
			f.add(analysis.Inert,
				"%s: methodConfig[%d].hedgingPolicy: there is one endpoint, so all "+
					"attempts of an RPC go to it", c.where, e.Place)
		}
	}
}

// addUnusedEntries adds one finding for all entries whose methods no client calls.
func (f *finder) addUnusedEntries(c clientConfig, parts []idlePart, found *reasons) {
	g := f.groupWithoutEntry(c.Config)
	var entries []*serviceconfig.Entry
	var paths []string
	for i := range parts {
		if parts[i].unused != nil {
			entries = append(entries, parts[i].unused)
			paths = append(paths, parts[i].path)
		}
	}
	if g == nil || len(entries) == 0 {
		return
	}
	why := f.unusedReason(entries, g)
	for _, path := range paths {
		found.add(path, why)
	}
}

// idleParts returns the parts of a config that have no effect.
func (f *finder) idleParts(c clientConfig) (parts []idlePart) {
	add := func(path, format string, values ...any) {
		parts = append(parts, idlePart{path: path, why: fmt.Sprintf(format, values...)})
	}
	if c.own && f.resolutionBringsConfig() {
		add("", "name resolution brings another before the first RPC")
	}
	again := false
	for i := range c.Config.Entries {
		e := &c.Config.Entries[i]
		path := fmt.Sprintf("methodConfig[%d]", e.Place)
		groups := f.callers(c.Config, e)
		if len(groups) == 0 {
			why := f.unusedReason([]*serviceconfig.Entry{e},
				cmp.Or(f.groupWithoutEntry(c.Config), &f.Config.Clients[0]))
			if f.methodCalled(e) {
				why = "another entry is for the same method by its name, and goes before this one"
			}
			parts = append(parts, idlePart{path, why, e})
			continue
		}
		again = again || e.Method.Retry != nil || e.Method.Hedging != nil
		f.idleMethod(path, e.Method, groups, add)
	}
	if !again {
		add("retryThrottling", "nothing that clients call is retried or hedged")
	}
	if !f.uses(policies.Health) {
		add("healthCheckConfig", "no policy that runs (%s) listens to health: pick_first alone "+
			"does not", f.names())
	}
	if !slices.ContainsFunc(f.running, isServicePolicy) {
		const why = "no policy of the file is of kind service_config; " +
			"write [policies.prod] and below it kind = \"service_config\""
		add("loadBalancingConfig", why)
		add("loadBalancingPolicy", why)
	}
	return parts
}

func isServicePolicy(p config.Named[policies.Policy]) bool {
	return p.Kind == config.ServiceConfigKind
}

// idleMethod finds the parts without effect in the entry of some groups of clients.
func (f *finder) idleMethod(
	path string, m *serviceconfig.Method, groups []*models.ClientGroup,
	add func(path, format string, values ...any),
) {
	all := func(is func(g *models.ClientGroup) bool) bool {
		return !slices.ContainsFunc(groups, func(g *models.ClientGroup) bool { return !is(g) })
	}
	first := groups[0]
	if m.Timeout != nil && all(func(g *models.ClientGroup) bool {
		return g.Timeout > 0 && g.Timeout <= *m.Timeout
	}) {
		add(path+".timeout", "clients.%s.timeout, %v, is not longer", first.Name, first.Timeout)
	}
	own := func(g *models.ClientGroup) bool { return g.WaitForReady != nil }
	if m.WaitForReady != nil && all(own) {
		add(path+".waitForReady", "clients.%s.wait_for_ready goes before it", first.Name)
	}
	over := func(wait time.Duration) bool {
		return all(func(g *models.ClientGroup) bool {
			t := deadline(g, m)
			return t > 0 && t <= wait
		})
	}
	pushed := slices.ContainsFunc(f.Config.Backends, func(b models.BackendGroup) bool {
		return b.Pushback.Given
	})
	if r := m.Retry; r != nil && !pushed {
		wait := min(r.InitialBackoff, r.MaxBackoff) / 5 * 4 // less 20 % of jitter
		if over(wait) {
			add(path+".retryPolicy", "RPCs are over after %v, before the first backoff is (%v at "+
				"least)", deadline(first, m), wait)
		}
	}
	if h := m.Hedging; h != nil && h.NonFatal == 0 && over(h.Delay) {
		add(path+".hedgingPolicy", "RPCs are over after %v, before hedgingDelay is (%v)",
			deadline(first, m), h.Delay)
	}
}

// deadline returns the timeout of the RPCs of a group; 0 for none.
func deadline(g *models.ClientGroup, m *serviceconfig.Method) time.Duration {
	if m.Timeout != nil && (g.Timeout == 0 || *m.Timeout < g.Timeout) {
		return max(time.Nanosecond, *m.Timeout)
	}
	return g.Timeout
}

// callers returns the groups of clients whose method has an entry.
func (f *finder) callers(
	c *serviceconfig.Config, e *serviceconfig.Entry,
) (all []*models.ClientGroup) {
	for i := range f.Config.Clients {
		if g := &f.Config.Clients[i]; c.Method(g.Method) == e.Method {
			all = append(all, g)
		}
	}
	return all
}

// groupWithoutEntry returns a group of clients whose method has no entry, or nil.
func (f *finder) groupWithoutEntry(c *serviceconfig.Config) *models.ClientGroup {
	for i := range f.Config.Clients {
		if g := &f.Config.Clients[i]; !slices.ContainsFunc(c.Entries,
			func(e serviceconfig.Entry) bool { return c.Method(g.Method) == e.Method }) {
			return g
		}
	}
	return nil
}

// methodCalled reports whether some group calls a method of an entry.
func (f *finder) methodCalled(e *serviceconfig.Entry) bool {
	for i := range f.Config.Clients {
		method := f.Config.Clients[i].Method
		service := method[:strings.LastIndexByte(method, '/')+1]
		for _, name := range e.Names {
			if name == method || name == service || name == "" {
				return true
			}
		}
	}
	return false
}

// unusedReason returns the reason of entries that no client uses, with a method that a group could
// have.
func (f *finder) unusedReason(entries []*serviceconfig.Entry, g *models.ClientGroup) string {
	var names []string
	for _, e := range entries {
		for _, name := range e.Names {
			names = append(names, strings.Trim(name, "/"))
		}
	}
	method := entries[0].Names[0]
	if strings.HasSuffix(method, "/") {
		method += "METHOD"
	}
	return fmt.Sprintf("no client calls %s; set clients.%s.method = %q",
		strings.Replace(numtext.List(names), " and ", " or ", 1), g.Name, method)
}
