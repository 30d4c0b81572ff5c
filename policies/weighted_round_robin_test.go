package policies

import (
	"testing"
	"time"

	"lbsim/sim"
)

// wrr is weighted_round_robin as grpc-go's own tests have it: no blackout.
func wrr(change func(p *WeightedRoundRobin)) WeightedRoundRobin {
	p := Catalog["weighted_round_robin"].(WeightedRoundRobin)
	p.BlackoutPeriod = 0
	if change != nil {
		change(&p)
	}
	return p
}

func outOfBand(p *WeightedRoundRobin) { p.EnableOOB = true }

// hears lets a SubConn report its load, with a reply and apart from any RPC; one of them counts.
func hears(t *testing.T, h *fakeHost, name string, perCall, oob *Load) {
	t.Helper()
	sc := h.named(name)
	if oob != nil {
		h.b.LoadReport(sc, oob)
	}
	for range 100_000 {
		if perCall == nil {
			return
		}
		picker := h.picker
		p := h.pick()
		o := Outcome{Status: &Status{Code: Unavailable}} // whatever the status, the report counts
		if p.SubConn == sc {
			o.Load, perCall = perCall, nil
		}
		picker.Done(p, o)
	}
	t.Fatalf("%s gets no RPC", name)
}

// wantCounts checks the shares of 100 RPCs, to the 2 that grpc-go's own tests allow.
func wantCounts(t *testing.T, what string, h *fakeHost, want map[string]int) {
	t.Helper()
	got := make(map[string]int)
	for sc, n := range shares(h, 100) {
		if n > 0 {
			got[h.subConns[sc].address.Text] += n
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

func wrrHost(p Policy, names ...string) *fakeHost {
	h := newFakeHost(p, 1)
	h.resolve(h.singles(names...)...)
	h.connectAll()
	return h
}

var (
	weak   = &Load{QPS: 10, Application: 1}   // 10 queries per second
	strong = &Load{QPS: 10, Application: 0.1} // 100
)

// Cases that grpc-go tests with servers: reports, then counts of 100 RPCs.
func TestWeightsOfReports(t *testing.T) {
	even, uneven := map[string]int{"a": 50, "b": 50}, map[string]int{"a": 9, "b": 90}
	for _, row := range []struct {
		name   string
		policy WeightedRoundRobin
		a, b   [2]*Load // per call, out of band
		want   map[string]int
	}{
		{"no reports", wrr(nil), [2]*Load{}, [2]*Load{}, even},
		{"per call", wrr(nil), [2]*Load{weak}, [2]*Load{strong}, uneven},
		{"per call, CPU", wrr(nil), [2]*Load{{QPS: 10, CPU: 1}}, [2]*Load{{QPS: 10, CPU: 0.1}},
			uneven},
		{"the application goes before the CPU", wrr(nil),
			[2]*Load{{QPS: 10, Application: 1, CPU: 2}},
			[2]*Load{{QPS: 10, Application: 0.1, CPU: 2}}, uneven},
		{"out of band", wrr(outOfBand), [2]*Load{nil, weak}, [2]*Load{nil, strong}, uneven},
		{"out of band, and replies say the contrary", wrr(outOfBand),
			[2]*Load{strong, weak}, [2]*Load{weak, strong}, uneven},
		{"per call, and the others say the contrary", wrr(nil),
			[2]*Load{weak, strong}, [2]*Load{strong, weak}, uneven},
		{"one alone", wrr(nil), [2]*Load{strong}, [2]*Load{}, even},
		{"without queries", wrr(nil), [2]*Load{strong}, [2]*Load{{CPU: 1}}, even},
		{"without utilisation", wrr(nil), [2]*Load{strong}, [2]*Load{{QPS: 10}}, even},
		{"negative", wrr(nil), [2]*Load{strong}, [2]*Load{{QPS: 10, CPU: -1}}, even},
		{"errors, no penalty", wrr(func(p *WeightedRoundRobin) { p.ErrorPenalty = 0 }),
			[2]*Load{weak}, [2]*Load{{QPS: 10, Application: 0.1, EPS: 10}}, uneven},
		{"errors", wrr(func(p *WeightedRoundRobin) { p.ErrorPenalty = 0.9 }),
			[2]*Load{weak}, [2]*Load{{QPS: 10, Application: 0.1, EPS: 10}}, even},
	} {
		h := wrrHost(row.policy, "a", "b")
		hears(t, h, "a", row.a[0], row.a[1])
		hears(t, h, "b", row.b[0], row.b[1])
		wantCounts(t, row.name+", not yet", h, even)
		h.advance(time.Second)
		wantCounts(t, row.name, h, row.want)
	}
}

func TestWeightsFollowTheOptions(t *testing.T) {
	h := wrrHost(wrr(outOfBand), "a", "b")
	hears(t, h, "a", nil, weak)
	hears(t, h, "b", nil, strong)
	h.advance(time.Second)
	wantCounts(t, "out of band", h, map[string]int{"a": 9, "b": 90})
	hears(t, h, "a", nil, strong)
	hears(t, h, "b", nil, weak)
	h.advance(time.Second)
	wantCounts(t, "swapped", h, map[string]int{"a": 90, "b": 9})

	picker, old := h.picker, h.pick()
	update := State{Endpoints: h.singles("a", "b"), Policy: wrr(nil)}
	_ = h.b.Update(update)
	picker.Done(old, Outcome{Load: &Load{QPS: 1e6, CPU: 0.01}}) // picked when replies did not count
	hears(t, h, "a", weak, strong)
	hears(t, h, "b", strong, weak)
	h.advance(time.Second)
	wantCounts(t, "per call", h, map[string]int{"a": 9, "b": 90})
}

func TestWeightsFollowTheList(t *testing.T) {
	h := wrrHost(wrr(outOfBand), "a", "b", "c")
	report := func(name string, cpu float64) { hears(t, h, name, nil, &Load{QPS: 10, CPU: cpu}) }
	report("a", 1)
	report("b", 0.1)
	report("c", 0.5)
	h.advance(time.Second)
	wantCounts(t, "three", h, map[string]int{"a": 7, "b": 76, "c": 15})

	h.resolve(h.singles("a", "b", "c", "d")...)
	h.connectAll()
	report("d", 0.05)
	h.advance(time.Second)
	wantCounts(t, "and a fourth", h, map[string]int{"a": 3, "b": 30, "c": 6, "d": 60})

	h.set("c", Idle)
	h.set("c", TransientFailure)
	wantCounts(t, "less the third", h, map[string]int{"a": 3, "b": 32, "d": 64})
	h.resolve(h.singles("a", "d")...)
	wantCounts(t, "first and fourth", h, map[string]int{"a": 4, "d": 95})
	h.resolve(h.singles("b")...)
	h.connectAll()
	report("b", 0.1)
	wantCounts(t, "second", h, map[string]int{"b": 100})
	h.resolve(h.singles("b", "d")...)
	h.connectAll()
	report("d", 0.05)
	h.advance(time.Second)
	wantCounts(t, "second and fourth", h, map[string]int{"b": 33, "d": 66})
}

// Two endpoints whose first address fails: each has the weight of its second.
func TestWeightsOfSeveralAddresses(t *testing.T) {
	h := newFakeHost(wrr(outOfBand), 1)
	h.resolve(h.endpoint("bad", "a"), h.endpoint("bad", "b"))
	for sc := range SubConn(2) {
		h.deliver(sc, TransientFailure, refused)
	}
	h.connectAll()
	hears(t, h, "a", nil, strong)
	hears(t, h, "b", nil, weak)
	h.advance(time.Second)
	wantCounts(t, "two addresses each", h, map[string]int{"a": 90, "b": 9})
}

func TestBlackoutAndExpiration(t *testing.T) {
	even, uneven := map[string]int{"a": 50, "b": 50}, map[string]int{"a": 9, "b": 90}
	for _, blackout := range []time.Duration{time.Second, 10 * time.Second} {
		h := wrrHost(wrr(func(p *WeightedRoundRobin) { p.BlackoutPeriod = blackout }), "a", "b")
		hears(t, h, "a", weak, nil)
		hears(t, h, "b", strong, nil)
		wantCounts(t, "at once", h, even)
		h.advance(blackout - 1)
		_ = h.b.Update(State{Endpoints: h.singles("a", "b")}) // looks at the weights
		wantCounts(t, "a nanosecond before the end of the blackout", h, even)
		h.advance(1)
		_ = h.b.Update(State{Endpoints: h.singles("a", "b")})
		wantCounts(t, "at its end", h, uneven)
	}
	h := wrrHost(wrr(func(p *WeightedRoundRobin) {
		p.BlackoutPeriod, p.ExpirationPeriod = 10*time.Second, time.Minute
	}), "a", "b")
	hears(t, h, "a", weak, nil)
	hears(t, h, "b", strong, nil)
	h.advance(59 * time.Second)
	wantCounts(t, "59 s after the reports", h, uneven)
	h.advance(2 * time.Second)
	wantCounts(t, "61 s after them", h, even)
	hears(t, h, "a", weak, nil)
	hears(t, h, "b", strong, nil)
	h.advance(9 * time.Second)
	wantCounts(t, "the blackout begins anew", h, even)
	h.advance(time.Second)
	wantCounts(t, "and ends", h, uneven)
}

func TestUsableWeight(t *testing.T) {
	const now = sim.Time(100 * time.Second)
	for _, row := range []struct {
		name                 string
		updated, since       time.Duration // ago; -1 for never
		expiration, blackout time.Duration
		want                 float64
		forgets              bool // since when there have been reports
	}{
		{"never updated", -1, -1, time.Minute, 0, 0, false},
		{"expired", 100 * time.Second, 100 * time.Second, 2 * time.Second, time.Second, 0, true},
		{"no report since it expired", 10 * time.Second, -1, time.Minute, 10 * time.Second, 0,
			true},
		{"likewise, without a blackout", 10 * time.Second, -1, time.Minute, 0, 3, true},
		{"usable", 10 * time.Second, 10 * time.Second, time.Minute, time.Second, 3, false},
		{"expired in the blackout", 10 * time.Second, 10 * time.Second, time.Second, time.Minute,
			0, true},
		{"nothing is ever fresh", 0, 0, 0, 0, 0, true},
	} {
		e := endpointWeight{weight: 3, updated: unset, nonEmptySince: unset}
		if row.updated >= 0 {
			e.updated = now.Add(-row.updated)
		}
		if row.since >= 0 {
			e.nonEmptySince = now.Add(-row.since)
		}
		c := &WeightedRoundRobin{
			ExpirationPeriod: row.expiration, BlackoutPeriod: row.blackout,
		}
		got := e.usable(now, c)
		if forgot := e.nonEmptySince == unset; got != row.want ||
			forgot != (row.forgets || row.since < 0) {
			t.Errorf("%s: weight %v, forgets %v, want %v, %v", row.name, got, forgot, row.want,
				row.forgets)
		}
	}
}

func TestWeightedPicksDoNotAllocate(t *testing.T) {
	h, loads := weightedHost(100)
	if len(h.picker.(*weightedRoundRobin).scaled) != 100 {
		t.Fatal("there are no weights")
	}
	if n := testing.AllocsPerRun(1000, func() {
		p := h.picker.Pick(Call{})
		h.picker.Done(p, Outcome{Load: &loads[p.SubConn]})
	}); n != 0 {
		t.Errorf("%v allocations a pick with a report, want 0", n)
	}
}
