package grpcgo

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lbsim/policies"
)

// weighted plays weighted_round_robin with this configuration to two backends, of which one is ten
// times as loaded by the same rate of queries, and returns what it did and how many of 110 RPCs
// went to the other. It hears of the load with each RPC, and if so wanted apart from them.
func weighted(t *testing.T, config string, apart bool) (log string, went int) {
	p := pair{name: "weighted_round_robin", addresses: singles, configs: []pairConfig{
		{config, policies.RoundRobin{}}, // which is not looked at
	}}
	loads := []*policies.Load{{QPS: 10, Application: 1}, {QPS: 10, Application: .1}}
	synctest.Test(t, func(*testing.T) {
		d := p.newDuel(2)
		defer d.close()
		h := d.real
		lines := h.play(op{kind: opResolve, list: []int{0, 1}}, d.realW)
		lines = append(lines, h.play(op{kind: opConnect}, d.realW)...)
		for range 40 {
			h.pick(policies.Call{})
			sc := h.open[0].SubConn
			load := loads[0]
			if h.subConns[sc].address == singles[1][0] {
				load = loads[1]
			}
			if apart {
				h.b.LoadReport(sc, load)
			}
			h.done(0, policies.Outcome{Load: load})
		}
		h.advance(2 * time.Second) // a new scheduler has been built
		for range 110 {
			if h.pick(policies.Call{}) == singles[1][0]+"#1" {
				went++
			}
		}
		h.deliver(0, policies.Idle, nil)
		h.settle()
		log = text(append(lines, h.take()...))
	})
	return log, went
}

func TestLoadReportsReachTheBalancer(t *testing.T) {
	for _, c := range []struct {
		is, config string
		apart      bool
		want       int // 100 of 110 where the loads are known
	}{
		{"with RPCs", `{"blackoutPeriod": "0s"}`, false, 100},
		{"apart", `{"blackoutPeriod": "0s", "enableOobLoadReport": true,
			"oobReportingPeriod": "0.7s"}`, true, 100},
		{"with RPCs that are not asked", `{"blackoutPeriod": "0s", "enableOobLoadReport": true}`,
			false, 55},
	} {
		log, went := weighted(t, c.config, c.apart)
		if went < c.want-2 || went > c.want+2 {
			t.Errorf("%s: %d of 110 RPCs went to the idle one, want %d ± 2", c.is, went, c.want)
		}
		watched := strings.Contains(log, "watch load of 10.0.0.1:80#1 every 700ms")
		if watched != c.apart {
			t.Errorf("%s: watched %t, want %t: %s", c.is, watched, c.apart, log)
		}
	}
}
