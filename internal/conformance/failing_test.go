package conformance

import "testing"

func TestTransientFailure(t *testing.T) {
	playAll(t, []scenario{
		{name: "a call fails with the attempt to connect", down: []int{0}, clients: calls(0)},
		{name: "calls that wait fail together", down: []int{0}, clients: calls(0, 6, 19)},
		{name: "further calls fail at once", down: []int{0}, clients: calls(0, 100, 500, 999)},
		{name: "they do while it connects again", down: []int{0}, clients: calls(0, 1023, 1041)},
		{name: "calls that wait for ready wait on", down: []int{0},
			clients: waitForReady(calls(0, 500))},
		{name: "they are sent when the backend is back", down: []int{0},
			clients: waitForReady(calls(0, 500, 2000)), steps: []step{restarted(2300, 0)}},
		{name: "up to their deadline", down: []int{0},
			clients: within(700, waitForReady(calls(0, 500))),
			steps:   []step{restarted(900, 0)}},
		{name: "back at once, seen after a second", down: []int{0}, clients: calls(0, 500, 1100),
			steps: []step{restarted(21, 0)}},
		{name: "back between two attempts", down: []int{0}, clients: calls(0, 2000, 2500, 2700),
			steps: []step{restarted(1500, 0)}},
		{name: "the backoff grows by 1.6", down: []int{0}, clients: calls(0),
			steps: []step{restarted(60e3, 0)}},
		{name: "the backoff grows up to 120 s", down: []int{0}, clients: calls(0),
			until: ms(1000e3)},
		{name: "a connection resets the backoff", down: []int{0},
			clients: calls(0, 5000, 7000, 7100, 11000),
			steps:   []step{restarted(1500, 0), killed(6000, 0), restarted(9000, 0)}},
		{name: "all of three are refused", backends: 3, down: []int{0, 1, 2},
			clients: calls(0, 90)},
		{name: "after the first pass each has its backoff", backends: 2, down: []int{0, 1},
			clients: calls(0, 1500, 4000, 6000), until: ms(40e3)},
		{name: "the second comes back first", backends: 2, down: []int{0, 1},
			clients: calls(0, 1500, 4000, 6000), steps: []step{restarted(1700, 1)}},
		{name: "the first comes back and is not used", backends: 2, down: []int{0},
			clients: calls(0, 3000, 4000), steps: []step{restarted(1000, 0)}},
		{name: "a second client finds it up", down: []int{0}, clients: []client{
			{at: at(0, 700, 1200)}, {at: at(600, 800)},
		}, steps: []step{restarted(500, 0)}},
		{name: "some wait for ready, some do not", down: []int{0}, clients: []client{
			{at: at(0, 700, 1200)}, {at: at(3, 703, 1203), wait: true},
		}, steps: []step{restarted(1500, 0)}},
	})
}

func TestDeadlines(t *testing.T) {
	playAll(t, []scenario{
		{name: "while there is no list", noList: true, clients: within(50, calls(0, 30)),
			steps: []step{resolved(65, 0)}},
		{name: "while it connects", clients: within(25, calls(0, 100))},
		{name: "as the request is on its way", clients: within(35, calls(0, 100))},
		{name: "in service", clients: within(55, calls(0, 100)), service: at(50)},
		{name: "as the reply is on its way", clients: within(65, calls(0, 100))},
		{name: "a nanosecond before the reply", clients: within(69.999999, calls(0))},
		{name: "a nanosecond after the reply", clients: within(70.000001, calls(0))},
		{name: "a nanosecond before READY", clients: within(29.999999, calls(0, 100))},
		{name: "a nanosecond after READY", clients: within(30.000001, calls(0, 100))},
		{name: "a nanosecond before the refusal", down: []int{0},
			clients: within(19.999999, calls(0))},
		{name: "a nanosecond after the refusal", down: []int{0},
			clients: within(20.000001, calls(0))},
		{name: "a nanosecond before the reset", clients: within(99.999999, calls(0, 100)),
			service: at(500), steps: []step{killed(190, 0)}},
		{name: "every other call", clients: within(65, calls(0, 100, 200, 300)),
			steps: []step{slowed(150, 0, 5), slowed(250, 0, 0.2)}},
		{name: "all but those that began late", clients: within(45, calls(0, 5, 10, 31, 32))},
		{name: "in backoff, waiting for ready", down: []int{0},
			clients: within(800, waitForReady(calls(0, 100, 300))),
			steps:   []step{restarted(950, 0)}},
		{name: "the connection lives on", clients: within(45, calls(0, 100, 200)),
			service: at(100)},
	})
}
