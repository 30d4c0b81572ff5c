package resolvers_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/resolvers"
	"lbsim/options"
	"lbsim/policies"
	"lbsim/sim"

	"github.com/BurntSushi/toml"
)

// experiment is the world of the stories.
var experiment = &models.Config{
	Backends: []models.BackendGroup{{Name: "a", Count: 3}, {Name: "b", Count: 1}},
}

// dualStack is a world of one backend with two addresses.
var dualStack = &models.Config{
	Backends: []models.BackendGroup{{Name: "two", Count: 1, Addresses: make([]models.Label, 2)}},
}

// codec reads resolvers as experiments do.
var codec = func() *options.Codec {
	c := new(options.Codec)
	options.Form(c, "a distribution", func(text string) (dist.Distribution, error) {
		return dist.Parse(text, nil)
	})
	options.Form(c, "a record", func(text string) (models.TXT, error) {
		return models.ReadTXT("", text, func(name string) (policies.Policy, bool) {
			p, is := policies.Catalog[name]
			return p, is
		})
	})
	return c
}()

// read makes a resolver, its options read as from an experiment.
func read(t *testing.T, kind, text string) models.Resolver {
	t.Helper()
	var tree map[string]any
	if _, err := toml.Decode(text, &tree); err != nil {
		t.Fatal(err)
	}
	r, _, err := options.Kind(codec, []string{kind}, tree, resolvers.Catalog)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// fakeConn is a channel that logs what its resolver reports, and a registry. Its policy refuses an
// empty list, as all do.
type fakeConn struct {
	*sim.Kernel
	rand    *sim.Rand
	log     []string
	refuses bool // the service config
	dual    bool // each backend has an IPv6 and an IPv4 address
	history [][]models.Presence
	watches []func(int32, models.Presence)
}

func newFakeConn() *fakeConn {
	c := &fakeConn{Kernel: sim.New(1)}
	c.rand = c.Kernel.Rand("client/0/resolver")
	c.history = make([][]models.Presence, len(experiment.BackendNames()))
	return c
}

func (c *fakeConn) AfterFunc(d time.Duration, f func())  { c.Kernel.AfterFunc(d, f) }
func (c *fakeConn) Rand() *sim.Rand                      { return c.rand }
func (c *fakeConn) History(b int32) []models.Presence    { return c.history[b] }
func (c *fakeConn) Watch(f func(int32, models.Presence)) { c.watches = append(c.watches, f) }
func (c *fakeConn) ReportError(text string)              { c.tell("error: " + text) }
func (c *fakeConn) tell(what string) {
	c.log = append(c.log, fmt.Sprintf("at %v: %s", c.Now(), what))
}

func (c *fakeConn) Backends(names []string) []int32 {
	if len(names) == 0 {
		names = []string{"a", "b"}
	}
	list, err := experiment.Select(names)
	if err != nil {
		panic(err)
	}
	return list
}

func (c *fakeConn) Addresses(backend int32) []int32 {
	if !c.dual {
		return []int32{backend}
	}
	return []int32{2 * backend, 2*backend + 1}
}

func (c *fakeConn) UpdateServiceConfig(s models.ServiceConfig) {
	c.refuses = s.Err != nil
	if s.Err != nil {
		c.tell("bad service config: " + s.Err.Error())
	} else if s.Config != nil {
		c.tell("service config with " + s.Config.PolicyName)
	}
}

func (c *fakeConn) UpdateEndpoints(endpoints [][]int32) error {
	var texts []string
	for _, addresses := range endpoints {
		text := ""
		for _, a := range addresses {
			text += fmt.Sprintf("%s ipv%d", experiment.BackendNames()[a/2], 6-a%2*2)
		}
		texts = append(texts, text)
	}
	c.tell("[" + strings.Join(texts, ", ") + "]")
	return c.verdict(nil)
}

// verdict is what comes of an update: an error also where the service config is bad.
func (c *fakeConn) verdict(err error) error {
	if c.refuses {
		return errors.New("bad service config")
	}
	return err
}

func (c *fakeConn) UpdateState(backends []int32) error { return c.UpdateWeighted(backends, nil) }

func (c *fakeConn) UpdateWeighted(backends []int32, weights []uint32) error {
	if backends == nil {
		c.tell("all backends")
		return c.verdict(nil)
	}
	names := make([]string, len(backends))
	for i, b := range backends {
		names[i] = experiment.BackendNames()[b]
		if weights != nil {
			names[i] += fmt.Sprintf("*%d", weights[b])
		}
	}
	c.tell(fmt.Sprint(names))
	if len(backends) == 0 {
		return c.verdict(errors.New("empty"))
	}
	return c.verdict(nil)
}

// changes are what may happen to a backend.
var changes = map[string]func(p *models.Presence){
	"crash":   func(p *models.Presence) { p.Up = false },
	"stop":    func(p *models.Presence) { p.Up, p.Graceful = false, !p.Cut },
	"back":    func(p *models.Presence) { p.Up, p.Graceful = true, false },
	"cut":     func(p *models.Presence) { p.Cut = true },
	"uncut":   func(p *models.Presence) { p.Cut = false },
	"refuse":  func(p *models.Presence) { p.Refuses = true },
	"accept":  func(p *models.Presence) { p.Refuses = false },
	"mute":    func(p *models.Presence) { p.Mute = true },
	"unmute":  func(p *models.Presence) { p.Mute = false },
	"unserve": func(p *models.Presence) { p.NotServing = true },
	"recover": func(p *models.Presence) { p.NotServing = false },
}

// change lets something happen to a backend.
func (c *fakeConn) change(backend string, what func(p *models.Presence)) {
	b := c.Backends([]string{backend})[0]
	p := models.Presence{Up: true}
	if all := c.history[b]; len(all) > 0 {
		p = all[len(all)-1]
	}
	what(&p)
	p.Since = c.Now()
	p.Luck = sim.Mix(uint64(p.Since), uint64(b))
	c.history[b] = append(c.history[b], p)
	for _, f := range c.watches {
		c.AfterFunc(0, func() { f(b, p) })
	}
}

// start plays a resolver from a moment on, with what happens meanwhile: "KIND", "WHAT@MOMENT".
func start(t *testing.T, r models.Resolver, at string, happens map[string][]string) string {
	t.Helper()
	c := newFakeConn()
	_, c.dual = happens["dual"]
	var work models.Resolution
	c.AfterFunc(moment(t, at), func() { work = r.Start(c) })
	until := time.Hour
	if text := happens["until"]; text != nil {
		until = moment(t, text[0])
	}
	for _, text := range happens["hints"] {
		c.AfterFunc(moment(t, text), func() {
			if work != nil {
				work.ResolveNow()
			}
		})
	}
	for _, kind := range slices.Sorted(maps.Keys(changes)) {
		for _, text := range happens[kind] {
			backend, when, _ := strings.Cut(text, "@")
			c.AfterFunc(moment(t, when), func() { c.change(backend, changes[kind]) })
		}
	}
	c.Run(sim.Time(until), 10_000)
	if c.log == nil {
		return "nothing"
	}
	return strings.Join(c.log, "\n")
}

func moment(t *testing.T, text string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// moments returns when something was logged.
func moments(log string) []string {
	var all []string
	for line := range strings.Lines(log) {
		at, _, _ := strings.Cut(strings.TrimPrefix(line, "at "), ": ")
		all = append(all, at)
	}
	return slices.Clip(all)
}
