package policies

import "slices"

// errEjected is the status of an ejected endpoint. grpc-go has no reason there, which it prints as
// <nil>.
var errEjected = &Status{Code: Unavailable, Text: "<nil>", Reason: HealthCheckFailed}

// ejectionChange is reported to the child when a sweep is over.
type ejectionChange struct {
	sc      SubConn
	ejected bool
}

// NewSubConn makes a SubConn of the child. The SubConn of an ejected endpoint is ejected from the
// start: it looks CONNECTING for as long as that lasts.
func (o *outlierDetection) NewSubConn(a *Address) SubConn {
	sc := o.Host.NewSubConn(a)
	for int(sc) >= len(o.subConns) {
		o.subConns = append(o.subConns, outlierSubConn{})
	}
	w := outlierSubConn{health: Connecting}
	if int(a.ID) < len(o.byAddress) && o.byAddress[a.ID] != nil {
		w.endpoint = o.byAddress[a.ID]
		w.ejected = w.endpoint.ejected
		w.endpoint.subConns = append(w.endpoint.subConns, sc)
	}
	o.subConns[sc] = w
	return sc
}

// SubConnState goes to the child. An ejection does not change the state of a SubConn.
func (o *outlierDetection) SubConnState(sc SubConn, c Connectivity, err *Status) {
	o.child.SubConnState(sc, c, err)
	if e := o.subConns[sc].endpoint; c == Shutdown && e != nil {
		if i := slices.Index(e.subConns, sc); i >= 0 {
			e.subConns = slices.Delete(e.subConns, i, i+1)
		}
	}
}

// WatchHealth is called by the child. Where clients do not check health a connection is healthy.
func (o *outlierDetection) WatchHealth(sc SubConn) bool {
	if o.Host.WatchHealth(sc) {
		return true
	}
	w := &o.subConns[sc]
	w.health, w.err = Ready, nil
	return w.ejected
}

// HealthState goes to the child; while the SubConn is ejected, when it is let back.
func (o *outlierDetection) HealthState(sc SubConn, c Connectivity, err *Status) {
	w := &o.subConns[sc]
	w.health, w.err = c, err
	if !w.ejected {
		o.child.HealthState(sc, c, err)
	}
}

// reportEjections reports to the child which SubConns are ejected, or let back with their last
// health. A child ignores SubConns that are not READY.
func (o *outlierDetection) reportEjections() {
	for i := 0; i < len(o.changes); i++ {
		n := o.changes[i]
		w := &o.subConns[n.sc]
		w.ejected = n.ejected
		if n.ejected {
			o.child.HealthState(n.sc, TransientFailure, errEjected)
		} else {
			o.child.HealthState(n.sc, w.health, w.err)
		}
	}
	o.changes = o.changes[:0]
}
