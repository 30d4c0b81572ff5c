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

// view is the endpoints of all backends as the control plane shows them to a group of clients.
type view struct {
	group     *ClientGroup         // nil: endpoints are shown as they are
	rank      bool                 // Config.Rank is RankZone
	endpoints []*policies.Endpoint // by number of the backend; nil: not shown
	shown     []*policies.Endpoint // the shown ones; one slice for all lists of all backends
	// weighed are, by number of the backend, its endpoints with other weights than its own.
	weighed [][]*policies.Endpoint
}

// newView makes the view of a group, or for nil the view of the backends as they are.
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

// of returns an endpoint as the view shows it, or nil.
func (v *view) of(e *policies.Endpoint) *policies.Endpoint {
	if v.group == nil {
		return e
	}
	own := *e
	return v.group.see(&own, v.rank)
}

// see changes an endpoint to how the control plane shows it to the group. It returns nil if the
// group does not see it.
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

// list returns the shown endpoints of these backends, or for nil of all. The weights are by number
// of the backend; nil or 0 stands for its own.
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

// weigh returns the endpoint of a backend with another weight. The same arguments give the same
// pointer.
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
