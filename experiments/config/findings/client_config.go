package findings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"lbsim/experiments/analysis"
	"lbsim/experiments/config"
	"lbsim/models"
	"lbsim/models/resolvers"
	"lbsim/models/serviceconfig"
	"lbsim/options"
)

// clientConfig is a service config that clients may have.
type clientConfig struct {
	models.Choice        // of the clients' own: share 1
	where         string // key in the experiment
	own           bool   // the client's own, not from name resolution
}

// txtSince is a TXT record with service configs and the time in which it is there.
type txtSince struct {
	from, to time.Duration // to is 0 for the end
	models.TXT
}

// txtRecords returns the TXT records of the resolver, in order of time.
func (f *finder) txtRecords() (all []txtSince) {
	if !f.ConfigByName() {
		return nil
	}
	for text, txt := range f.Config.Resolver.(resolvers.DNS).TXT {
		from, err := options.ParseDuration(text)
		if err != nil {
			panic("experiments: " + err.Error()) // the resolver has refused it
		}
		all = append(all, txtSince{from: from, TXT: txt})
	}
	slices.SortFunc(all, func(a, b txtSince) int { return cmp.Compare(a.from, b.from) })
	for i := range all[1:] {
		all[i].to = all[i+1].from
	}
	return all
}

// clientConfigs returns the clients' own service config, then those that name resolution may bring.
func (f *finder) clientConfigs() (all []clientConfig) {
	if f.Service != nil {
		where := "service_config"
		if f.Choice >= 0 {
			where += fmt.Sprintf(" [%d] of the list", f.Choice)
		}
		all = append(all, clientConfig{
			Choice: models.Choice{
				ServiceConfig: models.ServiceConfig{Config: f.Service}, Share: 1,
			},
			where: where, own: true,
		})
	}
	for _, r := range f.txtRecords() {
		choices, _ := r.Choices()
		for i, c := range choices {
			where := fmt.Sprintf("resolver.txt from %v [%d] of the list", r.from, i)
			all = append(all, clientConfig{Choice: c, where: where})
		}
	}
	return all
}

// resolutionBringsConfig reports whether each client gets a config by name resolution before its
// first RPC: there is a record at all times, and each lookup finds it.
func (f *finder) resolutionBringsConfig() bool {
	records := f.txtRecords()
	if len(records) == 0 || records[0].from > 0 {
		return false
	}
	for _, r := range records {
		if choices, _ := r.Choices(); len(choices) == 0 {
			return false
		}
	}
	d := f.Config.Resolver.(resolvers.DNS)
	return len(d.Errors) == 0 && len(d.Records) == 0
}

// records finds configs of name resolution that are invalid. As the first config of a client such a
// config fails its RPCs; later it has no effect.
func (f *finder) records() {
	for _, r := range f.txtRecords() {
		choices, unusable := r.Choices()
		why := ""
		for i, c := range choices {
			switch {
			case c.Never != "":
				why += fmt.Sprintf("; [%d] is never taken: %s", i, c.Never)
			case c.Err != nil:
				unusable += c.Share
				why += fmt.Sprintf("; [%d] is refused: %v", i, c.Err)
			}
		}
		if unusable == 0 {
			continue
		}
		who, fail := "no client can use any of its choices", "all RPCs fail"
		if share := math.Round(100 * unusable); share < 100 {
			who = fmt.Sprintf("%.0f %% of the lookups find no choice that can be used", share)
			fail = "RPCs of such a client fail until it looks again"
		}
		meets := false
		for i := range f.Config.Clients {
			start := f.Config.Clients[i].Start
			if start >= r.from && (r.to == 0 || start < r.to) {
				meets = true
			}
		}
		if meets {
			f.add(analysis.Fails,
				"resolver.txt from %v: %s, and %s (bad service config), as in grpc-go%s",
				r.from, who, fail, why)
		} else {
			f.add(analysis.NoEffect,
				"resolver.txt from %v: %s, and then the config before stays, as in "+
					"grpc-go%s", r.from, who, why)
		}
	}
}

// Field is a field of a service config with its verdict.
type Field = serviceconfig.Field

// ServiceConfig is a service config that clients may have, as grpc-go reads it.
type ServiceConfig struct {
	Where string // key in the experiment
	Err   error  // why it is invalid
	Never string // why no client takes it, "" if some do
	// Fields has the verdict on each field in this experiment; with a sweep, at its first point.
	Fields []Field
}

// ServiceConfigs returns the clients' own service config, then those that name resolution may
// bring.
func ServiceConfigs(e *config.Experiment) []ServiceConfig {
	f := newFinder(e.Point(0), e.Policies)
	all := []ServiceConfig(nil)
	for _, c := range f.clientConfigs() {
		s := ServiceConfig{Where: c.where, Err: c.Err, Never: c.Never}
		switch {
		case c.Config == nil:
		case c.Err != nil || c.Never != "":
			s.Fields = c.Config.Fields
		default:
			s.Fields = fieldsOf(c.Config, f.idleParts(c))
		}
		all = append(all, s)
	}
	return all
}
