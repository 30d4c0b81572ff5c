package policytest_test

import (
	"testing"
	"time"

	"lbsim/options"
	"lbsim/policies"
	"lbsim/policies/policytest"
)

// Fastest is a policy as somebody outside of lbsim would write it: each RPC goes to the endpoint
// whose last RPC took the least time, or to one that has had none.
type Fastest struct {
	// Slack is how much slower than the fastest an endpoint may be and still have its turn.
	Slack time.Duration `toml:"slack"`
}

func (Fastest) Doc() string { return "the endpoint that was fastest the last time" }

func (f Fastest) Build(h policies.Host) policies.Balancer {
	return policies.NewEndpointSharding(h, &fastest{slack: f.Slack})
}

type fastest struct {
	slack time.Duration
	ready []policies.ReadyEndpoint
	last  []time.Duration // by the ID of the endpoint
	next  int
}

func (f *fastest) Configure(p policies.Policy) { f.slack = p.(Fastest).Slack }

func (f *fastest) Update(ready []policies.ReadyEndpoint) {
	f.ready = ready
	for _, e := range ready {
		for int(e.ID) >= len(f.last) {
			f.last = append(f.last, 0)
		}
	}
}

func (f *fastest) Pick(policies.Call) policies.Pick {
	best := f.last[f.ready[0].ID]
	for _, e := range f.ready {
		best = min(best, f.last[e.ID])
	}
	for {
		f.next++
		e := f.ready[f.next%len(f.ready)]
		if f.last[e.ID] <= best+f.slack {
			return policies.Pick{
				Verdict: policies.Sent, SubConn: e.SubConn, Note: uint64(e.ID),
			}
		}
	}
}

func (f *fastest) Done(p policies.Pick, o policies.Outcome) {
	if o.Status == nil {
		f.last[p.Note] = o.Latency
	}
}

var catalog = options.Catalog[policies.Policy]{"fastest": Fastest{}}

func TestStories(t *testing.T) { policytest.RunStories(t, "testdata", catalog) }

func TestBattery(t *testing.T) {
	policytest.Battery(t, catalog["fastest"], policytest.Exceptions{})
}
