package config

import (
	"slices"
	"time"

	"lbsim/internal/nearest"
	"lbsim/models"
)

// place fills in where backends are and what policies are told of it.
func (t *BackendTable) place(g *models.BackendGroup) {
	g.Weight, g.Zone, g.ZoneWeight, g.Path = t.Weight, t.Zone, t.ZoneWeight, t.Path
}

func (t *BackendTable) checkPlace(name string) error {
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
func (t *ClientTable) place(g *models.ClientGroup) {
	g.Zone = t.Zone
	g.ZoneWeights = t.ZoneWeights
}

func (t *ClientTable) checkZones(name string) error {
	for _, zone := range sortedKeys(t.ZoneWeights) {
		if t.ZoneWeights[zone] == 0 {
			return bad("must be at least 1 (is 0): leave out a zone that should get nothing")(
				"clients", name, "zone_weights", zone)
		}
	}
	return nil
}

// zones checks that each zone that clients name is one of backends.
func (p *Point) zones() error {
	var known []string
	for _, g := range p.Config.Backends {
		if g.Zone != "" && !slices.Contains(known, g.Zone) {
			known = append(known, g.Zone)
		}
	}
	for _, g := range p.Config.Clients {
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
func (p *Point) rank(options map[string]any) error {
	text, has, err := takeText(options, "rank", "")
	if err != nil || !has {
		return err
	}
	if err := p.Config.Rank.UnmarshalText([]byte(text)); err != nil {
		return &keyError{[]string{"resolver", "rank"}, err}
	}
	for _, g := range p.Config.Clients {
		if p.Config.Rank == models.RankZone && g.Zone == "" {
			return bad("must be given: the resolver ranks by zone")("clients", g.Name, "zone")
		}
	}
	return nil
}

const (
	// loadWindow is what a backend's load is averaged over. grpc-go has none: there the application
	// does the measuring.
	loadWindow = second
	// minReportingInterval is that of a grpc-go v1.85.0 server, which cannot be set to less.
	minReportingInterval = 30 * second
	// leastReporting keeps a slip of the pen from making a run endless.
	leastReporting = models.Duration(time.Millisecond)
)

// reports fills in what a backend reports of its load.
func (t *BackendTable) reports(g *models.BackendGroup) {
	g.LoadReport = t.LoadReport
	g.LoadWindow = time.Duration(t.LoadWindow)
	g.LoadMinInterval = time.Duration(t.MinReportingInterval)
}

// checkReports refuses what makes no sense about that.
func (t *BackendTable) checkReports(name string) error {
	switch {
	case t.LoadWindow < leastReporting:
		return bad("must be at least %v (is %v)", leastReporting,
			t.LoadWindow)("backends", name, "load_window")
	case t.MinReportingInterval < leastReporting:
		return bad("must be at least %v (is %v)", leastReporting,
			t.MinReportingInterval)("backends", name, "min_reporting_interval")
	}
	return nil
}
