package models_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/failures"
	"lbsim/models/resolvers"
	"lbsim/policies"
	"lbsim/sim"
)

// What a course lesson on grpc-go claims, and a published client with four demos printed. This file
// plays the rows that no other test has; the others are these:
//
//	from target to pick, in order TestTraceTellsWhatHappens
//	one connection for all RPCs  conformance TestConnecting: "staggered"
//	policy typo, lists, unknown ones serviceconfig TestPolicies, TestPoliciesAreRefused
//	default policy               serviceconfig TestPolicies: "nothing said"
//	all fail: it stays so        policies TestPickFirstAfterThePass
//	fail-fast, wait for ready    conformance TestTransientFailure
//	round_robin, random start    policies TestRoundRobin, TestFreshRoundRobinChannels
//	ten clients begin apart      TestFreshRoundRobinChannels
//	states of children           policies TestRoundRobin: "all are down"
//	a picker does not block      policies TestQueuesUntilReady
//	drops, failing pickers       TestDropsAreNotRetried, TestFailFastInTransientFailureIsRetried
//	dns: port, authority         resolvers TestParseTarget (homework 4)
//	dns: interval, backoff       resolvers TestLookups, TestBackoffOfLookups
//	two addresses, then others   TestListsChange
//	only healthy instances       resolvers story consul
//	a list that is refused       resolvers TestBackoffOfLookups: "NXDOMAIN"
//	a scheme nobody registered   resolvers TestParseTarget: "consul://"
//	empty list                   TestNXDomainFailsUntilTheNameExists
//	homework 3: a stop           TestBackendStopsAndTheChannelSettles
//	homework 6: typo, then lists serviceconfig TestPolicies, TestPoliciesAreRefused
//	each attempt picks anew      TestRetryPicksAnew
//	demo 1 to 3                  TestDemo1PlainTarget and those after it
//	demo 4, weights              policies TestDemo4ExpandByWeight
//	each list: another start     policies TestRoundRobinStartsAfterItsDraw
//	comma list as plain target   resolvers TestParseTarget: "localhost:1,localhost:2"
//
// Beyond lbsim: handlers with errors of their own, options that switch the service config off, the
// last registration of a policy, dialers, Dial that blocks, addresses in place of names, sticky
// sessions, balancers of connections, health checks, codecs, HTTP without gRPC.

// instances is the client of the homework: three backends behind dns, a deadline of 2 s.
func instances(t *testing.T, policy policies.Policy, seed, calls uint64) *models.Config {
	cfg := oneCaller(t, policy, seed, calls)
	cfg.Clients[0].Timeout, cfg.Clients[0].WaitForReady = 2*time.Second, new(true)
	dns := kindOf[resolvers.DNS]("dns")
	dns.Lookup = parse(t, "5ms")
	cfg.Resolver = dns
	cfg.Network.Connect = parse(t, "0s")
	return cfg
}

// The first call waits for the lookup and a connection; from the second on, all are there.
func TestLessonSixCallsOverThreeBackends(t *testing.T) {
	for seed := range uint64(20) {
		calls := played(t, instances(t, policies.RoundRobin{}, seed, 7))
		if waited := calls[0].Sent.Sub(calls[0].Start); waited != 5*time.Millisecond {
			t.Errorf("seed %d: the first call waited %v, want the 5ms of the lookup", seed, waited)
		}
		if got := served(calls[1:]); got != [3]int{2, 2, 2} {
			t.Errorf("seed %d: six calls %v, want [2 2 2]", seed, got)
		}
	}
}

// The lesson is wrong here: calls that do not wait for ready do wait in IDLE and CONNECTING.
func TestLessonFailFastWaitsForTheConnection(t *testing.T) {
	cfg := instances(t, policies.RoundRobin{}, 1, 7)
	cfg.Clients[0].WaitForReady = new(false)
	cfg.Network.Connect = parse(t, "300ms")
	calls := played(t, cfg)
	if c := calls[0]; c.Code != policies.OK || c.Sent != sim.Time(305*time.Millisecond) {
		t.Errorf("the first call: sent at %v, %v, want 305ms, OK", c.Sent, c.Code)
	}
}

// Of A, which is away, B and C: B serves, and nobody dials C. Where A refuses that takes no longer
// than the refusal; the 250 ms are for an A that does not answer.
func TestLessonFirstAddressIsAway(t *testing.T) {
	for _, row := range []struct {
		failure models.Failure
		sent    string
	}{
		{failures.Crash{Backends: []string{"b/0"}}, "125µs sent 0 to 1"},
		{failures.Blackhole{Backends: []string{"b/0"}}, "250.075ms sent 0 to 1"},
	} {
		cfg := oneCaller(t, policies.PickFirst{}, 1, 9)
		cfg.Duration = time.Minute
		cfg.Failures = []models.Failure{row.failure}
		got := traced(t, cfg)
		if !strings.Contains(got, row.sent) || strings.Count(got, "to 1\n") != 9 ||
			strings.Contains(got, "dialled 2") {
			t.Errorf("%T: want %q, nine calls to 1, and no attempt to reach 2:\n%s",
				row.failure, row.sent, got)
		}
	}
}

// One address gives round_robin nothing to do, however many backends are behind the name later.
func TestLessonOneAddressMakesRoundRobinUseless(t *testing.T) {
	cfg := instances(t, policies.RoundRobin{}, 1, 60)
	dns := cfg.Resolver.(resolvers.DNS)
	dns.Records = map[string][]string{"0s": {"b/1"}, "1ms": {"b"}}
	cfg.Resolver = dns
	if got := served(played(t, cfg)); got != [3]int{0, 60, 0} {
		t.Errorf("calls %v, want [0 60 0]", got)
	}
}

// Every tenth call is a hundred times as heavy. All backends get as many calls, but not as much
// work: for most seeds some backend has a fifth more than another.
func TestLessonRoundRobinEqualsCountsNotLoad(t *testing.T) {
	uneven := 0
	for seed := range uint64(40) {
		cfg := instances(t, policies.RoundRobin{}, seed, 301)
		cfg.Backends[0].Service = parse(t, "mix(0.9 1ms, 0.1 100ms)")
		calls := played(t, cfg)[1:]
		if got := served(calls); got != [3]int{100, 100, 100} {
			t.Errorf("seed %d: calls %v, want [100 100 100]", seed, got)
		}
		var work [3]time.Duration
		for _, c := range calls {
			work[c.Backend] += c.End.Sub(c.Sent)
		}
		if 5*max(work[0], work[1], work[2]) >= 6*min(work[0], work[1], work[2]) {
			uneven++
		}
	}
	// The counts of heavy calls are binomial, 10 ± 3 each. A gap of two among three is there
	// with a probability of 0.88: 35 ± 2 of 40, and four of that less.
	if uneven < 27 {
		t.Errorf("%d of 40 seeds have uneven work, want at least 27", uneven)
	}
}

// Homework 1: 20 calls are 7, 7 and 6 in some order.
func TestLessonHomework1(t *testing.T) {
	for seed := range uint64(20) {
		got := served(played(t, instances(t, policies.RoundRobin{}, seed, 21))[1:])
		if min(got[0], got[1], got[2]) != 6 || max(got[0], got[1], got[2]) != 7 {
			t.Errorf("seed %d: 20 calls %v, want 7, 7 and 6", seed, got)
		}
	}
}

// Homework 2: one of three stops, 20 calls are 10 and 10 and none fails; it is back after 2 s but
// not in use before its SubConn's second backoff is over, 1 s + 1.6 s ±20 % after it failed.
func TestLessonHomework2(t *testing.T) {
	for seed := range uint64(20) {
		cfg := instances(t, policies.RoundRobin{}, seed, 61)
		cfg.Clients[0].WaitForReady = new(false)
		inTurns(&cfg.Clients[0], 100*time.Millisecond)
		// It stops between the calls of 0.9 s and 1 s.
		crash(cfg, 950*time.Millisecond, 2950*time.Millisecond)
		calls := played(t, cfg)
		without(t, 0, calls[10:30])
		if got := served(calls[10:30]); got != [3]int{0, 10, 10} {
			t.Errorf("seed %d: 20 calls after the stop %v, want [0 10 10]", seed, got)
		}
		for _, c := range calls {
			if c.Backend == 0 && c.Start > sim.Time(time.Second) {
				if s := c.Start.Seconds(); s < 3.2 || s > 4.3 {
					t.Errorf("seed %d: back in use at %.1fs, want 3.2s to 4.3s", seed, s)
				}
				break
			}
		}
		if got := served(calls[45:60]); got != [3]int{5, 5, 5} {
			t.Errorf("seed %d: 15 calls when it is back %v, want [5 5 5]", seed, got)
		}
	}
}

// Homework 5: a list of a dead and a live address; then another list, for which it connects anew.
func TestLessonHomework5(t *testing.T) {
	cfg := oneCaller(t, policies.PickFirst{}, 1, 20)
	inTurns(&cfg.Clients[0], 100*time.Millisecond)
	cfg.Failures = []models.Failure{failures.Crash{Backends: []string{"b/0"}}}
	cfg.Resolver = resolvers.Script{At: map[string][]string{
		"0s": {"b/0", "b/1"}, "1050ms": {"b/0", "b/2"},
	}}
	calls := played(t, cfg)
	before, after := served(calls[:11]), served(calls[11:])
	if before != [3]int{0, 11, 0} || after != [3]int{0, 0, 9} {
		t.Errorf("calls %v, then %v, want [0 11 0], then [0 0 9]", before, after)
	}
}

// hasty is a policy whose picker sends calls on a SubConn before that is READY.
type hasty struct {
	policies.Balancer
	host policies.Host
	sc   policies.SubConn
}

func (*hasty) Doc() string { return "does not wait for READY" }

func (p *hasty) Build(h policies.Host) policies.Balancer { return &hasty{host: h} }

func (p *hasty) Update(s policies.State) error {
	p.sc = p.host.NewSubConn(s.Endpoints[0].Addresses[0])
	p.host.Connect(p.sc)
	p.host.UpdateState(policies.Connecting, p)
	return nil
}

func (p *hasty) SubConnState(_ policies.SubConn, c policies.Connectivity, _ *policies.Status) {
	p.host.UpdateState(c, p)
}

func (p *hasty) Close()                             { p.host.Shutdown(p.sc) }
func (p *hasty) Pick(policies.Call) policies.Pick   { return policies.Send(p.sc) }
func (*hasty) Done(policies.Pick, policies.Outcome) {}

// A SubConn that is not READY is as good as none: the call waits for the picker after that.
func TestLessonPickedBeforeReady(t *testing.T) {
	calls := played(t, oneCaller(t, &hasty{}, 1, 2))
	if c := calls[0]; c.Code != policies.OK || c.Sent != sim.Time(3*wire) {
		t.Errorf("sent at %v, %v, want %v, when the SubConn is READY, and OK", c.Sent, c.Code,
			3*wire)
	}
}

// Measured by ghz: 500 callers over one connection get 59924 answers a second, 6.34 ms after they
// asked. By Little's law 380 calls are under way at a time; the others are at their callers, which
// thus take 2.004 ms between calls.
func TestGhzClosedLoopObeysLittlesLaw(t *testing.T) {
	cfg := oneCaller(t, policies.PickFirst{}, 1, 0)
	const rounds, round = 100, 8344 * time.Microsecond
	cfg.Duration, cfg.Warmup = time.Second+rounds*round, time.Second
	cfg.Clients[0].Callers, cfg.Clients[0].Think = 500, parse(t, "2.004ms")
	cfg.Backends[0].Workers, cfg.Backends[0].Service = 500, parse(t, "6.29ms")
	w := models.New(cfg)
	for !w.Run(1000) {
	}
	rate := float64(w.Finish().Codes[policies.OK]) / (rounds * round).Seconds()
	if inFlight := rate * 6.34e-3; rate < 59900 || rate > 59950 || math.Round(inFlight) != 380 {
		t.Errorf("%.0f calls a second, %.1f in flight, want 59924 and 380", rate, inFlight)
	}
}
