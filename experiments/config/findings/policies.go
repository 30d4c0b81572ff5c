package findings

import (
	"fmt"
	"math"
	"slices"

	"lbsim/experiments/analysis"
	"lbsim/experiments/config"
	"lbsim/internal/numtext"
	"lbsim/models"
	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// used is something that a policy uses.
type used struct {
	policies.Use
	by string // the key of the policy, or of the service config that names it
}

// collectUses collects the uses of all running policies, those of service configs from name
// resolution included.
func (f *finder) collectUses() {
	add := func(by string, p policies.Policy) {
		f.unknownUses = f.unknownUses || config.CompanionIn(p) != nil
		for _, u := range policies.UsesOf(p) {
			f.used = append(f.used, used{u, by})
		}
	}
	for _, pol := range f.running {
		if isServicePolicy(pol) && f.ConfigByName() {
			for _, c := range f.clientConfigs() {
				if c.Err == nil && c.Never == "" && c.Config.Policy != nil {
					add(c.where, c.Config.Policy)
				}
			}
			if f.Service != nil {
				continue
			}
		}
		add("policies."+pol.Name, pol.Value)
	}
}

// uses reports whether some policy uses something, or may use it.
func (f *finder) uses(what policies.Thing) bool {
	return f.unknownUses || slices.ContainsFunc(f.used, func(u used) bool { return u.What == what })
}

// reads reports whether some policy reads a header, or may read it.
func (f *finder) reads(header string) bool {
	return f.unknownUses || slices.ContainsFunc(f.used, func(u used) bool {
		return u.What == policies.Header && u.Name == header
	})
}

// names returns the names of the policies that run, for a sentence.
func (f *finder) names() string {
	var names []string
	for _, pol := range f.running {
		names = append(names, pol.Name)
	}
	return numtext.List(names)
}

// policiesLack finds what policies use and the experiment does not have.
func (f *finder) policiesLack() {
	for i := range f.used {
		u := &f.used[i]
		if u.Without == "" {
			continue
		}
		at := u.by
		if u.Option != "" {
			at += " (" + u.Option + ")"
		}
		kind := analysis.Inert
		if u.Fails {
			kind = analysis.Fails
		}
		what, set := f.lack(u)
		switch {
		case u.What == policies.Nothing:
			f.add(kind, "%s: %s", at, u.Without)
		case what != "" && set != "":
			f.add(kind, "%s: %s, so %s; set %s", at, what, u.Without, set)
		case what != "":
			f.add(kind, "%s: %s, so %s", at, what, u.Without)
		}
	}
}

// lack returns what is missing of something that a policy uses, and what to set. Both are "" if
// nothing is missing.
func (f *finder) lack(u *used) (what, set string) {
	switch u.What {
	case policies.LoadPerCall:
		return f.lackReports(u, "per_call",
			func(g *models.BackendGroup) bool { return g.LoadReport.Has(models.LoadPerCall) })
	case policies.LoadOutOfBand:
		return f.lackReports(u, "out_of_band",
			func(g *models.BackendGroup) bool { return g.LoadReport.Has(models.LoadOutOfBand) })
	case policies.Header:
		return f.lackHeader(u.Name)
	case policies.Endpoints:
		if n := f.endpoints(); n < u.Count {
			return fmt.Sprintf("there are %d endpoints at most, and it takes %d", n, u.Count), ""
		}
	case policies.Zones:
		if f.zonesShown(u) < 2 {
			return "all backends are in one zone", "backends.NAME.zone"
		}
	case policies.Child:
		if len(f.groupsUnder(append(slices.Clone(u.Path), u.Name))) == 0 {
			return fmt.Sprintf("the path of no backend leads to %q", u.Name),
				fmt.Sprintf("backends.NAME.path = [%q]", u.Name)
		}
	case policies.Time:
		if f.Config.Duration <= u.Period {
			return fmt.Sprintf("the run, %v, is not longer than %v", f.Config.Duration, u.Period),
				"a longer duration"
		}
	case policies.Calls:
		return f.lackCalls(u), ""
	case policies.Concurrency:
		if n := f.concurrency(); n < u.Count {
			return fmt.Sprintf("a client has %d RPCs in flight at most", n), ""
		}
	}
	return "", ""
}

// lackReports is lack for load reports of a kind.
func (f *finder) lackReports(
	u *used, way string, reports func(*models.BackendGroup) bool,
) (what, set string) {
	n, silent := 0, ""
	for _, g := range f.groupsUnder(u.Path) {
		if reports(g) {
			n += g.Count
		} else if silent == "" {
			silent = g.Name
		}
	}
	set = fmt.Sprintf("backends.%s.load_report = %q", silent, way)
	switch {
	case silent == "":
		return "", ""
	case n == 0:
		return fmt.Sprintf("no backend reports its load (%s)", way), set
	case n == 1:
		return fmt.Sprintf("one backend alone reports its load (%s)", way), set
	}
	// weighted_round_robin weighs endpoints without reports by the mean of the others.
	f.add(analysis.Inert,
		"%s: backends.%s does not report its load (%s), so it counts as the mean of the "+
			"others; set %s", u.by, silent, way, set)
	return "", ""
}

// lackHeader is lack for a header of RPCs.
func (f *finder) lackHeader(header string) (what, set string) {
	var without []string
	for i := range f.Config.Clients {
		if g := &f.Config.Clients[i]; g.Keys == nil || g.KeyHeader != header {
			without = append(without, "clients."+g.Name)
			if set == "" {
				set = fmt.Sprintf("clients.%s.key_header = %q", g.Name, header)
				if g.Keys == nil {
					set += " and key, such as \"uniform(n=1000)\""
				}
			}
		}
	}
	if len(without) == 0 {
		return "", ""
	}
	return fmt.Sprintf("RPCs of %s have no header %s", numtext.List(without), header), set
}

// lackCalls is lack for a number of RPCs of one client in a time.
func (f *finder) lackCalls(u *used) string {
	most := 0.0
	for i := range f.Config.Clients {
		g := &f.Config.Clients[i]
		if g.Callers > 0 || len(g.At) > 0 {
			return ""
		}
		n := float64(float64(g.Rate) / float64(g.Count) * u.Period.Seconds())
		if g.Requests > 0 {
			n = min(n, float64(g.Requests))
		}
		// Arrivals are random: five standard deviations more are not seen in a million intervals.
		most = max(most, float64(f.attempts(g))*(n+float64(5*math.Sqrt(n))))
	}
	if most >= float64(u.Count) {
		return ""
	}
	return fmt.Sprintf("no client sends more than %.0f RPCs in %v", most, u.Period)
}

// attempts returns how often an RPC of a group is sent at most.
func (f *finder) attempts(g *models.ClientGroup) int {
	switch {
	case f.ConfigByName():
		return serviceconfig.MaxAttempts
	case g.Retry != nil:
		return g.Retry.MaxAttempts
	case g.Hedging != nil:
		return g.Hedging.MaxAttempts
	}
	return 1
}

// concurrency returns how many RPCs a client has in flight at most.
func (f *finder) concurrency() (n uint64) {
	for i := range f.Config.Clients {
		g := &f.Config.Clients[i]
		if g.Callers == 0 {
			return math.MaxUint64
		}
		n = max(n, uint64(g.Callers)*uint64(f.attempts(g)))
	}
	return n
}

// groupsUnder returns the groups of backends to which a path leads. A rank that the control plane
// puts in front of a path depends on the client, so it leads to all groups.
func (f *finder) groupsUnder(path []string) (all []*models.BackendGroup) {
	if f.Config.Rank == models.RankZone && len(path) > 0 {
		if path[0] != models.LocalRank && path[0] != models.RemoteRank {
			return nil
		}
		path = path[1:]
	}
	for i := range f.Config.Backends {
		g := &f.Config.Backends[i]
		if len(g.Path) >= len(path) && slices.Equal(g.Path[:len(path)], path) {
			all = append(all, g)
		}
	}
	return all
}

// endpoints returns how many endpoints there are at most. With dns each address is one; all
// backends behind an L4 balancer are one.
func (f *finder) endpoints() (n uint64) {
	if f.Resolver.Kind == "passthrough" {
		return 1
	}
	for i := range f.Config.Backends {
		g := &f.Config.Backends[i]
		each := 1
		if f.Resolver.Kind == "dns" {
			each = max(1, len(g.Addresses))
		}
		n += uint64(g.Count) * uint64(each)
	}
	for i := range f.Config.L4 {
		if behind, err := f.Config.Select(f.Config.L4[i].Backends); err == nil {
			n -= uint64(len(behind) - 1)
		}
	}
	return n
}

// zonesShown returns how many zones the control plane shows to one client at most.
func (f *finder) zonesShown(u *used) (most int) {
	for i := range f.Config.Clients {
		weights := f.Config.Clients[i].ZoneWeights
		var zones []string
		for _, g := range f.groupsUnder(u.Path) {
			_, shown := weights[g.Zone]
			if (shown || len(weights) == 0) && !slices.Contains(zones, g.Zone) {
				zones = append(zones, g.Zone)
			}
		}
		most = max(most, len(zones))
	}
	return most
}
