package models_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/failures"
	"lbsim/models/resolvers"
	"lbsim/policies"
	"lbsim/sim"

	"github.com/cockroachdb/datadriven"
)

// The stories in testdata tell every path that an RPC can take, event by event:
//
//	world         a new world, told below in lines "WORD [NAME] KEY=VALUE..." (see tell)
//	run 10ms      all up to and including that moment of the run
//
// The answer of run is a line for each event that changed something that can be seen. Events at one
// moment stand in their order. After a change that is meant, -rewrite writes the answers anew: read
// the difference and keep only what you can explain.
func TestStories(t *testing.T) {
	stories, _ := filepath.Glob("testdata/*.txt")
	if len(stories) < 5 {
		t.Fatalf("found the stories %q only", stories)
	}
	for _, path := range stories {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) {
			var j *models.Journal
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				switch d.Cmd {
				case "world":
					j = models.NewJournal(readWorld(t, d.Input))
					return ""
				case "run":
					j.Run(sim.Time(duration(t, d.CmdArgs[0].Key)))
					return strings.Join(j.Take(), "\n")
				}
				t.Fatalf("unknown command %q", d.Cmd)
				return ""
			})
		})
	}
}

// readWorld reads the lines of a world. What they do not say: no delay, pick_first, all backends.
func readWorld(t *testing.T, text string) *models.Config {
	t.Helper()
	cfg := &models.Config{
		Seed: 1, Duration: time.Hour, Bin: time.Hour,
		Network:  models.Network{Delay: dist.Constant(0)},
		Resolver: resolvers.Static{},
		Policy:   policies.PickFirst{},
	}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		tell(t, cfg, words[0], words[1:])
	}
	return cfg
}

// tell adds what a line says, in a distribution with _ for a space:
//
//	policy NAME
//	network delay=1ms connect=30s giveup=15m user_timeout=true
//	clients callers=1 think=1ms | rate=100 even=true | at=0s,5ms,
//	        and requests=1 timeout=5ms wait=true count=1
//	        idle=30m keepalive=10s keepalive_timeout=20s keepalive_always=true
//	backends NAME service=5ms workers=1 speed=1 queue=1 full=UNAVAILABLE cancel=stop count=2
//	        discipline=ps expired=drop
//	        addresses=ipv6,ipv4
//	        age=1m grace=1s jitter=10 (percent) idle=1m streams=100 ping=5m ping_always=true
//	        connect=5ms (the work of a connection) goaway=10 (percent)
//	l4 NAME backends=b/0,b/1 choice=round_robin
//	script 0s=b/0,b/1 10ms=b/1 20ms=
//	dns lookup=5ms every=10ms 0s=TXT 10ms=TXT
//	crash | stop | mute b/0 from=1ms to=2ms
//	blackhole | refuse b/0 addresses=ipv6 from=1ms to=2ms
//	slow b/0 factor=3 from=1ms to=2ms
func tell(t *testing.T, cfg *models.Config, word string, rest []string) {
	t.Helper()
	o := options{t: t, of: make(map[string]string)}
	var name string
	for _, w := range rest {
		if key, value, found := strings.Cut(w, "="); found {
			o.of[key] = value
		} else {
			name = w
		}
	}
	from, to := models.Duration(o.duration("from")), models.Duration(o.duration("to"))
	switch word {
	case "policy":
		if name == "service_config" {
			cfg.Policy = policies.FromServiceConfig{Default: policies.PickFirst{}}
		} else {
			cfg.Policy = sample(name)
		}
	case "network":
		cfg.Network = models.Network{Delay: o.dist("delay"), Connect: o.dist("connect"),
			GiveUp: o.duration("giveup"), UserTimeout: o.of["user_timeout"] == "true"}
	case "clients":
		cfg.Clients = append(cfg.Clients, o.clients())
	case "backends":
		cfg.Backends = append(cfg.Backends, o.backends(name))
	case "l4":
		cfg.L4 = append(cfg.L4, o.l4(cfg, name))
	case "script":
		at := make(map[string][]string)
		for moment, names := range o.of {
			at[moment] = strings.FieldsFunc(names, func(r rune) bool { return r == ',' })
		}
		cfg.Resolver = resolvers.Script{At: at}
	case "dns":
		cfg.Resolver = o.dns(t)
	case "crash":
		cfg.Failures = append(cfg.Failures,
			failures.Crash{Backends: []string{name}, From: from, To: to})
	case "stop":
		cfg.Failures = append(cfg.Failures,
			failures.Stop{Backends: []string{name}, From: from, To: to})
	case "blackhole":
		cfg.Failures = append(cfg.Failures,
			failures.Blackhole{Backends: []string{name}, Addresses: o.labels(), From: from, To: to})
	case "refuse":
		cfg.Failures = append(cfg.Failures,
			failures.Refuse{Backends: []string{name}, Addresses: o.labels(), From: from, To: to})
	case "mute":
		cfg.Failures = append(cfg.Failures,
			failures.Mute{Backends: []string{name}, From: from, To: to})
	case "slow":
		cfg.Failures = append(cfg.Failures, failures.Slow{Backends: []string{name}, From: from,
			To: to, Factor: float64(o.number("factor", 1))})
	default:
		t.Fatalf("unknown word %q", word)
	}
}

// options are the KEY=VALUE of a line.
type options struct {
	t  *testing.T
	of map[string]string
}

func (o options) clients() models.ClientGroup {
	g := models.ClientGroup{
		Name: "web", Count: o.number("count", 1), Rate: float64(o.number("rate", 0)),
		Even: o.of["even"] == "true", Think: o.dist("think"),
		Start: o.duration("start"), Requests: uint64(o.number("requests", 0)),
		Timeout: o.duration("timeout"), WaitForReady: o.of["wait"] == "true",
		IdleTimeout:   o.duration("idle"),
		KeepaliveTime: o.duration("keepalive"), KeepaliveTimeout: 20 * time.Second,
		KeepaliveWithoutStream: o.of["keepalive_always"] == "true",
	}
	if o.of["keepalive_timeout"] != "" {
		g.KeepaliveTimeout = o.duration("keepalive_timeout")
	}
	if g.Think == nil {
		g.Think = dist.Constant(0)
	}
	for moment := range strings.SplitSeq(o.of["at"], ",") {
		if moment != "" {
			g.At = append(g.At, duration(o.t, moment))
		}
	}
	if g.Rate == 0 && g.At == nil {
		g.Callers = o.number("callers", 1)
	}
	return g
}

func (o options) backends(name string) models.BackendGroup {
	g := models.BackendGroup{
		Name: name, Count: o.number("count", 1), Addresses: o.labels(),
		Workers: o.number("workers", 1),
		Queue:   o.number("queue", -1), OnFull: policies.ResourceExhausted,
		Service: o.dist("service"), Speed: float64(o.number("speed", 1)),
		StopsCancelled: o.of["cancel"] == "stop", DropsOverdue: o.of["expired"] == "drop",
		ConnectCost:      o.dist("connect"),
		MaxConnectionAge: o.duration("age"), MaxConnectionAgeGrace: o.duration("grace"),
		AgeJitter: float64(o.number("jitter", 0)) / 100, MaxConnectionIdle: o.duration("idle"),
		MaxStreams: o.number("streams", 0), PingMinTime: 5 * time.Minute,
		PingWithoutStream: o.of["ping_always"] == "true",
		GoAwayChance:      float64(o.number("goaway", 0)) / 100,
	}
	if text := o.of["discipline"]; text != "" {
		if err := g.Discipline.UnmarshalText([]byte(text)); err != nil {
			o.t.Fatal(err)
		}
	}
	if o.of["ping"] != "" {
		g.PingMinTime = o.duration("ping")
	}
	if o.of["full"] == policies.Unavailable.String() {
		g.OnFull = policies.Unavailable
	}
	return g
}

func (o options) l4(cfg *models.Config, name string) models.L4Balancer {
	l := models.L4Balancer{Name: name, Backends: strings.Split(o.of["backends"], ",")}
	if err := l.Choice.UnmarshalText([]byte(o.of["choice"])); err != nil {
		o.t.Fatal(err)
	}
	if err := l.Check(cfg); err != nil {
		o.t.Fatal(err)
	}
	return l
}

// dns is all backends and a TXT record.
func (o options) dns(t *testing.T) models.Resolver {
	d := resolvers.DNS{
		TXT: make(map[string]models.TXT), Lookup: o.dist("lookup"),
		MinResolutionInterval: models.Duration(o.duration("every")),
		ReResolve:             models.Duration(o.duration("every")),
	}
	for moment, text := range o.of {
		if moment == "lookup" || moment == "every" {
			continue
		}
		d.TXT[moment] = readTXT(t, text)
	}
	return d
}

func (o options) labels() []models.Label {
	var all []models.Label
	for text := range strings.FieldsFuncSeq(o.of["addresses"], func(r rune) bool {
		return r == ','
	}) {
		var l models.Label
		if err := l.UnmarshalText([]byte(text)); err != nil {
			o.t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

func (o options) number(key string, otherwise int) int {
	text, found := o.of[key]
	if !found {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		o.t.Fatalf("%s: %v", key, err)
	}
	return n
}

func (o options) duration(key string) time.Duration {
	if text, found := o.of[key]; found {
		return duration(o.t, text)
	}
	return 0
}

func (o options) dist(key string) dist.Distribution {
	if text, found := o.of[key]; found {
		return parse(o.t, strings.ReplaceAll(text, "_", " "))
	}
	return nil
}

func duration(t *testing.T, text string) time.Duration {
	t.Helper()
	var d models.Duration
	if err := d.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(fmt.Errorf("duration: %w", err))
	}
	return time.Duration(d)
}
