package models_test

import (
	"slices"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/failures"
	"lbsim/models/resolvers"
	"lbsim/policies"
	"lbsim/sim"
)

// What two published clients with resolvers of their own printed, played in simulated worlds: one
// that found its servers in etcd, one in turn by a plain target, a static list and nacos.

func kindOf[T models.Resolver](name string) T { return resolvers.Catalog[name].(T) }

// everySecond is a client that calls each second, with round_robin over keys in etcd.
func everySecond(tb testing.TB, seed, n uint64) *models.Config {
	tb.Helper()
	cfg := oneCaller(tb, policies.RoundRobin{}, seed, n)
	cfg.Clients[0].Think = parse(tb, "1s")
	etcd := kindOf[resolvers.Etcd]("etcd")
	etcd.Lookup, etcd.Delay = parse(tb, "5ms"), parse(tb, "6ms")
	cfg.Resolver = etcd
	return cfg
}

// crash ends the process of backend 0 for a while.
func crash(cfg *models.Config, from, to time.Duration) {
	cfg.Failures = append(cfg.Failures, failures.Crash{
		Backends: []string{"b/0"}, From: time.Duration(from), To: time.Duration(to),
	})
}

// inTurn checks that calls go to all of n backends in turn, always in the same order.
func inTurn(t *testing.T, calls []models.Call, n int) {
	t.Helper()
	for i, c := range calls {
		if c.Code != policies.OK {
			t.Errorf("call %d: %v, want OK", c.Number, c.Code)
		}
		if i >= n && c.Backend != calls[i-n].Backend {
			t.Errorf("call %d to %d, call %d to %d: want a period of %d",
				c.Number, c.Backend, calls[i-n].Number, calls[i-n].Backend, n)
		}
	}
	seen := make(map[int32]bool)
	for _, c := range calls[:n] {
		seen[c.Backend] = true
	}
	if len(seen) != n {
		t.Errorf("%d calls went to %d backends, want %d", n, len(seen), n)
	}
}

// without checks that calls end well, none of them on a backend.
func without(t *testing.T, backend int32, calls []models.Call) {
	t.Helper()
	for _, c := range calls {
		if c.Code != policies.OK || c.Backend == backend {
			t.Errorf("call %d: %v from %d, want OK from another", c.Number, c.Code, c.Backend)
		}
	}
}

// Printed: 8000 in calls 0, 2, 5, ... 23; 8001 in 3, 6, ...; 8002 in 1, 4, 7, ...: call 0 by an
// early picker, from call 1 on a period of 3. The first reply came 5.3 ms after the client began.
func TestEtcdRun1Calls0To25(t *testing.T) {
	for seed := range uint64(10) {
		calls := played(t, everySecond(t, seed, 26))
		inTurn(t, calls[1:], 3)
		if first := time.Duration(calls[0].End); first < 5*time.Millisecond ||
			first > 6*time.Millisecond {
			t.Errorf("seed %d: the first reply came after %v, want 5ms to 6ms", seed, first)
		}
	}
}

// 8000 stops between call 33 and call 36, and is back 0.365 s before call 69. Printed: from call 36
// on calls go to the others in turn, by call 70 all three are in use again, and none of 100 failed.
// What makes the client leave 8000 is the connection, which closes at once; its key is there until
// the lease ends, 2.8 to 5.5 s later. Until then each attempt to connect makes a new picker, which
// begins anywhere (that of the old grpc-go did not), so the turn is strict from call 42 on. The key
// that comes back makes a new SubConn, without backoff.
func TestEtcdRun2ServerStopsAndReturns(t *testing.T) {
	const stop = 34*time.Second + 500*time.Millisecond
	for seed := range uint64(10) {
		cfg := everySecond(t, seed, 100)
		// Call 69 begins some 69 x 0.1 ms after second 69.
		crash(cfg, stop, 69*time.Second+7*time.Millisecond-365*time.Millisecond)
		j := models.NewJournal(cfg)
		j.RunCalls(100)
		inTurn(t, j.Calls[1:35], 3)
		without(t, 0, j.Calls[35:69])
		inTurn(t, j.Calls[42:69], 2)
		inTurn(t, j.Calls[69:], 3)
		var left, again sim.Time
		for _, c := range j.Changes {
			if c.Backend == 0 && c.At > sim.Time(stop) && c.To == policies.Idle && left == 0 {
				left = c.At
			}
			if c.Backend == 0 && c.At > sim.Time(stop) && c.To == policies.Ready {
				again = c.At
			}
		}
		if got := left.Sub(sim.Time(stop)); got > time.Millisecond {
			t.Errorf("seed %d: left %v after the stop, want within 1ms", seed, got)
		}
		if again > j.Calls[69].Start {
			t.Errorf("seed %d: READY at %v, want it before call 69, at %v", seed, again,
				j.Calls[69].Start)
		}
	}
}

// A server that is back before its lease ends keeps its SubConn, which waits out its backoff: down
// for 10 s under a lease of a minute, it has tried after 1, 1.6, 2.56, 4.1 s (±20 % but the first),
// so it is back in use within 6.55 s +20 %.
func TestEtcdRestartIsWithinTheBackoff(t *testing.T) {
	for seed := range uint64(10) {
		cfg := everySecond(t, seed, 40)
		etcd := cfg.Resolver.(resolvers.Etcd)
		etcd.Lease = time.Minute
		cfg.Resolver = etcd
		const back = 20*time.Second + 500*time.Millisecond
		crash(cfg, back-10*time.Second, back)
		calls := played(t, cfg)
		without(t, 0, calls[11:21])
		i := slices.IndexFunc(calls[11:], func(c models.Call) bool { return c.Backend == 0 })
		if i < 0 {
			t.Fatalf("seed %d: backend 0 got no call any more", seed)
		}
		// The first turn of three that can have it comes up to 3 s after it is READY.
		if d := calls[11+i].Start.Sub(sim.Time(back)); d < 0 || d > 11*time.Second {
			t.Errorf("seed %d: in use %v after the restart, want within 11s", seed, d)
		}
		inTurn(t, calls[len(calls)-10:], 3)
	}
}

// everyTwoSeconds is a client that calls each 2 s.
func everyTwoSeconds(tb testing.TB, policy policies.Policy, seed, n uint64,
	r models.Resolver) *models.Config {
	tb.Helper()
	cfg := oneCaller(tb, policy, seed, n)
	cfg.Clients[0].Think = parse(tb, "2s")
	cfg.Resolver = r
	return cfg
}

func TestDemo1PlainTarget(t *testing.T) {
	calls := played(t, everyTwoSeconds(t, policies.PickFirst{}, 1, 9,
		resolvers.Passthrough{Backend: "b/0"}))
	inTurn(t, calls, 1)
	for i := 1; i < len(calls); i++ {
		gap := calls[i].Start.Sub(calls[i-1].Start)
		if gap.Round(time.Millisecond) != 2*time.Second {
			t.Errorf("call %d came %v after the one before, want 2s", i, gap)
		}
	}
}

func TestDemo2StaticList(t *testing.T) {
	list := resolvers.Static{Backends: []string{"b/0", "b/1", "b/2"}}
	calls := played(t, everyTwoSeconds(t, policies.PickFirst{}, 1, 9, list))
	inTurn(t, calls, 1)
	if got := served(calls); got != [3]int{9, 0, 0} {
		t.Errorf("pick_first: served %v, want [9 0 0]", got)
	}
	for seed := range uint64(10) {
		inTurn(t, played(t, everyTwoSeconds(t, policies.RoundRobin{}, seed, 9, list))[1:], 3)
	}
}

// Printed: s1 s3 s2 s1 s3 s2. Instance 2 taken offline: only s1 and s3; back online: all three.
func TestDemo3NacosRoundRobin(t *testing.T) {
	for name, change := range map[string]func(n *resolvers.Nacos){
		"switched off": func(n *resolvers.Nacos) {
			n.Disabled = map[string][]string{"13s": {"b/1"}, "25s": {}}
		},
		"weight 0": func(n *resolvers.Nacos) {
			n.Weights = map[string]map[string]float64{"13s": {"b/1": 0}, "25s": {"b/1": 1}}
		},
	} {
		for seed := range uint64(10) {
			nacos := kindOf[resolvers.Nacos]("nacos")
			nacos.Delay = parse(t, "100ms")
			change(&nacos)
			calls := played(t, everyTwoSeconds(t, policies.RoundRobin{}, seed, 21, nacos))
			inTurn(t, calls[1:7], 3)   // to 12 s
			inTurn(t, calls[7:13], 2)  // 14 s to 24 s
			inTurn(t, calls[13:21], 3) // from 26 s on
			if got := served(calls[7:13]); got != [3]int{3, 0, 3} {
				t.Errorf("%s, seed %d: served %v meanwhile, want [3 0 3]", name, seed, got)
			}
		}
	}
}

// A name that does not exist fails calls that do not wait; those that do get through when it does.
// The first is looked up again within 1.92 s.
func TestNXDomainFailsUntilTheNameExists(t *testing.T) {
	for _, wait := range []bool{false, true} {
		cfg := oneCaller(t, policies.RoundRobin{}, 1, 40)
		inTurns(&cfg.Clients[0], 100*time.Millisecond)
		cfg.Clients[0].WaitForReady = &wait
		dns := kindOf[resolvers.DNS]("dns")
		dns.Records = map[string][]string{"1s": {"b"}}
		cfg.Resolver = dns
		calls := played(t, cfg)
		for i, c := range calls {
			early := c.Start < sim.Time(1200*time.Millisecond)
			switch {
			case wait && c.Code != policies.OK, early && !wait && c.Code != policies.Unavailable,
				c.Start > sim.Time(2*time.Second) && c.Code != policies.OK:
				t.Errorf("waiting %v: call %d at %v: %v", wait, i, c.Start, c.Code)
			}
		}
	}
}

// An error after a good list changes nothing. Before the first list calls fail, until there is one.
func TestResolverErrors(t *testing.T) {
	dns := kindOf[resolvers.DNS]("dns")
	dns.ReResolve = time.Duration(10 * time.Second)
	for _, policy := range []policies.Policy{policies.PickFirst{}, policies.RoundRobin{}} {
		cfg := oneCaller(t, policy, 1, 100)
		inTurns(&cfg.Clients[0], time.Second)
		later := dns
		later.Errors = map[string]time.Duration{"20s": time.Duration(80 * time.Second)}
		cfg.Resolver = later
		for _, c := range played(t, cfg) {
			if c.Code != policies.OK {
				t.Errorf("%T: call at %v: %v, want OK with the list from before", policy, c.Start,
					c.Code)
			}
		}
		cfg = oneCaller(t, policy, 1, 10)
		inTurns(&cfg.Clients[0], time.Second)
		first := dns
		first.Errors = map[string]time.Duration{"0s": time.Second}
		cfg.Resolver = first
		for _, c := range played(t, cfg) { // looked up again after 1.28 s to 1.92 s
			want := policies.OK
			if c.Start < sim.Time(1280*time.Millisecond) {
				want = policies.Unavailable
			}
			if c.Code != want {
				t.Errorf("%T: call at %v: %v, want %v", policy, c.Start, c.Code, want)
			}
		}
	}
}

// With pick_first the order of the list decides who serves.
func TestAddressOrder(t *testing.T) {
	for order, want := range map[models.AddressOrder][3]int{
		models.AsGiven: {300, 0, 0}, models.Rotated: {100, 100, 100},
	} {
		if got := firstServed(t, order); got != want {
			t.Errorf("%v: 300 clients served by %v, want %v", order, got, want)
		}
	}
	got := firstServed(t, models.Shuffled)
	if x := chiSquare(got[:]); x > chiSquare2 {
		t.Errorf("shuffled: 300 clients served by %v, want equal shares (chi-square %.1f)", got, x)
	}
}

func firstServed(t *testing.T, order models.AddressOrder) [3]int {
	t.Helper()
	cfg := oneCaller(t, policies.PickFirst{}, 1, 1)
	cfg.Clients[0].Count, cfg.Order = 300, order
	return served(played(t, cfg))
}
