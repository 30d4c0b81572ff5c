package conformance

import (
	"testing"

	"lbsim/policies"
)

// Each client is a session: its calls have its number as their key. Key 0 leads to backend 1 of
// three, and to 0 of two.
func TestRingHash(t *testing.T) {
	nine := func(moments ...float64) (cs []client) {
		for i := range 9 {
			c := client{}
			for _, m := range moments {
				c.at = append(c.at, ms(m+float64(i)*7.3))
			}
			cs = append(cs, c)
		}
		return cs
	}
	scenarios := []scenario{
		{name: "one backend", clients: calls(0, 100, 200)},
		{name: "nine sessions of three backends", backends: 3, clients: nine(0, 100, 200, 300)},
		{name: "one session keeps to its backend", backends: 3, clients: calls(0, 100, 200, 300)},
		{name: "no call: no connection", backends: 3, clients: calls(5000)},
		{name: "calls wait for the connection", backends: 3, clients: calls(0, 5, 10, 15)},
		{name: "overlapping calls", backends: 3, service: at(100, 100, 100),
			clients: calls(0, 50, 60, 70, 160)},
		{name: "all are refused", backends: 3, down: []int{0, 1, 2},
			clients: calls(0, 500, 900, 2500)},
		{name: "refused: another is tried, and it waits", backends: 3, down: []int{0, 1},
			clients: calls(0, 100, 200)},
		{name: "refused: two are tried", backends: 3, down: []int{1, 0},
			clients: calls(0, 300, 1500)},
		{name: "sessions of backends that are down move", backends: 3, down: []int{1},
			clients: nine(0, 300, 600)},
		{name: "they come back with their backend", backends: 3, down: []int{1},
			clients: nine(0, 300, 600, 2000, 2100), steps: []step{restarted(700, 1)}},
		{name: "killed while idle: the next call connects", backends: 3,
			clients: calls(0, 500, 600), steps: []step{killed(100, 1), restarted(200, 1)}},
		{name: "all are killed while idle, and nobody calls", backends: 3,
			clients: nine(0), steps: []step{killed(100, 0), killed(101, 1), killed(102, 2)}},
		{name: "killed in service", backends: 3, service: at(200, 200, 200),
			clients: nine(0, 300, 700), steps: []step{killed(380, 1)}},
		{name: "killed, and back after others have served", backends: 3,
			clients: nine(0, 200, 400, 3000, 3200),
			steps:   []step{killed(150, 1), restarted(2000, 1)}},
		{name: "a call waits for ready", backends: 2, down: []int{0, 1},
			clients: waitForReady(calls(0, 1500)), steps: []step{restarted(500, 1)}},
		{name: "an address is added", backends: 4, list: []int{0, 1, 2},
			clients: nine(0, 100, 300, 400), steps: []step{resolved(200, 0, 1, 2, 3)}},
		{name: "an address is removed", backends: 3, clients: nine(0, 100, 300, 400),
			steps: []step{resolved(200, 0, 2)}},
		{name: "removed and added again", backends: 3, clients: nine(0, 100, 300, 500),
			steps: []step{resolved(200, 0, 2), resolved(400, 0, 1, 2)}},
		{name: "the order is changed", backends: 3, clients: nine(0, 100, 300),
			steps: []step{resolved(200, 2, 0, 1)}},
		{name: "nothing is left for a while", backends: 2, clients: calls(0, 300, 500),
			steps: []step{resolved(200), resolved(400, 0, 1)}},
		{name: "a backend named twice", backends: 2, list: []int{0, 1, 0}, clients: nine(0, 100)},
		{name: "a name server that fails keeps the list", backends: 2, clients: calls(0, 200, 300),
			steps: []step{{at: ms(100), do: resolverError}}},
		{name: "a name server that fails before the first connection", backends: 2,
			clients: calls(200, 300), steps: []step{{at: ms(100), do: resolverError}}},
		{name: "deadlines as it connects", backends: 3, clients: within(25, calls(0, 100, 200))},
		{name: "one that is NOT_SERVING is passed over", backends: 3, notServing: []int{1},
			health:  true,
			clients: calls(0, 300, 400), coarse: true},
		{name: "idle, and again", backends: 3, idle: ms(1000), clients: calls(0, 3000),
			steps: []step{looked(1070), looked(4070)}},
	}
	for i := range scenarios {
		scenarios[i].policy = policies.RingHash{RequestHashHeader: "x-key"}
		scenarios[i].keyed = true
	}
	playAll(t, scenarios)
}

// Calls without a key go where chance has it, but rather to a backend that is READY.
func TestRingHashWithoutKeys(t *testing.T) {
	scenarios := []scenario{
		{name: "one backend", clients: calls(0, 100, 200)},
		{name: "the second call wakes another", backends: 2, clients: calls(0, 100, 200, 300)},
		{name: "calls while it connects", backends: 3, clients: calls(0, 10, 20, 200)},
		{name: "one of two is refused", backends: 2, down: []int{0},
			clients: calls(0, 200, 400)},
		{name: "all are refused", backends: 2, down: []int{0, 1}, clients: calls(0, 500)},
		{name: "one is killed", backends: 2, clients: calls(0, 200, 400, 600),
			steps: []step{killed(300, 1)}},
	}
	for i := range scenarios {
		scenarios[i].policy = policies.RingHash{RequestHashHeader: "x-key"}
	}
	playAll(t, append(scenarios, scenario{name: "no header to hash", backends: 2,
		policy: policies.RingHash{}, keyed: true, clients: calls(0, 100)}))
}
