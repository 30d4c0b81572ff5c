package conformance

import (
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc/keepalive"

	"lbsim/models"
	"lbsim/policies"
)

// Labels of the addresses of each backend. Address 0 is the first of backend 0.
var (
	dual    = labels("ipv6", "ipv4")
	v4First = labels("ipv4", "ipv6")
	three   = labels("ipv6", "ipv6-2", "ipv4")
	four    = labels("ipv6", "ipv6-2", "ipv4", "ipv4-2")
)

func labels(texts ...string) []models.Label {
	all := make([]models.Label, len(texts))
	for i, text := range texts {
		if err := all[i].UnmarshalText([]byte(text)); err != nil {
			panic(err)
		}
	}
	return all
}

// refusing and permitted are of an address.
func refusing(at float64, address int) step {
	return step{at: ms(at), do: refuse, backend: address}
}
func permitted(at float64, address int) step {
	return step{at: ms(at), do: permit, backend: address}
}

// listed is a new list of endpoints, each of addresses.
func listed(at float64, endpoints ...[]int) step {
	return step{at: ms(at), do: resolve, endpoints: slices.Concat([][]int{}, endpoints)}
}

// underBoth plays each scenario under pick_first and under round_robin.
func underBoth(t *testing.T, scenarios []scenario) {
	t.Helper()
	for _, p := range []string{"pick_first", "round_robin"} {
		t.Run(p, func(t *testing.T) {
			all := slices.Clone(scenarios)
			for i := range all {
				all[i].policy = policies.Catalog[p]
			}
			playAll(t, all)
		})
	}
}

const minute = 60 * time.Second

func TestAddressesOfABackend(t *testing.T) {
	underBoth(t, []scenario{
		{name: "the first connects, nobody tries the second", labels: dual, clients: calls(0, 400)},
		{name: "the first is refused", labels: dual, refused: []int{0}, clients: calls(0, 15, 100)},
		{name: "the first is a black hole", labels: dual, clients: calls(0, 100, 255, 400),
			steps: []step{holed(1, 0)}, until: minute},
		{name: "IPv4 is listed first, and is a black hole", labels: v4First,
			clients: calls(0, 400), steps: []step{holed(1, 0)}},
		{name: "the first is slow and wins", labels: dual, delay: ms(80), clients: calls(0, 400)},
		{name: "the first is refused, but too late", labels: dual, delay: ms(130),
			refused: []int{0}, clients: calls(0, 900)},
		{name: "both are refused", labels: dual, refused: []int{0, 1},
			clients: calls(0, 30, 50, 900, 1500, 4000), until: minute},
		{name: "both are black holes", labels: dual, clients: within(15e3, calls(0, 10e3, 21e3)),
			steps: []step{holed(1, 0), holed(1, 1)}, until: 2 * minute},
		{name: "the first is a black hole, the second refused", labels: dual,
			refused: []int{1}, clients: calls(0, 300, 5e3, 20.5e3, 30e3),
			steps: []step{holed(1, 0)}, until: 2 * minute},
		{name: "the first is refused, the second a black hole", labels: dual,
			refused: []int{0}, clients: calls(0, 300, 5e3, 20.5e3, 30e3),
			steps: []step{holed(1, 1)}, until: 2 * minute},
		{name: "the first connects after the second was tried", labels: dual, delay: ms(90),
			clients: calls(0, 700)},
		{name: "the second wins; the first comes back and is not used", labels: dual,
			refused: []int{0}, clients: calls(0, 1500, 3000), steps: []step{permitted(1000, 0)}},
		{name: "the first comes back and is used once the second is lost", labels: dual,
			refused: []int{0}, clients: calls(0, 1500, 3000),
			steps: []step{permitted(1000, 0), killed(2000, 0), restarted(2001, 0)}},
		{name: "a crash with both listed", labels: dual, clients: calls(0, 300, 500, 3000),
			steps: []step{killed(200, 0), restarted(1500, 0)}},
		{name: "a crash in the race", labels: dual, clients: calls(0, 1500, 3000),
			delay: ms(120), steps: []step{killed(255, 0), restarted(1000, 0)}},
		{name: "a graceful stop", labels: dual, clients: calls(0, 300, 500, 3000),
			steps: []step{stopped(200, 0), restarted(1500, 0)}},
		{name: "TRANSIENT_FAILURE until one of them connects", labels: dual, refused: []int{0, 1},
			clients: waitForReady(calls(0, 3000, 9000)), steps: []step{permitted(2000, 1)}},
		{name: "TRANSIENT_FAILURE ends with the black hole", labels: dual, refused: []int{1},
			clients: calls(0, 25e3, 27e3, 60e3), steps: []step{holed(1, 0), unholed(22e3, 0)},
			until: 2 * minute},
		{name: "the path in use becomes a black hole", labels: dual,
			keepalive: keepalive.ClientParameters{Time: ms(10e3), Timeout: ms(1000)},
			pings:     keepalive.EnforcementPolicy{MinTime: ms(1000)},
			clients:   within(30e3, calls(0, 500, 15e3, 20e3)),
			steps:     []step{holed(400, 0)}, until: minute},
		{name: "a black hole on the path that is not in use", labels: dual,
			clients: calls(0, 500), steps: []step{holed(400, 1)}},
		{name: "a crash that the path in use drops", labels: dual,
			clients: within(2e3, calls(0, 500, 6e3)),
			steps:   []step{holed(400, 0), killed(600, 0), restarted(700, 0)}, until: minute},
		{name: "mute on both", labels: dual, clients: within(30e3, calls(0, 25e3)),
			steps: []step{muted(1, 0), unmuted(15e3, 0)}, until: 2 * minute},
		{name: "a GOAWAY, and the first is refused then", labels: dual,
			age:     keepalive.ServerParameters{MaxConnectionIdle: ms(2000)},
			clients: calls(0, 1500, 5000), steps: []step{refusing(1000, 0)}},
	})
}

func TestSeveralAddressesOfSeveralBackends(t *testing.T) {
	underBoth(t, []scenario{
		{name: "IPv6 is a black hole for all", labels: dual, backends: 2,
			clients: calls(0, 400, 450), steps: []step{holed(1, 0), holed(1, 2)}},
		{name: "IPv6 is refused for all", labels: dual, backends: 3, refused: []int{0, 2, 4},
			clients: calls(0, 100, 400)},
		{name: "one backend is down", labels: dual, backends: 2, down: []int{0},
			clients: calls(0, 100, 400, 2000), steps: []step{restarted(1500, 0)}},
		{name: "all are down", labels: dual, backends: 2, down: []int{0, 1},
			clients: calls(0, 100, 400, 2000, 8000), steps: []step{restarted(3000, 1)}},
		{name: "the families take turns", labels: three, refused: []int{0, 1},
			clients: calls(0, 200)},
		{name: "the families take turns in the race", labels: four, delay: ms(400),
			clients: calls(0, 2500)},
		{name: "the families take turns, and all fail", labels: four, refused: []int{0, 1, 2, 3},
			clients: calls(0, 200, 2000), until: ms(20e3)},
		{name: "two clients", labels: dual, clients: []client{{at: at(0, 700)}, {at: at(300, 800)}},
			refused: []int{0}, steps: []step{permitted(200, 0), killed(900, 0)}},
	})
}

func TestListsOfAddresses(t *testing.T) {
	underBoth(t, []scenario{
		{name: "the address in use is removed", labels: dual, clients: calls(0, 200),
			steps: []step{listed(100, []int{1})}},
		{name: "the address in use is removed with a call in service", labels: dual,
			clients: calls(0, 100, 200), steps: []step{listed(120, []int{1})}},
		{name: "an address not in use is removed", labels: dual, clients: calls(0, 200),
			steps: []step{listed(100, []int{0})}},
		{name: "an address comes in front", labels: dual, noList: true, clients: calls(0, 200),
			steps: []step{listed(1, []int{1}), listed(100, []int{0, 1})}},
		{name: "the order is changed", labels: dual, clients: calls(0, 200),
			steps: []step{listed(100, []int{1, 0})}},
		{name: "the order is changed, and it matters later", labels: dual,
			clients: calls(0, 200, 400),
			steps:   []step{listed(100, []int{1, 0}), killed(300, 0), restarted(301, 0)}},
		{name: "the order is changed in the race", labels: dual, delay: ms(120),
			clients: calls(0, 900), steps: []step{listed(300, []int{1, 0})}},
		{name: "the first is removed as it connects", labels: dual, clients: calls(0, 200),
			steps: []step{listed(15, []int{1})}},
		{name: "removed in backoff", labels: dual, refused: []int{0, 1}, clients: calls(0, 900),
			steps: []step{permitted(100, 1), listed(300, []int{1})}, until: ms(8e3)},
		{name: "another comes in backoff", labels: three, noList: true, refused: []int{0, 1},
			clients: calls(0, 900),
			steps:   []step{listed(1, []int{0, 1}), listed(300, []int{0, 1, 2})}},
		{name: "an address twice in an endpoint", labels: dual, noList: true, refused: []int{0},
			clients: calls(10, 200), steps: []step{listed(1, []int{0, 1, 0})}},
		{name: "one endpoint becomes two", labels: dual, clients: calls(0, 200, 300),
			steps: []step{listed(100, []int{0}, []int{1})}},
		{name: "two endpoints become one", labels: dual, noList: true, clients: calls(5, 200, 300),
			steps: []step{listed(1, []int{0}, []int{1}), listed(100, []int{0, 1})}},
		{name: "an address in two endpoints", labels: dual, backends: 2, noList: true,
			clients: calls(5, 200, 300), steps: []step{listed(1, []int{0, 1}, []int{0, 3})}},
		{name: "an address in two endpoints, then in one", labels: dual, backends: 2,
			noList: true, clients: calls(5, 200, 300),
			steps: []step{listed(1, []int{0, 1}, []int{0, 3}), listed(100, []int{3, 0})}},
		{name: "the same set of addresses twice", labels: dual, noList: true,
			clients: calls(5, 200, 300), steps: []step{listed(1, []int{0, 1}, []int{1, 0})}},
		{name: "an endpoint without addresses", labels: dual, noList: true,
			clients: within(500, calls(5, 200)), steps: []step{listed(1, []int{}, []int{0, 1})}},
		{name: "only an endpoint without addresses", labels: dual, noList: true,
			clients: within(500, calls(5, 200)), steps: []step{listed(1, []int{})}},
		{name: "a backend each for the families", labels: dual, backends: 2, noList: true,
			clients: calls(5, 200, 300), steps: []step{holed(0.5, 0), listed(1, []int{0, 3})}},
	})
}

func TestAddressesAndHealth(t *testing.T) {
	playAll(t, []scenario{
		{name: "a NOT_SERVING backend is not tried by its second address", labels: dual,
			health: true,
			policy: policies.RoundRobin{}, notServing: []int{0}, clients: calls(0, 400, 900),
			steps: []step{servingAt(700, 0)}},
		{name: "watched by the second address", labels: dual, health: true, refused: []int{0},
			policy: policies.RoundRobin{}, clients: calls(0, 400, 900, 1400),
			steps: []step{notServingAt(500, 0), servingAt(1000, 0)}},
		{name: "the endpoints are shuffled, not their addresses", labels: dual, backends: 3,
			policy: policies.PickFirst{ShuffleAddressList: true}, refused: []int{0, 2, 4},
			clients: calls(0, 100)},
	})
}
