package policies

import (
	"math"
	"time"

	"lbsim/sim"
)

// endpointWeight is the weight of an endpoint. It is kept while the endpoint is in the list,
// whatever happens to the connections.
type endpointWeight struct {
	endpoint *Endpoint
	number   uint32  // in weights
	listed   uint32  // number of the last update that listed the endpoint
	picked   SubConn // the first that became READY, until it leaves READY; else noSubConn

	weight        float64  // queries per second that it could serve, from the last report
	updated       sim.Time // when the last report came; unset before the first of a connection
	nonEmptySince sim.Time // when the blackout began: with the first report; or unset

	oob     bool          // the option as of the last configure
	period  time.Duration // likewise
	penalty float64       // likewise
}

const unset sim.Time = -1

// updateEndpoints makes weights for new endpoints, forgets those of endpoints that are gone, and
// gives all of them the options.
//
// An address of two endpoints counts as that of the endpoint that came last, even once that
// endpoint is gone: grpc-go calls this undefined and does the same.
func (w *weightedRoundRobin) updateEndpoints(list []*Endpoint) {
	w.updates++
	for _, e := range list {
		for _, a := range e.Addresses {
			w.markListed(a)
		}
		for int(e.ID) >= len(w.byEndpoint) {
			w.byEndpoint = append(w.byEndpoint, nil)
		}
		ew := w.byEndpoint[e.ID]
		if ew == nil {
			ew = &endpointWeight{
				endpoint: e, number: uint32(len(w.weights)), picked: noSubConn,
				updated: unset, nonEmptySince: unset,
			}
			w.weights = append(w.weights, ew)
			w.byEndpoint[e.ID] = ew
			for _, a := range e.Addresses {
				w.byAddress[a.ID] = ew
			}
		}
		ew.listed = w.updates
		ew.configure(w)
	}
	for id, ew := range w.byEndpoint {
		if ew != nil && ew.listed != w.updates {
			w.byEndpoint[id], w.weights[ew.number] = nil, nil
			for _, a := range ew.endpoint.Addresses {
				if w.seen[a.ID] != w.updates {
					w.byAddress[a.ID] = nil
				}
			}
		}
	}
}

// markListed records that an address is in the list.
func (w *weightedRoundRobin) markListed(a *Address) {
	for int(a.ID) >= len(w.seen) {
		w.seen = append(w.seen, 0)
		w.byAddress = append(w.byAddress, nil)
	}
	w.seen[a.ID] = w.updates
}

// configure takes the options. If they change the interval of out-of-band reports the watch begins
// anew.
func (e *endpointWeight) configure(w *weightedRoundRobin) {
	c := &w.config
	e.penalty = c.ErrorPenalty
	if c.EnableOOB == e.oob && c.OOBPeriod == e.period {
		return
	}
	was := e.oob
	e.oob, e.period = c.EnableOOB, c.OOBPeriod
	switch {
	case e.picked == noSubConn:
	case e.oob:
		e.watchLoad(w)
	case was:
		w.WatchLoad(e.picked, 0)
	}
}

// watchLoad asks for out-of-band reports, with a period of 0 as often as the backend sends them.
func (e *endpointWeight) watchLoad(w *weightedRoundRobin) {
	w.WatchLoad(e.picked, max(1, e.period))
}

// subConnState forgets the weight when a connection becomes READY: the weight is of an earlier one.
func (e *endpointWeight) subConnState(w *weightedRoundRobin, sc SubConn, c Connectivity) {
	switch {
	case c == Ready && e.picked == noSubConn:
		e.picked, e.updated, e.nonEmptySince = sc, unset, unset
		if e.oob {
			e.watchLoad(w)
		}
	case c != Ready && e.picked == sc:
		e.picked = noSubConn // and the watch ends by itself
	}
}

// report takes a load report. The utilisation of the application, where there is one, takes the
// place of that of the CPU.
func (e *endpointWeight) report(now sim.Time, l *Load) {
	used := l.Application
	if used == 0 {
		used = l.CPU
	}
	if !(used > 0 && l.QPS > 0 && l.EPS >= 0) {
		return
	}
	weight := l.QPS / (used + float64(l.EPS/l.QPS*e.penalty))
	if !(weight <= math.MaxFloat64) {
		return
	}
	e.weight, e.updated = weight, now
	if e.nonEmptySince == unset {
		e.nonEmptySince = now
	}
}

// usable returns the weight, or 0 before the first report, in the blackout and after the
// expiration.
func (e *endpointWeight) usable(now sim.Time, c *WeightedRoundRobin) float64 {
	since := e.nonEmptySince
	switch {
	case e.updated == unset:
		return 0
	case now.Sub(e.updated) >= c.ExpirationPeriod:
		e.nonEmptySince = unset // the next report begins another blackout
		return 0
	case c.BlackoutPeriod != 0 && (since == unset || now.Sub(since) < c.BlackoutPeriod):
		return 0
	}
	return e.weight
}
