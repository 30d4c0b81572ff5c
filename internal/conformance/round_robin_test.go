package conformance

import (
	"testing"

	"lbsim/policies"
)

// Where round_robin draws, the scenarios wait for all connections before they make many calls:
// those that wait as connections become READY at one instant are sent in no order on the real side.
func TestRoundRobin(t *testing.T) {
	scenarios := []scenario{
		{name: "one backend", clients: calls(0, 100, 200)},
		{name: "two backends in turn", backends: 2, clients: calls(0, 100, 200, 300, 400)},
		{name: "three backends in turn", backends: 3, clients: calls(0, 100, 201, 302, 403, 504)},
		{name: "three backends in turn, long", backends: 3,
			clients: []client{{at: every(40, 0, 33)}}},
		{name: "five backends in turn", backends: 5, clients: []client{{at: every(12, 0, 100)}}},
		{name: "overlapping calls", backends: 3, service: at(100, 20, 250),
			clients: []client{{at: every(15, 0, 50)}}},
		{name: "two clients have turns of their own", backends: 2, clients: []client{
			{at: at(0, 100, 200, 300)}, {at: at(51, 151, 251)},
		}},
		{name: "no call: no connection", backends: 3, clients: calls(5000)},
		{name: "refused", down: []int{0}, clients: calls(0, 500)},
		{name: "all of three are refused", backends: 3, down: []int{0, 1, 2},
			clients: calls(0, 900)},
		{name: "one of two is refused", backends: 2, down: []int{0}, clients: calls(0, 100, 200)},
		{name: "two of three are refused, and come back", backends: 3, down: []int{0, 2},
			clients: calls(0, 100, 200, 3000, 3100, 3200),
			steps:   []step{restarted(500, 0), restarted(1500, 2)}},
		{name: "all come back", backends: 2, down: []int{0, 1},
			clients: calls(0, 900, 1500, 1600, 1700),
			steps:   []step{restarted(500, 0), restarted(600, 1)}},
		{name: "a call waits for ready", backends: 2, down: []int{0, 1},
			clients: waitForReady(calls(0, 1500, 1600)), steps: []step{restarted(500, 0)}},
		{name: "the only one is killed while idle", clients: calls(0, 500),
			steps: []step{killed(100, 0)}},
		{name: "the only one is killed and back at once", clients: calls(0, 111, 500),
			steps: []step{killed(100, 0), restarted(101, 0)}},
		{name: "the only one is killed in service", clients: calls(0, 100, 400),
			steps: []step{killed(115, 0)}},
		{name: "one of two is killed while idle", backends: 2, clients: calls(0, 200, 300, 400),
			steps: []step{killed(100, 0)}},
		{name: "one of two is killed with a call on each", backends: 2,
			clients: calls(0, 100, 102, 300, 400), steps: []step{killed(118, 0)}},
		{name: "one of two is killed, and calls come before the client knows", backends: 2,
			clients: calls(0, 102, 104, 106, 300, 400), steps: []step{killed(100, 0)}},
		{name: "one of three is killed and comes back", backends: 3,
			clients: calls(0, 200, 300, 400, 2000, 2100, 2200),
			steps:   []step{killed(100, 1), restarted(1000, 1)}},
		{name: "one is killed twice", backends: 2,
			clients: calls(0, 200, 1500, 1600, 1800, 3500, 3600),
			steps: []step{killed(100, 0), restarted(300, 0), killed(1700, 0),
				restarted(1705, 0)}},
		{name: "killed as it connects", backends: 2, clients: calls(500, 1000),
			steps: []step{killed(514, 1)}},
		{name: "killed as its SETTINGS are on their way", backends: 2, clients: calls(500, 1000),
			steps: []step{killed(526, 1)}},
		{name: "a deadline as it connects", backends: 2, clients: within(25, calls(0, 100, 200))},
		{name: "deadlines of every second call", backends: 2, service: at(20, 100),
			clients: within(75, calls(0, 100, 200, 300, 400))},
		{name: "a slow one of two", backends: 2, service: at(20, 300),
			clients: []client{{at: every(8, 0, 60)}}},
		{name: "one becomes slow", backends: 2, clients: []client{{at: every(8, 0, 60)}},
			steps: []step{slowed(200, 1, 20)}},
		{name: "an address is added", backends: 3, list: []int{0, 1},
			clients: calls(0, 100, 200, 400, 500, 600), steps: []step{resolved(300, 0, 1, 2)}},
		{name: "an address is removed", backends: 3, clients: calls(0, 100, 200, 400, 500, 600),
			steps: []step{resolved(300, 0, 2)}},
		{name: "an address is removed with a call on each", backends: 2, service: at(100, 100),
			clients: calls(0, 300, 301, 400, 500), steps: []step{resolved(350, 1)}},
		{name: "removed and added again", backends: 2, clients: calls(0, 100, 220, 300, 400),
			steps: []step{resolved(200, 1), resolved(250, 0, 1)}},
		{name: "removed in backoff and added again", backends: 2, down: []int{0},
			clients: calls(0, 100, 700, 800),
			steps:   []step{resolved(500, 1), restarted(520, 0), resolved(550, 0, 1)}},
		{name: "all are replaced", backends: 4, list: []int{0, 1}, clients: calls(0, 100, 300, 400),
			steps: []step{resolved(200, 2, 3)}},
		{name: "the order is changed", backends: 3, clients: calls(0, 100, 300, 400, 500, 600),
			steps: []step{resolved(200, 2, 1, 0)}},
		{name: "the same list again", backends: 2, clients: calls(0, 100, 300, 400),
			steps: []step{resolved(200, 0, 1)}},
		{name: "nothing is left", backends: 2, clients: calls(0, 100, 300),
			steps: []step{resolved(200)}},
		{name: "nothing is left for a while", backends: 2, clients: calls(0, 300, 500, 600),
			steps: []step{resolved(200), resolved(400, 0, 1)}},
		{name: "a backend named twice", backends: 2, list: []int{0, 1, 0},
			clients: calls(0, 100, 200, 300)},
		{name: "a name server that fails keeps the list", backends: 2, clients: calls(0, 200, 300),
			steps: []step{{at: ms(100), do: resolverError}}},
		{name: "a name server that fails in backoff", down: []int{0}, clients: calls(0, 500, 700),
			steps: []step{{at: ms(600), do: resolverError}}},
	}
	for i := range scenarios {
		scenarios[i].policy = policies.RoundRobin{}
	}
	playAll(t, scenarios)
}
