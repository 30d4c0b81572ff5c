package conformance

import (
	"testing"
	"time"

	"google.golang.org/grpc/keepalive"

	"lbsim/policies"
)

// Each backend has grpc-go's health server, and each client watches it where the policy listens.
func TestHealth(t *testing.T) {
	rr := policies.RoundRobin{}
	playAll(t, []scenario{
		{name: "one is well", health: true, policy: rr, clients: calls(0, 300, 301)},
		{name: "two are well", health: true, policy: rr, backends: 2,
			clients: calls(0, 300, 301, 302, 303)},
		{name: "calls fail while all are NOT_SERVING", health: true, policy: rr, backends: 2,
			notServing: []int{0, 1}, clients: calls(0, 300, 301)},
		{name: "wait-for-ready calls wait while all are NOT_SERVING", health: true, policy: rr,
			backends:   2,
			notServing: []int{0, 1}, clients: waitForReady(calls(0, 300)),
			steps: []step{servingAt(400, 1)}},
		{name: "a wait-for-ready call's deadline while all are NOT_SERVING", health: true,
			policy:     rr,
			notServing: []int{0}, clients: waitForReady(within(200, calls(0, 300)))},
		{name: "one becomes NOT_SERVING and SERVING again", health: true, policy: rr,
			clients: calls(0, 300, 505, 600, 905, 1000),
			steps:   []step{notServingAt(500, 0), servingAt(900, 0)}},
		{name: "NOT_SERVING and SERVING before anybody asks", health: true, policy: rr,
			clients: calls(500, 800), steps: []step{notServingAt(100, 0), servingAt(200, 0)}},
		{name: "NOT_SERVING while the question is on its way", health: true, policy: rr,
			clients: calls(0, 300), steps: []step{notServingAt(35, 0), servingAt(200, 0)}},
		{name: "NOT_SERVING while the answer is on its way", health: true, policy: rr,
			clients: calls(0, 300), steps: []step{notServingAt(45, 0), servingAt(200, 0)}},
		{name: "NOT_SERVING and SERVING in less than a delay", health: true, policy: rr,
			clients: calls(0, 300, 512, 600),
			steps:   []step{notServingAt(500, 0), servingAt(504, 0)}},
		{name: "one of two NOT_SERVING", health: true, policy: rr, backends: 2,
			notServing: []int{1},
			clients:    calls(0, 300, 301, 302, 303)},
		{name: "one of two becomes NOT_SERVING", health: true, policy: rr, backends: 2,
			clients: calls(0, 300, 301, 505, 506, 600, 601, 1000, 1001),
			steps:   []step{notServingAt(500, 1), servingAt(900, 1)}},
		{name: "calls in service end well", health: true, policy: rr, service: at(200),
			clients: calls(0, 300), steps: []step{notServingAt(400, 0)}},
		{name: "killed while NOT_SERVING, and back so", health: true, policy: rr,
			clients: calls(0, 700, 800, 1500, 3000),
			steps: []step{notServingAt(500, 0), killed(700, 0), restarted(1000, 0),
				servingAt(2500, 0)}},
		{name: "killed while NOT_SERVING, back SERVING", health: true, policy: rr, backends: 2,
			clients: calls(0, 600, 601, 800, 801, 3000, 3001),
			steps: []step{notServingAt(500, 0), killed(700, 0), restarted(900, 0),
				servingAt(950, 0)}},
		{name: "killed while the question is on its way", health: true, policy: rr,
			clients: calls(0, 300), steps: []step{killed(35, 0), restarted(200, 0)}},
		{name: "stopped while NOT_SERVING", health: true, policy: rr, backends: 2,
			notServing: []int{0},
			clients:    calls(0, 300, 600, 601), steps: []step{stopped(500, 0)}},
		{name: "stopped while SERVING", health: true, policy: rr, backends: 2,
			service: at(100, 100),
			clients: calls(0, 400, 401, 600, 601), steps: []step{stopped(450, 0)}},
		{name: "NOT_SERVING and removed from the list", health: true, policy: rr, backends: 2,
			notServing: []int{0}, clients: calls(0, 300, 600, 601),
			steps: []step{resolved(500, 1), servingAt(550, 0)}},
		{name: "NOT_SERVING and listed again", health: true, policy: rr, backends: 2,
			notServing: []int{0},
			clients:    calls(0, 300, 600, 601, 800),
			steps:      []step{resolved(500, 0), servingAt(700, 0)}},
		{name: "an error of the resolver while NOT_SERVING", health: true, policy: rr,
			notServing: []int{0},
			clients:    calls(0, 300, 600),
			steps:      []step{{at: ms(400), do: resolverError}, servingAt(500, 0)}},
		{name: "least_request listens", health: true, policy: policies.LeastRequest{ChoiceCount: 2},
			backends: 2, clients: calls(0, 300, 600, 601),
			steps: []step{notServingAt(500, 1), servingAt(900, 1)}},
		{name: "pick_first does not listen", health: true, notServing: []int{0},
			clients: calls(0, 300)},
		{name: "pick_first does not move", health: true, backends: 2, clients: calls(0, 300, 600),
			steps: []step{notServingAt(500, 0)}},
		{name: "nobody asks", policy: rr, notServing: []int{0}, clients: calls(0, 300)},
	})
}

// The watch is a stream of its connection like any other.
func TestHealthStream(t *testing.T) {
	rr := policies.RoundRobin{}
	playAll(t, []scenario{
		{name: "it takes one of two streams", health: true, policy: rr, streams: 2,
			service: at(200), clients: calls(0, 500, 501)},
		{name: "it takes the only stream", health: true, policy: rr, streams: 1,
			clients: within(1000, calls(0, 500))},
		{name: "with it no connection is idle", health: true, policy: rr,
			age:     keepalive.ServerParameters{MaxConnectionIdle: 2 * time.Second},
			clients: calls(0, 5000)},
		{name: "a hole drops the news", health: true, policy: rr,
			clients: within(300, calls(0, 900, 2000)),
			steps:   []step{holed(500, 0), notServingAt(600, 0)}},
		{name: "a hole drops the question", health: true, policy: rr,
			clients: within(300, calls(0, 900)), steps: []step{holed(25, 0)}},
		{name: "keepalive finds a dead connection", health: true, policy: rr, until: ms(60e3),
			keepalive: keepalive.ClientParameters{Time: 10 * time.Second,
				Timeout: 5 * time.Second},
			pings:   keepalive.EnforcementPolicy{MinTime: time.Second},
			clients: calls(0), steps: []step{holed(15e3, 0)}},
		{name: "the channel gets idle all the same", health: true, policy: rr,
			idle: time.Second, clients: calls(0, 5000),
			steps: []step{looked(1090), notServingAt(2000, 0), servingAt(5500, 0), looked(6050)}},
	})
}
