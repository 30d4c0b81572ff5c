package policies_test

import (
	"testing"
	"time"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// wrr is weighted_round_robin as grpc-go's own tests have it: no blackout.
func wrr(change func(p *policies.WeightedRoundRobin)) policies.WeightedRoundRobin {
	p := policies.Catalog["weighted_round_robin"].(policies.WeightedRoundRobin)
	p.BlackoutPeriod = 0
	if change != nil {
		change(&p)
	}
	return p
}

func outOfBand(p *policies.WeightedRoundRobin) { p.EnableOOB = true }

// hears lets a SubConn report its load, with a reply and apart from any RPC; one of them counts.
func hears(t *testing.T, h *policytest.Host, name string, perCall, oob *policies.Load) {
	t.Helper()
	sc := h.SubConn(name)
	if oob != nil {
		h.Balancer.LoadReport(sc, oob)
	}
	for range 100_000 {
		if perCall == nil {
			return
		}
		p := h.Pick()
		// Whatever the status, the report counts.
		o := policies.Outcome{Status: &policies.Status{Code: policies.Unavailable}}
		if p.SubConn == sc {
			o.Load, perCall = perCall, nil
		}
		p.Done(o)
	}
	t.Fatalf("%s gets no RPC", name)
}

// wantCounts checks the shares of 100 RPCs, to the 2 that grpc-go's own tests allow.
func wantCounts(t *testing.T, what string, h *policytest.Host, want map[string]int) {
	t.Helper()
	got := make(map[string]int)
	for sc, n := range shares(h, 100) {
		if n > 0 {
			got[h.AddressOf(policies.SubConn(sc)).Text] += n
		}
	}
	for name, n := range want {
		if got[name] < n-2 || got[name] > n+2 {
			t.Errorf("%s: counts %v of 100, want %v each within 2", what, got, want)
			return
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: counts %v of 100, want %v", what, got, want)
	}
}

func wrrHost(p policies.Policy, names ...string) *policytest.Host {
	h := policytest.NewHost(p, 1)
	h.Resolve(h.Endpoints(names...)...)
	h.ConnectAll()
	return h
}

var (
	weak   = &policies.Load{QPS: 10, Application: 1}   // 10 queries per second
	strong = &policies.Load{QPS: 10, Application: 0.1} // 100
)

// loads are a report with a reply and one out of band.
type loads [2]*policies.Load

// Cases that grpc-go tests with servers: reports, then counts of 100 RPCs.
func TestWeightsOfReports(t *testing.T) {
	even, uneven := map[string]int{"a": 50, "b": 50}, map[string]int{"a": 9, "b": 90}
	for _, row := range []struct {
		name   string
		policy policies.WeightedRoundRobin
		a, b   loads // per call, out of band
		want   map[string]int
	}{
		{"no reports", wrr(nil), loads{}, loads{}, even},
		{"per call", wrr(nil), loads{weak}, loads{strong}, uneven},
		{"per call, CPU", wrr(nil), loads{{QPS: 10, CPU: 1}}, loads{{QPS: 10, CPU: 0.1}},
			uneven},
		{"the application goes before the CPU", wrr(nil),
			loads{{QPS: 10, Application: 1, CPU: 2}},
			loads{{QPS: 10, Application: 0.1, CPU: 2}}, uneven},
		{"out of band", wrr(outOfBand), loads{nil, weak}, loads{nil, strong}, uneven},
		{"out of band, and replies say the contrary", wrr(outOfBand),
			loads{strong, weak}, loads{weak, strong}, uneven},
		{"per call, and the others say the contrary", wrr(nil),
			loads{weak, strong}, loads{strong, weak}, uneven},
		{"one alone", wrr(nil), loads{strong}, loads{}, even},
		{"without queries", wrr(nil), loads{strong}, loads{{CPU: 1}}, even},
		{"without utilisation", wrr(nil), loads{strong}, loads{{QPS: 10}}, even},
		{"negative", wrr(nil), loads{strong}, loads{{QPS: 10, CPU: -1}}, even},
		{"errors, no penalty", wrr(func(p *policies.WeightedRoundRobin) { p.ErrorPenalty = 0 }),
			loads{weak}, loads{{QPS: 10, Application: 0.1, EPS: 10}}, uneven},
		{"errors", wrr(func(p *policies.WeightedRoundRobin) { p.ErrorPenalty = 0.9 }),
			loads{weak}, loads{{QPS: 10, Application: 0.1, EPS: 10}}, even},
	} {
		h := wrrHost(row.policy, "a", "b")
		hears(t, h, "a", row.a[0], row.a[1])
		hears(t, h, "b", row.b[0], row.b[1])
		wantCounts(t, row.name+", not yet", h, even)
		h.Advance(time.Second)
		wantCounts(t, row.name, h, row.want)
	}
}

func TestWeightsFollowTheOptions(t *testing.T) {
	h := wrrHost(wrr(outOfBand), "a", "b")
	hears(t, h, "a", nil, weak)
	hears(t, h, "b", nil, strong)
	h.Advance(time.Second)
	wantCounts(t, "out of band", h, map[string]int{"a": 9, "b": 90})
	hears(t, h, "a", nil, strong)
	hears(t, h, "b", nil, weak)
	h.Advance(time.Second)
	wantCounts(t, "swapped", h, map[string]int{"a": 90, "b": 9})

	old := h.Pick()
	update := policies.State{Endpoints: h.Endpoints("a", "b"), Policy: wrr(nil)}
	_ = h.Balancer.Update(update)
	// It was picked when replies did not count.
	old.Done(policies.Outcome{Load: &policies.Load{QPS: 1e6, CPU: 0.01}})
	hears(t, h, "a", weak, strong)
	hears(t, h, "b", strong, weak)
	h.Advance(time.Second)
	wantCounts(t, "per call", h, map[string]int{"a": 9, "b": 90})
}

func TestWeightsFollowTheList(t *testing.T) {
	h := wrrHost(wrr(outOfBand), "a", "b", "c")
	report := func(name string, cpu float64) {
		hears(t, h, name, nil, &policies.Load{QPS: 10, CPU: cpu})
	}
	report("a", 1)
	report("b", 0.1)
	report("c", 0.5)
	h.Advance(time.Second)
	wantCounts(t, "three", h, map[string]int{"a": 7, "b": 76, "c": 15})

	h.Resolve(h.Endpoints("a", "b", "c", "d")...)
	h.ConnectAll()
	report("d", 0.05)
	h.Advance(time.Second)
	wantCounts(t, "and a fourth", h, map[string]int{"a": 3, "b": 30, "c": 6, "d": 60})

	h.Set("c", policies.Idle)
	h.Set("c", policies.TransientFailure)
	wantCounts(t, "less the third", h, map[string]int{"a": 3, "b": 32, "d": 64})
	h.Resolve(h.Endpoints("a", "d")...)
	wantCounts(t, "first and fourth", h, map[string]int{"a": 4, "d": 95})
	h.Resolve(h.Endpoints("b")...)
	h.ConnectAll()
	report("b", 0.1)
	wantCounts(t, "second", h, map[string]int{"b": 100})
	h.Resolve(h.Endpoints("b", "d")...)
	h.ConnectAll()
	report("d", 0.05)
	h.Advance(time.Second)
	wantCounts(t, "second and fourth", h, map[string]int{"b": 33, "d": 66})
}

// Two endpoints whose first address fails: each has the weight of its second.
func TestWeightsOfSeveralAddresses(t *testing.T) {
	h := policytest.NewHost(wrr(outOfBand), 1)
	h.Resolve(h.Endpoint("bad", "a"), h.Endpoint("bad", "b"))
	for sc := range policies.SubConn(2) {
		h.Deliver(sc, policies.TransientFailure, refused)
	}
	h.ConnectAll()
	hears(t, h, "a", nil, strong)
	hears(t, h, "b", nil, weak)
	h.Advance(time.Second)
	wantCounts(t, "two addresses each", h, map[string]int{"a": 90, "b": 9})
}

func TestBlackoutAndExpiration(t *testing.T) {
	even, uneven := map[string]int{"a": 50, "b": 50}, map[string]int{"a": 9, "b": 90}
	for _, blackout := range []time.Duration{time.Second, 10 * time.Second} {
		p := wrr(func(p *policies.WeightedRoundRobin) { p.BlackoutPeriod = blackout })
		h := wrrHost(p, "a", "b")
		hears(t, h, "a", weak, nil)
		hears(t, h, "b", strong, nil)
		wantCounts(t, "at once", h, even)
		h.Advance(blackout - 1)
		// This looks at the weights.
		_ = h.Balancer.Update(policies.State{Endpoints: h.Endpoints("a", "b")})
		wantCounts(t, "a nanosecond before the end of the blackout", h, even)
		h.Advance(1)
		_ = h.Balancer.Update(policies.State{Endpoints: h.Endpoints("a", "b")})
		wantCounts(t, "at its end", h, uneven)
	}
	h := wrrHost(wrr(func(p *policies.WeightedRoundRobin) {
		p.BlackoutPeriod, p.ExpirationPeriod = 10*time.Second, time.Minute
	}), "a", "b")
	hears(t, h, "a", weak, nil)
	hears(t, h, "b", strong, nil)
	h.Advance(59 * time.Second)
	wantCounts(t, "59 s after the reports", h, uneven)
	h.Advance(2 * time.Second)
	wantCounts(t, "61 s after them", h, even)
	hears(t, h, "a", weak, nil)
	hears(t, h, "b", strong, nil)
	h.Advance(9 * time.Second)
	wantCounts(t, "the blackout begins anew", h, even)
	h.Advance(time.Second)
	wantCounts(t, "and ends", h, uneven)
}

func TestWeightedPicksDoNotAllocate(t *testing.T) {
	h, loads := weightedHost(100)
	if policies.AreWeighted(h.Picker) != 100 {
		t.Fatal("there are no weights")
	}
	if n := testing.AllocsPerRun(1000, func() {
		p := h.Picker.Pick(policies.Call{})
		h.Picker.Done(p, policies.Outcome{Load: &loads[p.SubConn]})
	}); n != 0 {
		t.Errorf("%v allocations a pick with a report, want 0", n)
	}
}
