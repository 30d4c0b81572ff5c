package experiments

import (
	"slices"

	"lbsim/internal/nearest"
	"lbsim/models"
)

// place fills in where backends are and what policies are told of it.
func (t *backendTable) place(g *models.BackendGroup) {
	g.Weight, g.Zone, g.ZoneWeight, g.Path = t.Weight, t.Zone, t.ZoneWeight, t.Path
}

func (t *backendTable) checkPlace(name string) error {
	switch {
	case t.Weight == 0:
		return bad("must be at least 1 (is 0)")("backends", name, "weight")
	case t.ZoneWeight == 0:
		return bad("must be at least 1 (is 0)")("backends", name, "zone_weight")
	case slices.Contains(t.Path, ""):
		return bad("must be names of children, such as [\"primary\"] (one is empty)")(
			"backends", name, "path")
	}
	return nil
}

// place fills in where clients are and what the control plane tells them of zones.
func (t *clientTable) place(g *models.ClientGroup) {
	g.Zone = t.Zone
	g.ZoneWeights = t.ZoneWeights
}

func (t *clientTable) checkZones(name string) error {
	for _, zone := range sortedKeys(t.ZoneWeights) {
		if t.ZoneWeights[zone] == 0 {
			return bad("must be at least 1 (is 0): leave out a zone that should get nothing")(
				"clients", name, "zone_weights", zone)
		}
	}
	return nil
}

// zones checks that each zone that clients name is one of backends.
func (p *point) zones() error {
	var known []string
	for _, g := range p.config.Backends {
		if g.Zone != "" && !slices.Contains(known, g.Zone) {
			known = append(known, g.Zone)
		}
	}
	for _, g := range p.config.Clients {
		for _, zone := range sortedKeys(g.ZoneWeights) {
			if !slices.Contains(known, zone) {
				return bad("no backends are in zone %q%s", zone, nearest.Hint(zone, known))(
					"clients", g.Name, "zone_weights", zone)
			}
		}
	}
	return nil
}

// rank takes the option that has the resolver tell each client which backends are in its zone.
func (p *point) rank(options map[string]any) error {
	text, has, err := takeText(options, "rank", "")
	if err != nil || !has {
		return err
	}
	if err := p.config.Rank.UnmarshalText([]byte(text)); err != nil {
		return &keyError{[]string{"resolver", "rank"}, err}
	}
	for _, g := range p.config.Clients {
		if p.config.Rank == models.RankZone && g.Zone == "" {
			return bad("must be given: the resolver ranks by zone")("clients", g.Name, "zone")
		}
	}
	return nil
}
