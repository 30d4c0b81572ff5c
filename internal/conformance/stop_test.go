package conformance

import (
	"testing"
	"time"

	"google.golang.org/grpc/keepalive"

	"lbsim/policies"
)

func TestGracefulStop(t *testing.T) {
	playAll(t, []scenario{
		{name: "idle", clients: calls(0), steps: []step{stopped(100, 0)}},
		{name: "idle, and a call later", clients: calls(0, 500), steps: []step{stopped(100, 0)}},
		{name: "a call in service ends well", service: at(50), clients: calls(0, 100, 300),
			steps: []step{stopped(130, 0)}},
		{name: "a request on its way is served", service: at(50), clients: calls(0, 100, 300),
			steps: []step{stopped(105, 0)}},
		{name: "a call before the client knows is served", service: at(50),
			clients: calls(0, 106, 300),
			steps:   []step{stopped(100, 0)}},
		{name: "new calls go elsewhere", backends: 2, service: at(100, 20),
			clients: calls(0, 200, 260, 400), steps: []step{stopped(240, 0)}},
		{name: "stopped, and back before the old calls end", service: at(200),
			clients: calls(0, 300, 400, 600), steps: []step{stopped(350, 0), restarted(380, 0)}},
		{name: "a deadline while it drains", service: at(200),
			clients: within(150, calls(0, 300, 400)),
			steps:   []step{stopped(350, 0)}},
		{name: "one after the other", backends: 2, service: at(60, 60),
			clients: []client{{at: every(20, 0, 37)}},
			steps: []step{stopped(200, 0), restarted(300, 0), stopped(500, 1),
				restarted(600, 1)}},
		{name: "round_robin: one of two", policy: policies.RoundRobin{}, backends: 2,
			service: at(100, 100), clients: calls(0, 300, 301, 500, 600),
			steps: []step{stopped(330, 0)}},
		{name: "round_robin: one of two, and back", policy: policies.RoundRobin{}, backends: 2,
			clients: calls(0, 300, 500, 2000, 2100),
			steps:   []step{stopped(330, 0), restarted(400, 0)}},
	})
}

func TestBlackHoles(t *testing.T) {
	playAll(t, []scenario{
		{name: "no answer to the SYN for 20 s", clients: calls(0, 500), until: ms(60e3),
			steps: []step{holed(0.000001, 0)}},
		{name: "a deadline meanwhile", clients: within(3000, calls(0, 500)), until: ms(60e3),
			steps: []step{holed(0.000001, 0)}},
		{name: "the second address after 250 ms", backends: 2, clients: calls(0, 500),
			until: ms(60e3), steps: []step{holed(0.000001, 0)}},
		{name: "the third address after 500 ms", backends: 3, clients: calls(0, 800),
			until: ms(60e3), steps: []step{holed(0.000001, 0), holed(0.000002, 1)}},
		{name: "one in a hole, the next refused, the last good", backends: 3, down: []int{1},
			clients: calls(0, 800), until: ms(60e3), steps: []step{holed(0.000001, 0)}},
		{name: "all in holes", backends: 2, clients: calls(0, 800), until: ms(80e3),
			steps: []step{holed(0.000001, 0), holed(0.000002, 1)}},
		{name: "the hole closes while the SYN is lost", clients: calls(0, 500), until: ms(60e3),
			steps: []step{holed(0.000001, 0), unholed(5000, 0)}},
		{name: "it opens on a connection: calls hang until their deadline",
			clients: within(1000, calls(0, 2000, 2500)), steps: []step{holed(1500, 0)}},
		{name: "it opens with a call in service", service: at(100),
			clients: within(1000, calls(0, 2000)),
			steps:   []step{holed(2050, 0)}},
		{name: "it opens with a reply on its way", clients: within(1000, calls(0, 2000)),
			steps: []step{holed(2035, 0)}},
		{name: "it opens with a request on its way", clients: within(1000, calls(0, 2000)),
			steps: []step{holed(2005, 0)}},
		{name: "round_robin: half the calls", policy: policies.RoundRobin{}, backends: 2,
			clients: within(300, calls(0, 2000, 2100, 2200, 2300)), steps: []step{holed(1500, 0)}},
		{name: "round_robin: one never answers the SYN", policy: policies.RoundRobin{}, backends: 2,
			clients: calls(0, 500, 600), until: ms(60e3), steps: []step{holed(0.000001, 0)}},
		{name: "removed from the list", backends: 2, clients: within(1000, calls(0, 2000, 2600)),
			steps: []step{holed(1500, 0), resolved(2500, 1)}},
		{name: "what failed in one pass over the list stays so in the next", backends: 2,
			down: []int{1}, clients: calls(0, 24.3e3), until: ms(60e3),
			steps: []step{holed(0.000001, 0), resolved(24e3, 0, 1)}},
		{name: "it accepts and says nothing for 20 s", clients: calls(0, 500), until: ms(60e3),
			steps: []step{muted(0.000001, 0)}},
		{name: "it says nothing at first", clients: calls(0, 25e3), until: ms(60e3),
			steps: []step{muted(0.000001, 0), unmuted(5000, 0)}},
		{name: "the first says nothing, the second does", backends: 2, clients: calls(0, 500),
			until: ms(60e3), steps: []step{muted(0.000001, 0)}},
		{name: "silence strikes new connections only", clients: calls(0, 200, 600), until: ms(60e3),
			steps: []step{muted(100, 0)}},
	})
}

// everyFrom is one client with calls at regular intervals, in milliseconds.
func everyFrom(from, gap float64, n int) []client { return []client{{at: every(n, from, gap)}} }

func TestKeepalive(t *testing.T) {
	client := func(time, timeout time.Duration, always bool) keepalive.ClientParameters {
		return keepalive.ClientParameters{Time: time, Timeout: timeout, PermitWithoutStream: always}
	}
	tolerant := keepalive.EnforcementPolicy{MinTime: time.Second, PermitWithoutStream: true}
	playAll(t, []scenario{
		{name: "nothing happens to a good connection", clients: calls(0, 30e3),
			keepalive: client(10*time.Second, 5*time.Second, true), pings: tolerant},
		{name: "a dead connection is found without a call", clients: calls(0), until: ms(60e3),
			keepalive: client(10*time.Second, 5*time.Second, true), pings: tolerant,
			steps: []step{holed(15e3, 0)}},
		{name: "a call on a dead connection", clients: calls(0, 16e3), until: ms(60e3),
			keepalive: client(10*time.Second, 5*time.Second, true), pings: tolerant,
			steps: []step{holed(15e3, 0)}},
		{name: "only while there are calls", clients: calls(0, 35e3), until: ms(90e3),
			keepalive: client(10*time.Second, 5*time.Second, false), pings: tolerant,
			steps: []step{holed(15e3, 0)}},
		{name: "a long call on a dead connection", service: at(60e3), clients: calls(0),
			until:     ms(90e3),
			keepalive: client(10*time.Second, 5*time.Second, false), pings: tolerant,
			steps: []step{holed(15e3, 0)}},
		{name: "a long call is left alone", service: at(60e3), clients: calls(0), until: ms(90e3),
			keepalive: client(10*time.Second, 5*time.Second, false), pings: tolerant},
		{name: "too many pings", service: at(100e3), clients: calls(0), until: ms(200e3),
			keepalive: client(10*time.Second, 5*time.Second, false),
			pings:     keepalive.EnforcementPolicy{MinTime: 5 * time.Minute}},
		{name: "dense calls probe once at a time", until: ms(60e3), service: at(3),
			clients:   everyFrom(100, 7, 40),
			keepalive: client(10*time.Second, 5*time.Second, true), pings: tolerant,
			steps: []step{holed(5e3, 0)}},
		{name: "dense calls, then too many pings", until: ms(90e3), service: at(3, 3),
			clients:   everyFrom(100, 7, 40),
			keepalive: client(10*time.Second, 5*time.Second, true),
			pings:     keepalive.EnforcementPolicy{MinTime: 5 * time.Minute}},
		{name: "too many pings while idle", clients: calls(0, 100e3), until: ms(200e3),
			keepalive: client(10*time.Second, 5*time.Second, true),
			pings:     keepalive.EnforcementPolicy{MinTime: time.Second}},
	})
}

// What the server has not heard of when it has had too many pings is sent once again, whatever the
// retry policy says; what it has heard of is lost.
func TestUnprocessed(t *testing.T) {
	scenarios := []scenario{
		{name: "heard of, on its way, and too late", clients: []client{{at: aroundFourthPing}}},
		{name: "to the other", backends: 2, policy: policies.RoundRobin{},
			clients: []client{{at: aroundFourthPing}}},
		{name: "GOAWAY before", clients: []client{{at: aroundFourthPing}},
			steps: []step{stopped(40e3, 0)}},
		{name: "with a deadline", until: ms(90e3), clients: []client{
			{at: aroundFourthPing[:1]}, {at: aroundFourthPing, timeout: ms(41e3)},
		}},
		{name: "with a retry policy", retry: retry(2, policies.Unavailable), coarse: true,
			clients: []client{{at: aroundFourthPing}}},
	}
	for i := range scenarios {
		s := &scenarios[i]
		s.keepalive = keepalive.ClientParameters{Time: 10 * time.Second, Timeout: 5 * time.Second}
		s.pings = keepalive.EnforcementPolicy{MinTime: 5 * time.Minute}
		s.service, s.until = at(100e3, 100e3), max(s.until, ms(60e3))
	}
	playAll(t, scenarios)
}

// aroundFourthPing is a call at the start and some around the fourth ping, which is the one too
// many: sent at 40.11 s, it makes the server say so 10 ms later, which the client reads in another
// 10 ms.
var aroundFourthPing = at(0, 40105.5, 40108.5, 40114.5, 40118.5, 40128.5, 40131.5, 40140.5, 40170.5)

// Of several calls that wait for a stream when the connection ends, any may be the first to go on.
func TestConnectionLimits(t *testing.T) {
	idle := keepalive.ServerParameters{MaxConnectionIdle: 2 * time.Second}
	playAll(t, []scenario{
		{name: "GOAWAY when idle", age: idle, clients: calls(0, 5000)},
		{name: "no GOAWAY while calls come", age: idle, clients: calls(0, 1500, 3000, 4500, 9000)},
		{name: "no GOAWAY in a long call", age: idle, service: at(5000), clients: calls(0)},
		{name: "round_robin: GOAWAY and back", age: idle, policy: policies.RoundRobin{},
			backends: 2,
			clients:  calls(0, 500, 600, 700, 3000), until: ms(9500)},
		{name: "two streams: the others wait", streams: 2, service: at(200),
			clients: calls(0, 500, 501, 502, 503, 504, 505)},
		{name: "a handler outlives its stream", streams: 1, stubborn: true, service: at(1000),
			clients: within(400, calls(100, 800, 1300)), steps: []step{slowed(700, 0, 0.1)}},
		{name: "handlers outlive their streams", streams: 2, stubborn: true, service: at(1000),
			clients: within(600, calls(100, 200, 850, 860, 870, 880, 2000)),
			steps:   []step{slowed(830, 0, 0.05)}},
		{name: "one stream", streams: 1, clients: calls(0, 500, 501, 502, 503)},
		{name: "a deadline while it waits for a stream", streams: 1, service: at(200),
			clients: within(300, calls(0, 500, 501, 502, 800))},
		{name: "waiting for a stream when it is killed", streams: 1, service: at(200), backends: 2,
			clients: calls(0, 500, 501), steps: []step{killed(600, 0)}},
		{name: "waiting for a stream when it stops", streams: 1, service: at(200), backends: 2,
			clients: calls(0, 500, 501), steps: []step{stopped(600, 0)}},
		{name: "waiting for a stream when it is removed", streams: 1, service: at(200), backends: 2,
			clients: calls(0, 500, 501), steps: []step{resolved(600, 1)}},
		{name: "round_robin: no overflow to the other", streams: 1, policy: policies.RoundRobin{},
			service: at(200, 20), clients: calls(0, 500, 501, 502, 503, 504, 505)},
	})
}
