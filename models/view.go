package models

import (
	"slices"

	"lbsim/policies"
)

// Names of the ranks that [RankZone] puts at the front of each path.
const (
	LocalRank  = "local"
	RemoteRank = "remote"
)

// view is the backends as the control plane shows them to a group of clients.
type view struct {
	group     *ClientGroup         // nil: they are shown as they are
	rank      bool                 // by zone
	endpoints []*policies.Endpoint // by number of the backend; nil: it is not shown
	shown     []*policies.Endpoint // those that are, shared by all who list them all
	// weighed are, by number of the backend, those with other weights than the backend's own.
	weighed [][]*policies.Endpoint
}

// newView makes the view of a group, or of any that sees the backends as they are.
func newView(w *World, g *ClientGroup) *view {
	v := &view{group: g, rank: w.cfg.Rank == RankZone}
	for _, e := range w.shown {
		e = v.of(e)
		v.endpoints = append(v.endpoints, e)
		if e != nil {
			v.shown = append(v.shown, e)
		}
	}
	return v
}

// of returns an endpoint as the view shows it; nil: it does not.
func (v *view) of(e *policies.Endpoint) *policies.Endpoint {
	if v.group == nil {
		return e
	}
	own := *e
	return v.group.see(&own, v.rank)
}

// see makes of an endpoint what the control plane tells the group of it; nil for nothing.
func (g *ClientGroup) see(e *policies.Endpoint, rank bool) *policies.Endpoint {
	if rank {
		name := RemoteRank
		if e.Locality == g.Zone {
			name = LocalRank
		}
		e.Path = slices.Concat([]string{name}, e.Path)
	}
	if len(g.ZoneWeights) == 0 {
		return e
	}
	weight, shown := g.ZoneWeights[e.Locality]
	if !shown {
		return nil
	}
	e.LocalityWeight = weight
	return e
}

// list returns the endpoints of these backends, nil for all, as far as they are shown. The weights
// are by number of the backend; nil or 0: its own.
func (v *view) list(backends []int32, weights []uint32) []*policies.Endpoint {
	if backends == nil && weights == nil {
		return v.shown
	}
	if backends == nil {
		for b := range v.endpoints {
			backends = append(backends, int32(b))
		}
	}
	list := make([]*policies.Endpoint, 0, len(backends))
	for _, b := range backends {
		e := v.endpoints[b]
		if e == nil {
			continue
		}
		if weights != nil && weights[b] != 0 && weights[b] != e.Weight {
			e = v.weigh(b, weights[b])
		}
		list = append(list, e)
	}
	return list
}

// weigh returns the endpoint of a backend with another weight, the same one each time.
func (v *view) weigh(backend int32, weight uint32) *policies.Endpoint {
	if v.weighed == nil {
		v.weighed = make([][]*policies.Endpoint, len(v.endpoints))
	}
	for _, e := range v.weighed[backend] {
		if e.Weight == weight {
			return e
		}
	}
	e := v.endpoints[backend].WithWeight(weight)
	v.weighed[backend] = append(v.weighed[backend], e)
	return e
}
