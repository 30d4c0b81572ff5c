package policies

import (
	"fmt"
	"time"

	"lbsim/sim"
)

// WeightedRoundRobin sends each READY endpoint a share of the RPCs in proportion to what it could
// serve, which is taken from what the backends report of their load: queries per second over
// utilisation. An endpoint of which nothing usable is known gets the mean of the others; while that
// is so of all but one, all get the same.
//
// Source: grpc-go v1.85.0, balancer/weightedroundrobin (gRFC A58).
//
// Reacts to: what backends report of their load, with replies or apart from them.
//
// Traps: as there,
//
//   - The weight is dropped when a connection turns READY. From the first report after that it
//     takes a blackout period, 10 s by default, until weights count at all.
//   - Weights are looked at when the picker is made anew and each weight update period, so picks
//     follow a report up to that much later.
//   - There is no least weight: an endpoint whose weight is less than 1/131070 of the greatest gets
//     no RPC, and where only replies carry reports, none to tell otherwise before it expires.
//   - With out-of-band reports those of replies are ignored, and the server decides how often they
//     come: stock grpc-go servers send one each 30 s at most, whatever is asked for.
//   - A report without utilisation or without queries is as good as none.
//
// Of a report with negative numbers grpc-go makes what the CPU makes of it; here it is ignored.
type WeightedRoundRobin struct {
	// EnableOOB asks each backend for reports apart from any RPC; else those that come
	// with replies count.
	EnableOOB bool `toml:"enable_oob_load_report" json:"enableOobLoadReport"`
	// OOBPeriod is how often to ask for them. The backend may send them less often.
	OOBPeriod time.Duration `toml:"oob_reporting_period" json:"oobReportingPeriod"`
	// BlackoutPeriod is for how long there must have been reports before they count, so that
	// weights do not churn while endpoints come up; 0 for no time.
	BlackoutPeriod time.Duration `toml:"blackout_period" json:"blackoutPeriod"`
	// ExpirationPeriod is after what time without a report the last no longer counts.
	ExpirationPeriod time.Duration `toml:"weight_expiration_period" json:"weightExpirationPeriod"`
	// UpdatePeriod is how often the shares are computed; less than 100 ms counts as that.
	UpdatePeriod time.Duration `toml:"weight_update_period" json:"weightUpdatePeriod" zero:"100ms"`
	// ErrorPenalty is how much utilisation an error rate of 1 counts as, 0 or more.
	ErrorPenalty float64 `toml:"error_utilization_penalty" json:"errorUtilizationPenalty"`
}

const leastUpdatePeriod = 100 * time.Millisecond

// Check refuses a negative penalty.
func (p WeightedRoundRobin) Check() error {
	if p.ErrorPenalty < 0 {
		return fmt.Errorf("error_utilization_penalty: must be non-negative (is %v)",
			p.ErrorPenalty)
	}
	return nil
}

// Uses says that it needs reports, and time for the first of them to count.
func (p WeightedRoundRobin) Uses() []Use {
	const equal = "all get the same, as with round_robin"
	reports := Use{What: LoadPerCall, Without: equal}
	if p.EnableOOB {
		reports.What = LoadOutOfBand
	}
	return []Use{{What: Health}, reports, {
		What: Time, Option: "blackout_period", Period: p.BlackoutPeriod,
		Without: "no report counts, and " + equal,
	}}
}

// Doc says what the policy does.
func (WeightedRoundRobin) Doc() string {
	return "READY endpoints in proportion to what they could serve, as they report their load"
}

// Build makes the balancer of one channel.
func (p WeightedRoundRobin) Build(h Host) Balancer {
	w := &weightedRoundRobin{Host: h}
	w.sharding = newEndpointSharding(w, nil)
	w.onTick = func() {
		w.schedule()
		w.startTicker()
	}
	w.configure(p)
	return w
}

// weightedRoundRobin is the Host of an endpointSharding, which does the connecting, and puts a
// picker of its own in the place of that one's while an endpoint is READY.
type weightedRoundRobin struct {
	Host
	sharding *endpointSharding
	config   WeightedRoundRobin
	stride

	weights    []*endpointWeight // of all endpoints that ever were, by number; nil once gone
	byEndpoint []*endpointWeight // of those in the list, by ID
	byAddress  []*endpointWeight // by ID: the last made of the endpoints that have the address
	of         []*endpointWeight // by SubConn
	seen       []uint32          // by ID of an address: the last update that brought it
	updates    uint32

	picking []weightedEndpoint // those that are READY
	raw     []float64          // their weights
	ticker  *sim.Call
	onTick  func()
}

// weightedEndpoint is a READY endpoint.
type weightedEndpoint struct {
	sc     SubConn
	note   uint64 // 1 + number of its weight if replies count, else 0
	weight *endpointWeight
}

func (w *weightedRoundRobin) configure(p WeightedRoundRobin) {
	p.UpdatePeriod = max(p.UpdatePeriod, leastUpdatePeriod)
	if !p.EnableOOB {
		p.OOBPeriod = 0
	}
	w.config = p
}

// Update tells each endpoint's weight of the options before endpointSharding reports.
func (w *weightedRoundRobin) Update(s State) error {
	if p, ok := s.Policy.(WeightedRoundRobin); ok {
		w.configure(p)
	}
	w.updateEndpoints(s.Endpoints)
	return w.sharding.Update(State{Endpoints: s.Endpoints})
}

// NewSubConn notes whose SubConn it is.
func (w *weightedRoundRobin) NewSubConn(a *Address) SubConn {
	sc := w.Host.NewSubConn(a)
	for int(sc) >= len(w.of) {
		w.of = append(w.of, nil)
	}
	w.of[sc] = w.byAddress[a.ID]
	return sc
}

// UpdateState takes what endpointSharding reports.
func (w *weightedRoundRobin) UpdateState(c Connectivity, p Picker) {
	w.stopTicker()
	w.sharding.refresh()
	if len(w.sharding.ready) == 0 {
		w.Host.UpdateState(c, p)
		return
	}
	w.picking = w.picking[:0]
	for _, r := range w.sharding.ready {
		e := weightedEndpoint{sc: r.SubConn, weight: w.byEndpoint[r.ID]}
		if !w.config.EnableOOB {
			e.note = uint64(e.weight.number) + 1
		}
		w.picking = append(w.picking, e)
	}
	w.stride.at = w.Rand().Uint32()
	w.schedule()
	if len(w.picking) > 1 {
		w.startTicker()
	}
	w.Host.UpdateState(c, w)
}

func (w *weightedRoundRobin) startTicker() {
	w.ticker = w.AfterFunc(w.config.UpdatePeriod, w.onTick)
}

func (w *weightedRoundRobin) stopTicker() {
	if w.ticker != nil {
		w.ticker.Stop()
		w.ticker = nil
	}
}

// schedule makes the shares of what is known of the load now.
func (w *weightedRoundRobin) schedule() {
	w.raw = w.raw[:0]
	for _, e := range w.picking {
		w.raw = append(w.raw, e.weight.usable(w.Now(), &w.config))
	}
	w.stride.schedule(w.raw)
}

// Pick takes the next endpoint of the schedule.
func (w *weightedRoundRobin) Pick(Call) Pick {
	e := &w.picking[w.stride.next()]
	return Pick{Verdict: Sent, SubConn: e.sc, Note: e.note}
}

// Done reads the report that came with a reply, if it counts.
func (w *weightedRoundRobin) Done(p Pick, o Outcome) {
	if o.Load == nil || p.Note == 0 {
		return
	}
	if e := w.weights[p.Note-1]; e != nil {
		e.report(w.Now(), o.Load)
	}
}

// LoadReport reads a report that came apart from any RPC.
func (w *weightedRoundRobin) LoadReport(sc SubConn, l *Load) {
	if e := w.of[sc]; e != nil && e.picked == sc && e.oob {
		e.report(w.Now(), l)
	}
}

// SubConnState follows which SubConn each endpoint uses, before endpointSharding hears of it.
func (w *weightedRoundRobin) SubConnState(sc SubConn, c Connectivity, err *Status) {
	if e := w.of[sc]; e != nil {
		if c == Shutdown {
			w.of[sc] = nil
		}
		e.subConnState(w, sc, c)
	}
	w.sharding.SubConnState(sc, c, err)
}

// HealthState goes to endpointSharding, as do the following.
func (w *weightedRoundRobin) HealthState(sc SubConn, c Connectivity, err *Status) {
	w.sharding.HealthState(sc, c, err)
}

func (w *weightedRoundRobin) ResolverError(err *Status) { w.sharding.ResolverError(err) }
func (w *weightedRoundRobin) ExitIdle()                 { w.sharding.ExitIdle() }

// Close closes endpointSharding.
func (w *weightedRoundRobin) Close() {
	w.stopTicker()
	w.sharding.Close()
}
