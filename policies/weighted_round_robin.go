package policies

import (
	"fmt"
	"time"

	"lbsim/sim"
)

// WeightedRoundRobin sends each READY endpoint RPCs in proportion to its weight: the queries per
// second that it could serve, which are those in its load reports divided by its utilisation. An
// endpoint without a usable weight gets the mean of the others. With less than two usable weights
// all endpoints get the same.
//
// Source: grpc-go v1.85.0, balancer/weightedroundrobin (gRFC A58).
//
// Reacts to: load reports, per call or out of band.
//
// Traps: as there,
//
//   - A weight is forgotten when the connection becomes READY. From the first report after that it
//     takes a blackout period, 10 s by default, until the weight counts.
//   - Weights are read when there is a new picker, and once per weight update period. So picks
//     follow a report by up to that long.
//   - There is no least weight. An endpoint whose weight is less than 1/131070 of the greatest gets
//     no RPC, and with reports per call no further report before its weight expires.
//   - With out-of-band reports those per call are ignored, and the server decides how often they
//     come: stock grpc-go servers send one per 30 s at most, whatever the client asks for.
//   - A report without utilisation or without queries counts as none.
//
// The result of a report with negative numbers depends on the CPU in grpc-go; here such a report is
// ignored.
type WeightedRoundRobin struct {
	// EnableOOB asks each backend for out-of-band load reports. Without it those per call count.
	EnableOOB bool `toml:"enable_oob_load_report" json:"enableOobLoadReport"`
	// OOBPeriod is the interval to ask for. The backend may send reports less often.
	OOBPeriod time.Duration `toml:"oob_reporting_period" json:"oobReportingPeriod"`
	// BlackoutPeriod is the time from the first report of a connection until its weight counts, so
	// that weights do not churn while endpoints start; 0 for none.
	BlackoutPeriod time.Duration `toml:"blackout_period" json:"blackoutPeriod"`
	// ExpirationPeriod is the time after the last report for which a weight counts.
	ExpirationPeriod time.Duration `toml:"weight_expiration_period" json:"weightExpirationPeriod"`
	// UpdatePeriod is the interval at which the shares are computed; less than 100 ms counts as
	// 100 ms.
	UpdatePeriod time.Duration `toml:"weight_update_period" json:"weightUpdatePeriod" zero:"100ms"`
	// ErrorPenalty is the utilisation that an error ratio of 1 counts as, 0 or more.
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

// Uses asks for load reports, and for a run that is longer than the blackout.
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

// Doc describes the policy in a line.
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

	weights    []*endpointWeight // by number, of all endpoints that ever were; nil once gone
	byEndpoint []*endpointWeight // by ID of the endpoint, of those in the list
	byAddress  []*endpointWeight // by ID of the address: the last made of those that have it
	of         []*endpointWeight // by SubConn; nil once it is shut down
	seen       []uint32          // by ID of the address: the last update that listed it
	updates    uint32            // number of updates so far

	picking []weightedEndpoint // that are READY
	raw     []float64          // their weights at the last schedule, 0 for unusable ones
	ticker  *sim.Call          // for the next schedule; nil unless two endpoints are READY
	onTick  func()
}

// weightedEndpoint is a READY endpoint.
type weightedEndpoint struct {
	sc     SubConn
	note   uint64 // 1 + number of its weight with reports per call; 0 out of band
	weight *endpointWeight
}

func (w *weightedRoundRobin) configure(p WeightedRoundRobin) {
	p.UpdatePeriod = max(p.UpdatePeriod, leastUpdatePeriod)
	if !p.EnableOOB {
		p.OOBPeriod = 0
	}
	w.config = p
}

// Update gives the weight of each endpoint the options before endpointSharding reports.
func (w *weightedRoundRobin) Update(s State) error {
	if p, ok := s.Policy.(WeightedRoundRobin); ok {
		w.configure(p)
	}
	w.updateEndpoints(s.Endpoints)
	return w.sharding.Update(State{Endpoints: s.Endpoints})
}

// NewSubConn records the weight to which the SubConn belongs.
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

// schedule computes the shares from the weights that are usable now.
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

// Done takes a report per call, if those count.
func (w *weightedRoundRobin) Done(p Pick, o Outcome) {
	if o.Load == nil || p.Note == 0 {
		return
	}
	if e := w.weights[p.Note-1]; e != nil {
		e.report(w.Now(), o.Load)
	}
}

// LoadReport takes an out-of-band report.
func (w *weightedRoundRobin) LoadReport(sc SubConn, l *Load) {
	if e := w.of[sc]; e != nil && e.picked == sc && e.oob {
		e.report(w.Now(), l)
	}
}

// SubConnState records which SubConn each endpoint uses, before endpointSharding handles the state.
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
