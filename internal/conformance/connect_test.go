package conformance

import (
	"testing"
	"time"

	"lbsim/policies"
)

func TestConnecting(t *testing.T) {
	playAll(t, []scenario{
		{name: "the first call connects", clients: calls(0)},
		{name: "a link of 1 µs", delay: time.Microsecond, clients: calls(0, 50)},
		{name: "a link of 1 ms", delay: ms(1), clients: calls(0, 50)},
		{name: "a link of 150 ms", delay: ms(150), clients: calls(0, 500, 900)},
		{name: "no work", service: at(0), clients: calls(0, 70)},
		{name: "sequential calls share the connection", clients: calls(0, 101, 202, 303)},
		{name: "staggered calls share it", clients: []client{{at: every(40, 0, 7)}}},
		{name: "concurrent calls share it", clients: calls(0, 100, 100, 100, 100, 100)},
		{name: "calls wait for the connection", clients: calls(0, 5, 12, 29)},
		{name: "a call as the connection is READY", clients: calls(0, 30)},
		{name: "a later call overtakes a slow one", clients: calls(0, 100, 200),
			steps: []step{slowed(90, 0, 20), slowed(150, 0, 0.05)}},
		{name: "a slow start", clients: []client{{at: every(20, 0, 50)}},
			steps: []step{slowed(0.5, 0, 10), slowed(500, 0, 0.1)}},
		{name: "an hour without a call", clients: calls(0, 3600e3)},
		{name: "only the first of three backends", backends: 3, clients: calls(0, 101, 202)},
		{name: "two clients have a connection each", clients: []client{
			{at: at(0, 100)}, {at: at(45, 203)},
		}},
		{name: "three clients, one impatient", backends: 2, clients: []client{
			{at: at(0, 100)}, {at: at(3, 203), timeout: ms(29)}, {at: at(51), wait: true},
		}},
		{name: "no list yet", noList: true, clients: calls(0, 100, 550),
			steps: []step{resolved(500, 0)}},
		{name: "never a list", noList: true, clients: calls(0, 100)},
		{name: "the first address is refused, the second not", backends: 2, down: []int{0},
			clients: calls(0, 100)},
		{name: "two are refused, the third not", backends: 3, down: []int{0, 1},
			clients: calls(0, 100)},
		{name: "the first is refused while calls wait", backends: 2, down: []int{0},
			clients: calls(0, 15, 25, 35)},
		// Beyond a delay of 83 ms the first address is not READY, beyond 125 ms not refused, when
		// its 250 ms are over.
		{name: "happy eyeballs: the first wins", backends: 2, delay: ms(100),
			clients: calls(0, 700)},
		{name: "happy eyeballs: the first is refused after the second began", backends: 2,
			down: []int{0}, delay: ms(150), clients: calls(0, 900)},
		{name: "happy eyeballs: three in the race", backends: 4, delay: ms(200),
			clients: calls(0, 1300)},
		{name: "happy eyeballs: two refused in the race", backends: 3, down: []int{0, 1},
			delay: ms(200), clients: calls(0, 1900)},
		{name: "happy eyeballs: all refused in the race", backends: 3, down: []int{0, 1, 2},
			delay: ms(200), clients: calls(0, 1900)},
		{name: "the addresses are shuffled", policy: policies.PickFirst{ShuffleAddressList: true},
			backends: 4, clients: calls(0, 100)},
		{name: "the addresses are shuffled, two are refused",
			policy: policies.PickFirst{ShuffleAddressList: true}, backends: 4, down: []int{1, 3},
			clients: calls(0, 100)},
		{name: "an address named twice", backends: 2, list: []int{0, 0, 1, 0}, down: []int{0},
			clients: calls(0, 100)},
	})
}
