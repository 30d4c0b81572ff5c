package findings

import (
	"fmt"
	"slices"
	"time"

	"lbsim/experiments/analysis"
	"lbsim/experiments/config"
	"lbsim/internal/numtext"
	"lbsim/models"
	"lbsim/policies"
)

// option is an option of a group that may have no effect.
type option struct {
	key  string
	idle bool   // it was set, and has no effect
	why  string // the reason
}

// optionsLack finds options that have no effect because something else is missing in the file. An
// option at its default is not reported.
func (f *finder) optionsLack() {
	var found reasons
	collect := func(at string, options []option) {
		for _, o := range options {
			if o.idle {
				found.add(at+o.key, o.why)
			}
		}
	}
	for i := range f.Config.Clients {
		g := &f.Config.Clients[i]
		collect("clients."+g.Name+".", f.clientOptions(g))
		if g.KeepaliveTime > 0 && g.KeepaliveTime < leastKeepalive {
			f.add(analysis.NoEffect, "clients.%s.keepalive_time: %v counts as %v, as in grpc-go",
				g.Name, g.KeepaliveTime, leastKeepalive)
		}
	}
	for i := range f.Config.Backends {
		g := &f.Config.Backends[i]
		t := f.Document.Backends[g.Name]
		collect("backends."+g.Name+".", f.backendOptions(g, &t))
		collect("backends."+g.Name+".", f.policyOptions(g, &t))
	}
	collect("", f.otherOptions())
	for _, why := range found.all {
		keys := found.paths[why]
		f.add(analysis.NoEffect, "%s %s no effect: %s", numtext.List(keys), have(keys), why)
	}
}

// leastKeepalive is the shortest time between PINGs that a grpc-go client takes.
const leastKeepalive = 10 * time.Second

// clientOptions returns the options of a client group that may have no effect, each with the
// condition and the reason.
func (f *finder) clientOptions(g *models.ClientGroup) []option {
	t := f.Document.Clients[g.Name]
	var usual models.ClientGroup
	usual.SetDefaults()
	hides := false // backends from the group
	for i := range f.Config.Backends {
		_, shown := g.ZoneWeights[f.Config.Backends[i].Zone]
		hides = hides || !shown
	}
	noKeepalive := g.KeepaliveTime == 0
	return []option{
		{"key", g.Keys != nil && !f.reads(g.KeyHeader), fmt.Sprintf("no policy reads the header "+
			"%s; ring_hash with request_hash_header = %[1]q does", g.KeyHeader)},
		{"zone", g.Zone != "" && f.Config.Rank == models.NoRank && len(g.ZoneWeights) == 0,
			"nothing ranks backends by the client's zone; resolver.rank = \"zone\" does"},
		{"zone_weights", len(g.ZoneWeights) > 0 && !hides && !f.uses(policies.Zones), noZones},
		{"think", g.Callers == 0 && t.Think.Mean() > 0,
			"callers of a closed loop think, and here is an open loop: a rate"},
		{"arrivals", g.Callers > 0 && t.Arrivals != usual.Arrivals,
			"callers of a closed loop begin an RPC when the one before it has ended"},
		{"keepalive_timeout", noKeepalive && t.KeepaliveTimeout != usual.KeepaliveTimeout,
			noPings},
		{"keepalive_permit_without_stream", noKeepalive && t.KeepaliveWithoutStream, noPings},
		{"start", g.Start >= f.Config.Duration, "the run is over before the group begins"},
		{"method", t.Method != usual.Method && f.Service == nil && !f.ConfigByName(),
			"there is no service_config that says anything of methods"},
	}
}

const (
	noPings   = "keepalive is off; set keepalive_time"
	noZones   = "no policy divides RPCs between zones; wrr_locality does"
	noReports = "no policy that runs listens to it; weighted_round_robin does"
	notFull   = "the queue is unbounded, so it is never full; set queue"
	notGiven  = "load_report is \"none\""
)

// backendOptions returns the options of a backend group that may have no effect, like
// clientOptions.
func (f *finder) backendOptions(g *models.BackendGroup, t *models.BackendGroup) []option {
	var usual models.BackendGroup
	usual.SetDefaults()
	var deadlines, again, pings bool
	for i := range f.Config.Clients {
		c := &f.Config.Clients[i]
		deadlines = deadlines || c.Timeout > 0 || c.ServiceTimeout > 0
		again = again || c.Retry != nil || c.Hedging != nil
		pings = pings || c.KeepaliveTime > 0
	}
	names := f.ConfigByName() // name resolution may bring what is missing
	endless := t.Queue == models.Unbounded
	return []option{
		{"on_full", endless && t.OnFull != usual.OnFull, notFull},
		{"pushback", endless && t.Pushback != usual.Pushback, notFull},
		{"pushback", !endless && t.Pushback != usual.Pushback && !again && !names,
			"no client sends an RPC again; a retryPolicy in service_config makes them"},
		{"on_cancel", t.OnCancel != usual.OnCancel && !deadlines && !again && !names &&
			g.MaxConnectionAgeGrace == 0,
			"no client ever gives up; set clients.NAME.timeout"},
		{"on_expired", t.OnExpired != usual.OnExpired && !deadlines && !names,
			"no RPC has a deadline; set clients.NAME.timeout"},
		{"max_connection_age_jitter", g.MaxConnectionAge == 0 && t.AgeJitter != usual.AgeJitter,
			"connections live for ever; set max_connection_age"},
		{"ping_min_time", !pings && t.PingMinTime != usual.PingMinTime, noPings},
		{"ping_permit_without_stream", !pings && t.PingWithoutStream, noPings},
	}
}

// policyOptions are the options of a backend group that policies read.
func (f *finder) policyOptions(g *models.BackendGroup, t *models.BackendGroup) []option {
	var usual models.BackendGroup
	usual.SetDefaults()
	perCall, outOfBand := f.uses(policies.LoadPerCall), f.uses(policies.LoadOutOfBand)
	zoned := f.Config.Rank == models.RankZone || f.uses(policies.Zones) ||
		slices.ContainsFunc(f.Config.Clients,
			func(c models.ClientGroup) bool { return len(c.ZoneWeights) > 0 })
	return []option{
		{"load_report", g.LoadReport != 0 && !perCall && !outOfBand, noReports},
		{"load_report", g.LoadReport == models.LoadPerCall && !perCall && outOfBand,
			"the policies listen to reports out of band alone; set it to \"out_of_band\""},
		{"load_report", g.LoadReport == models.LoadOutOfBand && !outOfBand && perCall,
			"the policies listen to reports with replies alone; set it to \"per_call\", or " +
				"enable_oob_load_report = true of weighted_round_robin"},
		{"load_window", t.LoadWindow != usual.LoadWindow && t.LoadReport == usual.LoadReport,
			notGiven},
		{"min_reporting_interval", t.LoadMinInterval != usual.LoadMinInterval &&
			!g.LoadReport.Has(models.LoadOutOfBand), "load_report is not \"out_of_band\""},
		{"weight", t.Weight != usual.Weight && !f.uses(policies.Weights),
			"no policy looks at it; ring_hash does, and pick_first with shuffle_address_list"},
		{"zone", t.Zone != "" && !zoned, noZones},
		{"zone_weight", t.ZoneWeight != usual.ZoneWeight && !f.uses(policies.Zones), noZones},
		{"path", len(t.Path) > 0 && !f.uses(policies.Child) && !f.uses(policies.Zones),
			"no policy has children by name; priority and weighted_target have"},
	}
}

// otherOptions are the options outside of groups.
func (f *finder) otherOptions() []option {
	usual := config.NewDocument()
	keepalive := slices.ContainsFunc(f.Config.Clients,
		func(g models.ClientGroup) bool { return g.KeepaliveTime > 0 })
	return []option{
		{"max_seeds", f.Document.Precision == "" && f.Document.MaxSeeds != usual.MaxSeeds,
			"there is no precision to reach; set precision"},
		{"network.tcp_user_timeout", f.Config.Network.UserTimeout && !keepalive, noPings},
		{"resolver.rank", f.Config.Rank == models.RankZone && !f.uses(policies.Child),
			"no policy has children by name; priority has, such as \"local\" and \"remote\""},
		{"backoff", f.Document.Backoff != usual.Backoff && f.alwaysConnects(),
			"no attempt to connect fails: no failure refuses or breaks connections"},
	}
}

// alwaysConnects reports whether certainly no attempt to connect fails.
func (f *finder) alwaysConnects() bool {
	for i := range f.Failures {
		switch f.Failures[i].Kind {
		case "slow", "errors", "unhealthy":
		default:
			return false
		}
	}
	n, wait := &f.Config.Network, f.Document.Backoff.MinConnectTimeout
	return f.Resolver.Kind != "dns" && !f.Config.WrongPort && n.Connect == nil &&
		3*n.Delay.Quantile(1-1e-9) < wait
}
