package conformance

import (
	"time"

	"lbsim/models"
	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// ourNames is the resolver of all channels of a play.
type ourNames struct {
	*scenario
	rec *recorder
}

func (ourNames) Check(*models.Config) error { return nil }
func (ourNames) Doc() string                { return "the lists of a scenario" }

func (n ourNames) Start(to models.ResolverConn) models.Resolution {
	now := step{list: n.list, config: n.config}
	for _, st := range n.steps {
		switch {
		case st.do == resolve && st.at <= time.Duration(to.Now()):
			now = st
		case st.do == resolve:
			to.AfterFunc(st.at-time.Duration(to.Now()), func() { tell(to, st) })
		case st.do == resolverError && st.at > time.Duration(to.Now()):
			to.AfterFunc(st.at-time.Duration(to.Now()), func() {
				to.ReportError("no answer")
			})
		}
	}
	if now.list != nil || now.endpoints != nil {
		tell(to, now)
	}
	if len(n.clients) > 1 {
		return nil // nobody says which client this is
	}
	return ourResolver{to, n.rec}
}

// ourResolver takes down the hints to look again.
type ourResolver struct {
	to  models.ResolverConn
	rec *recorder
}

func (r ourResolver) ResolveNow() {
	r.rec.addAt(time.Duration(r.to.Now()), resolverOf(0), "is hinted at")
}

// tell brings a list, whose error nobody needs: the next list comes when the scenario says so.
func tell(to models.ResolverConn, st step) {
	var found models.ServiceConfig
	if st.config != "" {
		found.Config, found.Err = serviceconfig.Parse([]byte(st.config),
			func(name string) (policies.Policy, bool) {
				p, is := policies.Catalog[name]
				return p, is
			})
	}
	to.UpdateServiceConfig(found)
	if st.endpoints == nil {
		_ = to.UpdateState(numbers(st.list))
		return
	}
	endpoints := make([][]int32, len(st.endpoints))
	for i, addresses := range st.endpoints {
		endpoints[i] = numbers(addresses)
	}
	_ = to.UpdateEndpoints(endpoints)
}

func numbers(list []int) []int32 {
	all := make([]int32, len(list))
	for i, n := range list {
		all[i] = int32(n)
	}
	return all
}
