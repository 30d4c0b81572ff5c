package conformance

import (
	"fmt"
	"testing"

	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// Service configs that the resolver brings.
const (
	pickFirst  = `{"loadBalancingConfig":[{"pick_first":{}}]}`
	roundRobin = `{"loadBalancingConfig":[{"round_robin":{}}]}`
	invalid    = `{"methodConfig":5}`
)

// methods is a service config with pick_first, these fields of the default method, and these of the
// whole.
func methods(fields, more string) string {
	return fmt.Sprintf(`{"loadBalancingConfig":[{"pick_first":{}}],
		"methodConfig":[{"name":[{}]%s}]%s}`, fields, more)
}

// often is a retry policy of so many attempts after next to no time.
func often(attempts int) string {
	return fmt.Sprintf(`,"retryPolicy":{"maxAttempts":%d,"initialBackoff":"0.00001s",
		"maxBackoff":"0.00001s","backoffMultiplier":1,"retryableStatusCodes":["UNAVAILABLE"]}`,
		attempts)
}

// Configs that come by name resolution, and change.
func TestServiceConfigs(t *testing.T) {
	short := methods(`,"timeout":"0.035s"`, "")
	long := methods(`,"timeout":"2s"`, "")
	waits := methods(`,"waitForReady":true`, "")
	silent := []client{{at: at(0, 500, 900), silent: true}}
	playAll(t, []scenario{
		{name: "a timeout comes", clients: calls(0, 500), steps: []step{configured(300, short, 0)}},
		{name: "a timeout from the first list on", config: short, clients: calls(0, 500)},
		{name: "a timeout goes", config: short, clients: calls(100, 500),
			steps: []step{configured(300, pickFirst, 0)}},
		{name: "no config keeps the last", config: short, clients: calls(100, 500),
			steps: []step{resolved(300, 0)}},
		{name: "an error keeps the last", config: short, clients: calls(100, 500),
			steps: []step{{at: ms(300), do: resolverError}}},
		{name: "an open call keeps its timeout", config: long, service: at(400),
			clients: calls(0, 500), steps: []step{configured(200, short, 0)}},
		{name: "and its want of one", service: at(400), clients: calls(0, 500),
			steps: []step{configured(200, short, 0)}},
		{name: "the clock of a timeout starts with the first list", noList: true,
			clients: calls(0, 100), steps: []step{configured(200, short, 0)}},
		{name: "that of the call does not", noList: true, clients: within(250, calls(0, 100)),
			service: at(500), steps: []step{configured(200, long, 0)}},
		{name: "nor is it stretched", noList: true, clients: within(150, calls(0, 100)),
			steps: []step{configured(200, long, 0)}},
		{name: "both clocks, the config's first", noList: true,
			clients: within(250, calls(0, 100)), service: at(500),
			steps: []step{configured(200, short, 0)}},
		{name: "its method", clients: calls(0, 500), config: methods(
			`,"timeout":"0.02s"`, `,"methodConfig":[
			{"name":[{"service":"conformance","method":"Other"}],"timeout":"0.01s"},
			{"name":[{"service":"conformance"}],"timeout":"0.035s"},
			{"name":[{}],"timeout":"0.02s"}]`)},
		{name: "waiting for ready comes", down: []int{0}, clients: silent,
			steps: []step{configured(300, waits, 0), restarted(1200, 0)}},
		{name: "waiting for ready goes", down: []int{0}, config: waits, clients: silent,
			steps: []step{configured(300, pickFirst, 0), restarted(1200, 0)}},
		{name: "it is for the call to say", down: []int{0}, config: waits,
			clients: calls(0, 500), steps: []step{restarted(1200, 0)}},
		{name: "calls that wait for names wait for ready then", noList: true, down: []int{0},
			clients: []client{{at: at(0, 50), silent: true}},
			steps:   []step{configured(300, waits, 0), restarted(800, 0)}},
		{name: "it is kept over idleness", config: short, idle: ms(1000),
			clients: calls(0, 3000), steps: []step{looked(1035), resolved(2000, 0), looked(4035)}},
	})
}

// Configs that cannot be used.
func TestBadServiceConfigs(t *testing.T) {
	short := methods(`,"timeout":"0.035s"`, "")
	playAll(t, []scenario{
		{name: "the first", config: invalid, switches: true, clients: calls(0, 100)},
		{name: "the first, though calls wait for ready", config: invalid, switches: true,
			clients: waitForReady(calls(0, 100))},
		{name: "the first, though clients have their own", config: invalid, switches: true,
			retry: retry(3, policies.Unavailable), clients: calls(0, 100)},
		{name: "the first, late", noList: true, switches: true,
			clients: waitForReady(calls(0, 100)),
			steps:   []step{configured(200, invalid, 0)}},
		{name: "the first, then a good one", config: invalid, switches: true,
			clients: calls(0, 100, 500), steps: []step{configured(300, short, 0)}},
		{name: "the first, then none", config: invalid, switches: true,
			clients: calls(0, 100, 500), steps: []step{resolved(300, 0)}},
		{name: "the first, then another", config: invalid, switches: true,
			clients: calls(0, 100, 500), steps: []step{configured(300, invalid, 0)}},
		{name: "the first, then an error", config: invalid, switches: true,
			clients: calls(0, 100, 500), steps: []step{{at: ms(300), do: resolverError}}},
		{name: "after an error", noList: true, clients: calls(0, 500), steps: []step{
			{at: ms(200), do: resolverError}, configured(300, invalid, 0)}},
		{name: "a later one", config: short, backends: 2, clients: calls(100, 500),
			steps: []step{configured(300, invalid, 1)}},
		{name: "a later one, where none was", backends: 2, clients: calls(100, 500),
			steps: []step{configured(300, invalid, 1)}},
		{name: "after idleness", config: short, idle: ms(1000), clients: calls(0, 3000),
			steps: []step{looked(1035), configured(2000, invalid, 0),
				looked(4035)}},
	})
}

// Retries and their tokens.
func TestServiceConfigsWithRetries(t *testing.T) {
	three, two := methods(often(3), ""), methods(often(2), "")
	tokens := methods(often(2), `,"retryThrottling":{"maxTokens":4,"tokenRatio":0.5}`)
	fewer := methods(often(2), `,"retryThrottling":{"maxTokens":2,"tokenRatio":0.5}`)
	scenarios := []scenario{
		{name: "retries come", clients: calls(0, 500, 900),
			steps: []step{configured(700, three, 0)}},
		{name: "retries go", config: three, clients: calls(0, 500, 900),
			steps: []step{configured(700, pickFirst, 0)}},
		{name: "fewer retries", config: three, clients: calls(0, 500, 900),
			steps: []step{configured(700, two, 0)}},
		{name: "an open call keeps its retries", config: three, clients: calls(0, 500),
			steps: []step{configured(515, pickFirst, 0)}},
		{name: "and its want of them", clients: calls(0, 500),
			steps: []step{configured(515, three, 0)}},
		{name: "calls that wait for names are retried", noList: true, down: []int{0},
			clients: calls(0, 100), steps: []step{configured(200, three, 0)}},
		{name: "within their deadline", noList: true, backends: 2, clients: within(500, calls(0)),
			steps: []step{configured(200, three, 0, 1), killed(300, 0)}},
		{name: "tokens come", config: two, clients: calls(0, 500, 600, 700, 900, 1000, 1100, 1200),
			steps: []step{configured(800, tokens, 0)}},
		{name: "each list fills the tokens", config: tokens,
			clients: calls(0, 500, 600, 700, 900, 1000, 1100),
			steps:   []step{configured(800, tokens, 0)}},
		{name: "also one without a config", config: tokens,
			clients: calls(0, 500, 600, 700, 900, 1000, 1100), steps: []step{resolved(800, 0)}},
		{name: "and an error", config: tokens, clients: calls(0, 500, 600, 700, 900, 1000, 1100),
			steps: []step{{at: ms(800), do: resolverError}}},
		{name: "but not one with a config that is invalid", config: tokens,
			clients: calls(0, 500, 600, 700, 900, 1000, 1100),
			steps:   []step{configured(800, invalid, 0)}},
		{name: "an open call keeps its tokens", config: fewer, clients: calls(0, 500, 600, 700),
			steps: []step{configured(515, tokens, 0), configured(615, fewer, 0)}},
		{name: "its own config until one comes", clients: calls(0, 500, 900), noList: true,
			retry: retry(3, policies.Unavailable), throttle: &serviceconfig.Throttle{
				MaxTokens: 10, TokenRatio: 1},
			steps: []step{resolved(5, 0), configured(700, pickFirst, 0), resolved(800, 0)}},
	}
	for i := range scenarios {
		s := &scenarios[i]
		s.workers, s.service, s.coarse = 1, at(2000, 2000), true // one is busy, all others fail
		s.backends = max(1, s.backends)
	}
	playAll(t, scenarios)
}

// Policies that replace one another.
func TestPolicySwitches(t *testing.T) {
	scenarios := []scenario{
		{name: "pick_first, then round_robin", config: pickFirst, backends: 2,
			clients: calls(0, 100, 305, 345, 400, 500, 600),
			steps:   []step{configured(300, roundRobin, 0, 1)}},
		{name: "round_robin, then pick_first", config: roundRobin, backends: 2,
			clients: calls(0, 100, 101, 305, 345, 400, 500),
			steps:   []step{configured(300, pickFirst, 0, 1)}},
		{name: "calls in service run on", config: pickFirst, backends: 2,
			service: at(200, 200), clients: calls(0, 290, 305, 600),
			steps: []step{configured(300, roundRobin, 0, 1)}},
		{name: "there and back again", config: pickFirst, backends: 2,
			clients: calls(0, 100, 315, 400, 500),
			steps: []step{configured(300, roundRobin, 0, 1),
				configured(310, pickFirst, 0, 1)}},
		{name: "the new one finds nobody", config: pickFirst, backends: 2, down: []int{1},
			clients: calls(0, 100, 305, 345, 400, 1500),
			steps:   []step{configured(300, roundRobin, 1)}},
		{name: "the old one has nobody", config: pickFirst, backends: 2, down: []int{0},
			clients: calls(0, 100, 305, 345, 400),
			steps:   []step{configured(300, roundRobin, 1), looked(301)}},
		{name: "the old one loses its backend meanwhile", config: pickFirst, backends: 2,
			clients: calls(0, 100, 308, 345, 400),
			steps:   []step{configured(300, roundRobin, 0, 1), killed(302, 0)}},
		{name: "its own until one comes", policy: policies.RoundRobin{}, backends: 2,
			clients: calls(0, 100, 101, 345, 400),
			steps:   []step{configured(300, pickFirst, 0, 1)}},
		{name: "the same again", config: roundRobin, backends: 2, clients: calls(0, 100, 400, 500),
			steps: []step{configured(300, roundRobin, 0, 1)}},
		{name: "watched by the new one alone", config: pickFirst, backends: 2, notServing: []int{1},
			clients: calls(0, 100, 400, 500, 600), steps: []step{configured(300,
				`{"loadBalancingConfig":[{"round_robin":{}}],
				"healthCheckConfig":{"serviceName":""}}`, 0, 1)}},
	}
	for i := range scenarios {
		scenarios[i].switches = true
	}
	playAll(t, scenarios)
}

// A connection that is READY is watched, or not, as the config said when it became so.
func TestServiceConfigsWithHealth(t *testing.T) {
	const watch = `{"loadBalancingConfig":[{"round_robin":{}}],
		"healthCheckConfig":{"serviceName":""}}`
	rr := policies.RoundRobin{}
	playAll(t, []scenario{
		{name: "the watch is for connections to come", policy: rr, backends: 2,
			notServing: []int{0},
			clients:    calls(0, 300, 301, 500, 501, 3000, 3001), steps: []step{
				configured(400, watch, 0, 1), killed(600, 0), restarted(700, 0)}},
		{name: "a watch that is on stays", policy: rr, config: watch,
			clients: calls(0, 300, 600, 900), steps: []step{
				configured(400, roundRobin, 0), notServingAt(500, 0), servingAt(800, 0)}},
	})
}
