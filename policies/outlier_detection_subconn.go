package policies

import "slices"

// errEjected is why an ejected endpoint looks ill. grpc-go gives no reason, and says so.
var errEjected = &Status{Code: Unavailable, Text: "<nil>", Reason: HealthCheckFailed}

// ejectionChange is something that the child is told of a SubConn when a sweep is over.
type ejectionChange struct {
	sc      SubConn
	ejected bool
}

// NewSubConn makes a SubConn of the child. That of an ejected endpoint is ejected from the start:
// as it is not READY yet it will look as if it were connecting, not ill.
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

// SubConnState goes to the child. The connection itself is not ejected.
func (o *outlierDetection) SubConnState(sc SubConn, c Connectivity, err *Status) {
	o.child.SubConnState(sc, c, err)
	if e := o.subConns[sc].endpoint; c == Shutdown && e != nil {
		if i := slices.Index(e.subConns, sc); i >= 0 {
			e.subConns = slices.Delete(e.subConns, i, i+1)
		}
	}
}

// WatchHealth is asked by the child. Where nobody checks health a connection is well.
func (o *outlierDetection) WatchHealth(sc SubConn) bool {
	if o.Host.WatchHealth(sc) {
		return true
	}
	w := &o.subConns[sc]
	w.health, w.err = Ready, nil
	return w.ejected
}

// HealthState is kept for later while the SubConn is ejected.
func (o *outlierDetection) HealthState(sc SubConn, c Connectivity, err *Status) {
	w := &o.subConns[sc]
	w.health, w.err = c, err
	if !w.ejected {
		o.child.HealthState(sc, c, err)
	}
}

// reportEjections tells the child whose SubConns are ejected, or let back with the health they have had
// last. A child takes no notice of those that are not READY.
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
