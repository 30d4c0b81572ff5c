package conformance

import (
	"testing"
	"time"

	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// retry makes a policy that sends again after next to no time.
func retry(attempts int, codes ...policies.Code) *serviceconfig.Retry {
	var set serviceconfig.Codes
	for _, c := range codes {
		set |= 1 << c
	}
	return &serviceconfig.Retry{
		MaxAttempts: attempts, Codes: set, Multiplier: 1,
		InitialBackoff: 10 * time.Microsecond, MaxBackoff: 10 * time.Microsecond,
	}
}

// The backoff of retries has a jitter that grpc-go cannot turn off. Here it is 10 µs, and times are
// compared to the millisecond.
func TestRetries(t *testing.T) {
	three := retry(3, policies.Unavailable)
	scenarios := []scenario{
		{name: "a good call is not sent again", retry: three, clients: calls(0, 100)},
		{name: "refused: the picker says no three times", retry: three, down: []int{0},
			clients: calls(0, 100)},
		{name: "killed in service, sent to the other", retry: three, backends: 2,
			clients: calls(0, 100, 300), steps: []step{killed(115, 0)}},
		{name: "killed with requests on their way", retry: three, backends: 2,
			clients: calls(0, 95, 102, 106, 300), steps: []step{killed(100, 0)}},
		{name: "killed and back at once", retry: three, clients: calls(0, 100, 300),
			steps: []step{killed(115, 0), restarted(116, 0)}},
		{name: "killed, and nobody else is there", retry: three, clients: calls(0, 100, 300),
			steps: []step{killed(115, 0)}},
		{name: "killed twice", retry: three, backends: 3, service: at(100, 100, 100),
			clients: calls(0, 200), steps: []step{killed(250, 0), killed(350, 1)}},
		{name: "killed three times: no attempt is left", retry: three, backends: 3,
			service: at(100, 100, 100), clients: calls(0, 200),
			steps: []step{killed(250, 0), killed(350, 1), killed(450, 2)}},
		{name: "another code is not retried", retry: retry(3, policies.Internal), backends: 2,
			clients: calls(0, 100, 300), steps: []step{killed(115, 0)}},
		{name: "the deadline is that of all attempts", retry: three, backends: 2,
			service: at(100, 100), clients: within(150, calls(1000)),
			steps: []step{killed(1055, 0)}},
		{name: "busy: every attempt is turned away", retry: three, workers: 1, service: at(300),
			clients: calls(0, 500, 550)},
		{name: "busy at first", retry: retry(5, policies.Unavailable), workers: 1, service: at(50),
			clients: calls(0, 500, 508)},
		{name: "a call that waits for ready waits and is not retried", retry: three, down: []int{0},
			clients: waitForReady(calls(0, 500)), steps: []step{restarted(700, 0)}},
		{name: "the throttle closes", retry: retry(2, policies.Unavailable), workers: 1,
			service: at(600), throttle: &serviceconfig.Throttle{MaxTokens: 4, TokenRatio: 0.5},
			clients: calls(0, 1000, 1050, 1110, 1170, 1230, 1290)},
		{name: "the throttle opens again", retry: retry(2, policies.Unavailable), workers: 1,
			service: at(200), throttle: &serviceconfig.Throttle{MaxTokens: 3, TokenRatio: 1},
			clients: calls(0, 500, 550, 610, 670, 1000, 1500, 2000, 2050, 2110)},
		{name: "round_robin: turned away by one, served by the other", retry: three,
			policy: policies.RoundRobin{}, workers: 1, service: at(400, 20),
			clients: calls(0, 1000, 1100, 1150)},
	}
	for i := range scenarios {
		scenarios[i].coarse = true
	}
	playAll(t, scenarios)
}

// A pushback is exact, so times are too, except where a backoff comes between.
func TestPushback(t *testing.T) {
	four, other := retry(4, policies.Unavailable), retry(4, policies.Internal)
	tokens := &serviceconfig.Throttle{MaxTokens: 6, TokenRatio: 0.5}
	// A second backoff would be 80 ms, but after a pushback it is a first one again.
	growing := retry(5, policies.Unavailable)
	growing.InitialBackoff, growing.Multiplier = 10*time.Microsecond, 8000
	growing.MaxBackoff = time.Second
	scenarios := []scenario{
		{name: "later", retry: four, pushback: []string{"70"}, service: at(600),
			clients: calls(0, 500)},
		{name: "later, and then served", retry: four, pushback: []string{"70"}, service: at(600),
			clients: calls(0, 430, 480)},
		{name: "at once", retry: four, pushback: []string{"0"}, service: at(600),
			clients: calls(0, 500)},
		{name: "never", retry: four, pushback: []string{"-1"}, service: at(600),
			clients: calls(0, 500)},
		{name: "not a number", retry: four, pushback: []string{"soon"}, service: at(600),
			clients: calls(0, 500)},
		{name: "after the deadline", retry: four, pushback: []string{"70"}, service: at(600),
			clients: []client{{at: at(0)}, {at: at(500), timeout: ms(110)}}},
		{name: "of a code that is not retried", retry: other, pushback: []string{"70"},
			service: at(600), clients: calls(0, 500)},
		{name: "without a retry policy", pushback: []string{"70"}, service: at(600),
			clients: calls(0, 500)},
		{name: "throttled", retry: four, throttle: tokens, pushback: []string{"70"},
			service: at(900), clients: calls(0, 200, 500, 600)},
		{name: "never costs a token", retry: four, throttle: tokens,
			pushback: []string{"-1", "70"}, service: at(900, 900),
			policy: policies.RoundRobin{}, clients: calls(0, 100, 200, 300, 400, 500, 600, 700)},
		{name: "the backoff begins anew", retry: growing, pushback: []string{"70", ""},
			service: at(2000, 2000), policy: policies.RoundRobin{}, coarse: true,
			clients: calls(0, 100, 200, 700)},
	}
	for i := range scenarios {
		scenarios[i].workers = 1
	}
	playAll(t, scenarios)
}
