package models

import (
	"time"

	"lbsim/models/record"
	"lbsim/policies"
	"lbsim/sim"
)

// World is one run: its clock, its actors and its record.
type World struct {
	cfg            *Config
	k              *sim.Kernel
	id             sim.ID // the world is the first actor; the backends follow
	rec            *record.Recorder
	rpcs           slab
	loads          []loadReport // by handle: the report with the reply; empty if none reports
	conns          conns
	net            network
	keys           renumbering
	failing        int // failures of kind errors in force, of all backends
	backoff        Backoff
	clients        []*client // by number
	clientsToBegin int       // clients that will begin another RPC
	backends       []backend // by number
	l4             []*l4
	registry       registry

	paths       []path               // by number of the address
	endpoints   []*policies.Endpoint // by number of the backend
	shown       []*policies.Endpoint // likewise, or the endpoint of its L4 balancer
	several     []*policies.Endpoint // all endpoints with more addresses than one, or with none
	endpointIDs int32                // endpoint IDs in use, from 0

	accepted    uint32  // connections so far; they are numbered from 1
	connAddress []int32 // by connection number: its address; nil without L4 balancers

	// What policies read is valid until the next call, so one of each is enough.
	load   policies.Load
	named  [2]policies.NamedMetric
	status policies.Status
}

// Events of the world.
const (
	worldWarm sim.Kind = iota // the warm-up ends
	worldBin                  // a bin of the series ends
)

// New sets up a run. It panics with what [Config.Check] finds wrong.
func New(cfg *Config) *World {
	if err := cfg.Check(); err != nil {
		panic("models: " + err.Error())
	}
	w := &World{cfg: cfg, k: sim.New(cfg.Seed), backoff: DefaultBackoff()}
	if cfg.Backoff != nil {
		w.backoff = *cfg.Backoff
	}
	w.id = w.k.Register(w)
	w.keys = cfg.keys()
	w.net = newNetwork(w.k, &cfg.Network)
	w.addBackends()
	w.addL4()
	if cfg.WrongPort {
		for i := range w.paths {
			w.paths[i].refuses++
		}
	}
	w.addClients()
	w.conns = newConns(w)
	for _, f := range cfg.Failures {
		f.Start(w)
	}
	if cfg.Warmup > 0 {
		w.k.AtFirst(sim.Time(cfg.Warmup), w.id, worldWarm, 0)
	} else {
		w.k.At(0, w.id, worldWarm, 0)
	}
	w.endBinLater()
	return w
}

// addClients makes the clients, and a view for each group that does not see the backends as they
// are.
func (w *World) addClients() {
	common := newView(w, nil)
	for i := range w.cfg.Clients {
		g, v := &w.cfg.Clients[i], common
		if w.cfg.Rank != NoRank || len(g.ZoneWeights) > 0 {
			v = newView(w, g)
		}
		for k := range g.Count {
			w.clients = append(w.clients, newClient(w, g, v, k))
		}
	}
}

// addBackends makes the recorder, the backends and the registry.
func (w *World) addBackends() {
	var groups []*BackendGroup // of each backend
	var workers []int
	for i := range w.cfg.Backends {
		g := &w.cfg.Backends[i]
		for range g.Count {
			groups = append(groups, g)
			workers = append(workers, g.Workers)
		}
	}
	start := w.cfg.Duration
	for i := range w.cfg.Clients {
		start = min(start, w.cfg.Clients[i].Start)
	}
	w.rec = record.NewRecorder(
		workers, int(policies.Codes), sim.Time(w.cfg.Warmup), sim.Time(start), w.cfg.Bin)
	w.backends = make([]backend, len(groups))
	for n, name := range w.cfg.BackendNames() {
		w.backends[n].init(w, n, groups[n], name)
		w.addPaths(int32(n), groups[n].labels())
	}
	w.registry = newRegistry(w, len(w.backends))
}

// backendID returns the actor of a backend. Backends are registered right after the world.
func (w *World) backendID(number int32) sim.ID { return w.id + 1 + sim.ID(number) }

// Handle handles the events of the world.
func (w *World) Handle(ev sim.Event) {
	switch ev.Kind() {
	case worldWarm:
		w.rec.WarmedUp(w.k.Now())
	case worldBin:
		w.rec.EndBin(w.k.Now())
		w.endBinLater()
	}
}

// endBinLater schedules the end of the current bin. The last bin ends with the run.
func (w *World) endBinLater() {
	if end := w.k.Now().Add(w.cfg.Bin); end < sim.Time(w.cfg.Duration) {
		w.k.AtFirst(end, w.id, worldBin, 0)
	}
}

// Run continues the run for at most limit events and reports whether it is over. Events at the
// moment of its end do not happen.
func (w *World) Run(limit int) bool { return w.k.Run(sim.Time(w.cfg.Duration)-1, limit) }

// Follow makes f follow the clock of the run; see [sim.Kernel.Follow].
func (w *World) Follow(f sim.Follower) { w.k.Follow(f) }

// Progress is how far a run has come.
type Progress struct {
	Now    sim.Time
	Events uint64
	Ended  uint64 // RPCs
	Held   int    // records of RPCs in use: of open RPCs, and of ended ones at a backend
}

// Progress returns how far the run has come.
func (w *World) Progress() Progress {
	held := len(w.rpcs.rpcs) - len(w.rpcs.free)
	for _, c := range w.clients {
		held += len(c.calls) - len(c.freeCalls)
	}
	return Progress{
		Now: w.k.Now(), Events: w.k.Events(), Ended: w.rec.Ended(),
		Held: held,
	}
}

// Finish ends a run that is over and returns its record.
func (w *World) Finish() *record.Run {
	now := max(w.k.Now(), sim.Time(w.cfg.Duration))
	for i := range w.rpcs.rpcs {
		if r := &w.rpcs.rpcs[i]; r.holders > 0 && r.state != rpcEnded && !r.hasCall() {
			w.rec.StillOpen(now, r.start, w.rpcs.sent(handle(i)))
		}
	}
	for _, c := range w.clients {
		free := make([]bool, len(c.calls))
		for _, i := range c.freeCalls {
			free[i] = true
		}
		for i := range c.calls {
			if k := &c.calls[i]; !free[i] {
				sent := k.sent
				for _, h := range k.attempts[:k.running] {
					sent += w.rpcs.sent(h)
				}
				w.rec.StillOpen(now, k.start, sent)
			}
		}
	}
	run := w.rec.Finish(now, w.k.Digest(), w.k.Events())
	if r, ok := w.clients[0].channel.balancer.(policies.Remarker); ok {
		run.Remark = r.Remark()
	}
	return run
}

// AfterFunc calls f d from now.
func (w *World) AfterFunc(d time.Duration, f func()) { w.k.AfterFunc(d, f) }

// Select is [Config.Select] for names that have been checked.
func (w *World) Select(names []string) []int32 {
	backends, err := w.cfg.Select(names)
	if err != nil {
		panic("models: " + err.Error())
	}
	return backends
}

// Slow multiplies the time that a backend takes for work that starts from now on.
func (w *World) Slow(backend int32, factor float64) {
	w.backends[backend].slow(factor)
	w.measureCapacity(backend)
}

// Unslow takes back one Slow with the same factor.
func (w *World) Unslow(backend int32, factor float64) {
	w.backends[backend].unslow(factor)
	w.measureCapacity(backend)
}
