package models_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/failures"
	"lbsim/models/resolvers"
	"lbsim/options"
	"lbsim/policies"
)

// readWorld reads the lines of a world. What they leave out: no delay, pick_first, all backends.
func readWorld(t *testing.T, text string) *models.Config {
	t.Helper()
	w := world{t, new(options.Codec), &models.Config{
		Seed: 1, Duration: time.Hour, Bin: time.Hour,
		Resolver: resolvers.Static{},
		Policy:   policies.PickFirst{},
	}}
	options.Form(w.codec, "a distribution", func(text string) (dist.Distribution, error) {
		return dist.Parse(strings.ReplaceAll(text, "_", " "), nil)
	})
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		w.add(words[0], words[1:])
	}
	return w.Config
}

// world is one that is being read.
type world struct {
	t     *testing.T
	codec *options.Codec
	*models.Config
}

// add adds what a line says: KEY=VALUE with the keys of an experiment, in a distribution with _ for
// a space. Of NAME and of what an experiment lacks:
//
//	policy NAME, or service_config
//	network ...
//	clients at=0s,5ms, and else, where there is no rate, a caller
//	backends NAME ...
//	l4 NAME backends=b/0,b/1 ...
//	script 0s=b/0,b/1 10ms=b/1 20ms=
//	dns lookup=5ms re_resolve=10ms 0s=TXT 10ms=TXT
//	FAILURE BACKEND from=1ms to=2ms ...
func (w *world) add(word string, rest []string) {
	w.t.Helper()
	tree, name := make(map[string]any), ""
	for _, text := range rest {
		if key, value, found := strings.Cut(text, "="); found {
			tree[key] = literal(key, value)
		} else {
			name = text
		}
	}
	switch word {
	case "policy":
		if name == "service_config" {
			w.Policy = policies.FromServiceConfig{Default: policies.PickFirst{}}
		} else {
			w.Policy = sample(name)
		}
	case "network":
		w.read(tree, &w.Network)
	case "clients":
		w.clients(tree)
	case "backends":
		g := models.BackendGroup{}
		g.SetDefaults()
		g.Name, g.AgeJitter = name, 0
		w.read(tree, &g)
		w.Backends = append(w.Backends, g)
	case "l4":
		l := models.L4Balancer{Name: name}
		w.read(tree, &l)
		w.L4 = append(w.L4, l)
	case "script":
		at := make(map[string][]string)
		for moment, names := range tree {
			at[moment] = list(names.(string))
		}
		w.Resolver = resolvers.Script{At: at}
	case "dns":
		w.dns(tree)
	default:
		tree["backends"] = literal("backends", name)
		f, _, err := options.Kind(w.codec, []string{word}, tree, failures.Catalog)
		if err != nil {
			w.t.Fatal(err)
		}
		w.Failures = append(w.Failures, f)
	}
}

// literal returns a value as it would stand in a file.
func literal(key, text string) any {
	if key == "backends" || key == "addresses" || key == "at" {
		var all []any
		for _, part := range list(text) {
			all = append(all, part)
		}
		return all
	}
	if b, err := strconv.ParseBool(text); err == nil && len(text) > 1 {
		return b
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return f
	}
	return text
}

func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
}

func (w *world) read(tree map[string]any, to any) {
	w.t.Helper()
	if err := w.codec.Read(nil, tree, to); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) clients(tree map[string]any) {
	g := models.ClientGroup{}
	g.SetDefaults()
	g.Name, g.IdleTimeout = "web", 0
	at := struct {
		Moments []time.Duration `toml:"at"`
	}{}
	if moments, given := tree["at"]; given {
		w.read(map[string]any{"at": moments}, &at)
		delete(tree, "at")
		g.At = at.Moments
	}
	if tree["rate"] == nil && g.At == nil {
		g.Callers = 1
	}
	w.read(tree, &g)
	w.Clients = append(w.Clients, g)
}

// dns is all backends and a TXT record.
func (w *world) dns(tree map[string]any) {
	d := resolvers.DNS{TXT: make(map[string]models.TXT)}
	given := make(map[string]any)
	for key, value := range tree {
		if key == "lookup" || key == "re_resolve" {
			given[key] = value
		} else {
			d.TXT[key] = readTXT(w.t, value.(string))
		}
	}
	w.read(given, &d)
	d.MinResolutionInterval = d.ReResolve
	w.Resolver = d
}
