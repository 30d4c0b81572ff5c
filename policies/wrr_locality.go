package policies

import (
	"errors"
	"fmt"
)

// WRRLocality divides RPCs at random among zones by their weights, and within a zone as its child
// does: a [WeightedTarget] with a target for each zone that an endpoint names.
//
// Source: grpc-go v1.85.0, internal/xds/balancer/wrrlocality (gRFC A52).
//
// Reacts to: zones and their weights as the list has them, and whether a zone has a child that is
// READY.
//
// Traps: where endpoints of a zone disagree on its weight the last one counts. A list with an
// endpoint whose zone has no weight is an error. grpc-go's xDS resolver makes the path of each
// endpoint begin with its zone; here it need not.
type WRRLocality struct {
	// Child is the policy within each zone.
	Child Policy `toml:"child" json:"childPolicy"`
}

// Uses asks for several zones. It leaves out the paths that its child needs, which may begin with a
// zone or not.
func (w WRRLocality) Uses() []Use {
	uses := []Use{{What: Zones, Count: 2, Without: "there is nothing to divide between zones"}}
	for _, u := range UsesOf(w.Child) {
		if u.Path = nil; u.What != Child {
			uses = append(uses, u)
		}
	}
	return uses
}

// Doc describes the policy in a line.
func (WRRLocality) Doc() string { return "zones at random, by the weights that endpoints bring" }

// Check refuses a config without a child.
func (w WRRLocality) Check() error {
	if w.Child == nil {
		return errors.New("child: must be a policy")
	}
	return nil
}

// Build makes the balancer of one channel.
func (w WRRLocality) Build(h Host) Balancer {
	return &wrrLocality{weightedTarget: weightedTarget{group: newGroup(h)}, child: w.Child}
}

type wrrLocality struct {
	weightedTarget
	child Policy
}

// Update makes a target of each zone.
func (w *wrrLocality) Update(s State) error {
	if p, ok := s.Policy.(WRRLocality); ok {
		w.child = p.Child
	}
	targets := make(map[string]Target)
	for _, e := range s.Endpoints {
		if e.LocalityWeight == 0 {
			return fmt.Errorf("xds_wrr_locality: missing locality weight information in "+
				"endpoint %q", e.firstAddress())
		}
		targets[e.Locality] = Target{Weight: e.LocalityWeight, Child: w.child}
	}
	w.policy = WeightedTarget{Targets: targets}
	shares := make([]share, 0, len(targets))
	for _, name := range sortedNames(targets) {
		shares = append(shares, share{name: name})
	}
	for _, e := range s.Endpoints {
		of := e
		if len(e.Path) > 0 && e.Path[0] == e.Locality {
			of = e.inside()
		}
		for i := range shares {
			if shares[i].name == e.Locality {
				shares[i].endpoints = append(shares[i].endpoints, of)
			}
		}
	}
	w.update(shares)
	return nil
}
