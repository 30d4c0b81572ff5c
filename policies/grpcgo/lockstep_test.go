package grpcgo

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/resolver"
	"pgregory.net/rapid"

	"lbsim/policies"
	"lbsim/sim"
)

// pair is a port and its original, which are to do the same in lockstep: one script is played to
// both, with the same random numbers, and after each of its lines what they did is compared.
type pair struct {
	name string // of the original
	// configs are those that the resolver may bring.
	configs []pairConfig
	// pool are the endpoints that the resolver may list. Unless the policy takes addresses one by
	// one, no two endpoints share any.
	pool []policies.Endpoint
	// addresses are those of each endpoint of the pool.
	addresses      [][]string
	health         bool    // the backends tell how they are, in every second script
	nested         bool    // the shards are inside, and tapped
	sweeps         *sweeps // of outlier_detection
	mapped         bool    // the original makes SubConns in the order of a map
	races          bool    // in the original a child may connect just before it is closed
	header         string  // that carries the key of RPCs
	fewConnections bool    // RPCs go to few of them
	// prepare, if not nil, is called with each state that the original reports. It may make up for
	// a random number that cannot be taken over.
	prepare func(s balancer.State, r *sim.Rand)
	// endpoint adds what the original looks for, as in [Balancer].
	endpoint func(resolver.Endpoint, *policies.Endpoint) resolver.Endpoint
}

type pairConfig struct {
	json string
	ours policies.Policy
}

// weather is what scripts refer to by number, for one of the two sides.
type weather struct {
	configs []func(h *fakeHost) policies.Policy
	pool    []*policies.Endpoint
	mapped  bool
	header  string
	last    []int // list that was resolved
}

func (w *weather) endpoints(list []int) []*policies.Endpoint {
	var es []*policies.Endpoint
	for _, i := range list {
		es = append(es, w.pool[i%len(w.pool)])
	}
	return es
}

func (w *weather) call(b int) policies.Call {
	return policies.Call{Luck: sim.Mix(uint64(b), 0), Header: w.header, Key: uint64(b % 20)}
}

// endpoints makes the pool of endpoints.
func (p *pair) endpoints() []*policies.Endpoint {
	var pool []*policies.Endpoint
	known := make(map[string]*policies.Address)
	for i, texts := range p.addresses {
		e := new(policies.Endpoint)
		if i < len(p.pool) {
			*e = p.pool[i]
		}
		e.ID, e.Addresses = int32(i), nil
		for _, text := range texts {
			if known[text] == nil {
				known[text] = &policies.Address{ID: int32(len(known)), Text: text}
			}
			e.Addresses = append(e.Addresses, known[text])
		}
		pool = append(pool, e)
	}
	return pool
}

// duel is a pair at work on one script.
type duel struct {
	real, ours *fakeHost
	realW      *weather
	oursW      *weather
	orders     *orders
	races      bool
}

// newDuel builds both. It is to be called in a bubble.
func (p *pair) newDuel(seed uint64) *duel {
	pool := p.endpoints()
	host := func() *fakeHost {
		return &fakeHost{Kernel: sim.New(seed), rand: sim.NewRand(seed, "policy"),
			healthy: !p.health || seed%2 == 0}
	}
	d := &duel{real: host(), ours: host(), races: p.races,
		realW: &weather{pool: pool, mapped: p.mapped, header: p.header},
		oursW: &weather{pool: pool, mapped: p.mapped, header: p.header}}
	d.orders = &orders{real: d.real, id: func(address string) int32 {
		for _, e := range pool {
			if len(e.Addresses) > 0 && slices.ContainsFunc(e.Addresses,
				func(a *policies.Address) bool { return a.Text == address }) {
				return e.ID
			}
		}
		return -1
	}}
	drawFrom(d.real.rand)
	registerTapped()
	tappedOrders = d.orders
	d.ours.orders, d.ours.sweeps = d.orders, p.sweeps
	clock := newClock()
	d.real.clock = clock
	d.real.Kernel.Follow(clock)
	for _, c := range p.configs {
		d.realW.configs = append(d.realW.configs, func(*fakeHost) policies.Policy {
			return Policy{Config: c.json, balancer: &Balancer{p.name, p.endpoint}}
		})
		d.oursW.configs = append(d.oursW.configs, func(*fakeHost) policies.Policy { return c.ours })
	}
	first := d.realW.configs[0](d.real).(Policy)
	first.reported = func(s balancer.State) {
		if !p.nested {
			d.orders.see(s)
		}
		if p.prepare != nil {
			p.prepare(s, d.real.rand)
		}
	}
	d.real.b = first.Build(d.real)
	d.real.settle()
	d.ours.b = p.configs[0].ours.Build(d.ours)
	d.ours.settle()
	return d
}

// play plays one line of a script to both and says how they differ.
func (d *duel) play(o op) error {
	called, d.orders.seen = nil, nil
	real := d.real.play(o, d.realW) // first: the port learns the order of the children
	ours := d.ours.play(o, d.oursW)
	if d.races {
		a, b := len(real), len(ours)
		real, ours = withoutMoot(real), withoutMoot(ours)
		if a-len(real) != b-len(ours) {
			*d.ours.rand = *d.real.rand // connecting is a report, and a report is a draw
		}
	}
	if err := differ(real, ours); err != nil {
		return err
	}
	if a, b := d.real.rand.Uint64(), d.ours.rand.Uint64(); a != b {
		return fmt.Errorf("they have drawn differently: the next words are %x and %x", a, b)
	}
	return nil
}

// picks makes both pick so often while connections come and go, and ends RPCs so that some are
// open. It counts those that were sent, and on how many connections.
func (d *duel) picks(n int, script *sim.Rand) (sent, on int, err error) {
	const calm = 500 // picks between two changes of the weather
	went := make(map[string]bool)
	for i := range n {
		if i%calm == 0 {
			o := op{kind: []opKind{opConnect, opConnect, opConnect, opSubConn, opAdvance, opHealth,
				opLoad, opResolve}[script.IntN(8)], a: script.IntN(100), b: script.IntN(100)}
			if o.kind == opResolve {
				o.list = make([]int, 8)
				for i := range o.list {
					o.list[i] = script.IntN(100)
				}
			}
			if err := d.play(o); err != nil {
				return 0, 0, fmt.Errorf("pick %d, %v: %w", i, o, err)
			}
		}
		open := len(d.real.open)
		c := d.realW.call(script.IntN(1000))
		real, ours := d.real.pick(c), d.ours.pick(c)
		if real != ours {
			return 0, 0, fmt.Errorf("pick %d: real %s, ours %s", i, real, ours)
		}
		if d.real.state != policies.Ready {
			d.real.settle()
			d.ours.settle()
			if err := differ(d.real.take(), d.ours.take()); err != nil {
				return 0, 0, fmt.Errorf("pick %d: %w", i, err)
			}
		}
		if n := len(d.real.open); n > open {
			sent++
			went[real] = true
		}
		if len(d.real.open) > 20 || script.IntN(2) == 0 && len(d.real.open) > 0 {
			k, o := script.IntN(len(d.real.open)), outcomeOf(script.IntN(100))
			d.real.done(k, o)
			d.ours.done(k, o)
		}
	}
	return sent, len(went), nil
}

func (d *duel) close() {
	for len(d.real.open) > 0 && len(d.ours.open) > 0 {
		d.real.done(0, policies.Outcome{})
		d.ours.done(0, policies.Outcome{})
	}
	d.real.b.Close()
	d.ours.b.Close()
}

// withoutMoot leaves out that a SubConn connects which is shut down at that moment.
func withoutMoot(log []line) []line {
	return slices.DeleteFunc(slices.Clone(log), func(l line) bool {
		name, connects := strings.CutPrefix(l.text, "connect ")
		return connects && slices.ContainsFunc(log, func(o line) bool {
			return o.at == l.at && o.text == "shutdown "+name
		})
	})
}

func differ(real, ours []line) error {
	if slices.Equal(real, ours) {
		return nil
	}
	return fmt.Errorf("real: %v\nours: %v", text(real), text(ours))
}

func text(log []line) string {
	var b strings.Builder
	for _, l := range log {
		fmt.Fprintf(&b, "%v %s; ", l.at, l.text)
	}
	return b.String()
}

// playAll plays a script to both and says where they begin to differ.
func (p *pair) playAll(t *testing.T, seed uint64, script []op) (err error) {
	synctest.Test(t, func(*testing.T) {
		d := p.newDuel(seed)
		defer d.close()
		for i, o := range script {
			if err = d.play(o); err != nil {
				err = fmt.Errorf("%s, seed %d, line %d, %v, of %v:\n%w", p.name, seed, i, o,
					script, err)
				return
			}
		}
	})
	return err
}

// lockstep plays a million picks and then 2000 random scripts.
func (p *pair) lockstep(t *testing.T) {
	t.Helper()
	p.aMillionPicks(t)
	if !t.Failed() {
		p.randomScripts(t, 2000, scripts(len(p.addresses)))
	}
}

// randomScripts plays n scripts with a fixed seed, or as the flags of rapid say.
func (p *pair) randomScripts(t *testing.T, n int, scripts *rapid.Generator[[]op]) {
	t.Helper()
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		p.note(t, n, "scripts")
	}
	rapidly(t, n, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		if err := p.playAll(t, seed, scripts.Draw(rt, "script")); err != nil {
			rt.Fatal(err)
		}
	})
}

// rapidly makes n checks with a fixed seed, or as the flags of rapid say.
func rapidly(t *testing.T, n int, check func(rt *rapid.T)) {
	t.Helper()
	for name, value := range map[string]string{"rapid.checks": strconv.Itoa(n), "rapid.seed": "1"} {
		if f := flag.Lookup(name); f.Value.String() == f.DefValue {
			f.Value.Set(value)
			defer f.Value.Set(f.DefValue)
		}
	}
	rapid.Check(t, check)
}
