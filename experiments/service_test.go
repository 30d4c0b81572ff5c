package experiments_test

import (
	"fmt"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/config/findings"
	"lbsim/experiments/runner"
)

// served is an experiment with a service config. The backend is busy for good with its first
// request and has no queue, so every later attempt fails with UNAVAILABLE.
const served = `# What does the service config do?
duration = "20s"
service_config = '''
{
  "loadBalancingConfig": [{"round_robin": {}}],
  "methodConfig": [{
    "name": [{"service": "shop.Orders"}],
    "timeout": "0.5s",
    "retryPolicy": {
      "maxAttempts": 3, "initialBackoff": "0.001s", "maxBackoff": "0.001s",
      "backoffMultiplier": 1, "retryableStatusCodes": ["UNAVAILABLE"]
    }
  }]
}
'''
[clients.c]
rate     = "10/s"
requests = 100
arrivals = "even"
method   = "/shop.Orders/List"
[backends.b]
service = "1h"
queue   = 0
on_full = "UNAVAILABLE"
`

func TestServiceConfigRules(t *testing.T) {
	const retry = `"maxAttempts": 3, "initialBackoff": "0.001s", "maxBackoff": "0.001s",
      "backoffMultiplier": 1, "retryableStatusCodes": ["UNAVAILABLE"]`
	tests := []struct {
		name, old, new string
		attempts       uint64 // of 100 RPCs, of which the first is served for good
		late           uint64 // of which end with DEADLINE_EXCEEDED, the others with UNAVAILABLE
	}{
		{"three attempts each", "", "", 1 + 3*99, 1},
		{"another method has no entry", "shop.Orders/List", "shop.Carts/List", 100, 0},
		// The retry would come after 1 ms.
		{"the shorter timeout counts", "method ", "timeout = \"0.1ms\"\nmethod ", 100, 100},
		{"the longer timeout does not", "method ", "timeout = \"1m\"\nmethod ", 1 + 3*99, 1},
		{"other codes are not retried", `["UNAVAILABLE"]`, `["ABORTED"]`, 100, 1},
		// It comes in place of the backoff of 1 ms, and the third attempt after the deadline.
		{"pushback", "queue ", "pushback = \"400ms\"\nqueue ", 1 + 2*99, 100},
		{"never again", "queue ", "pushback = \"never\"\nqueue ", 100, 1},
		{"no pushback", "queue ", "pushback = \"none\"\nqueue ", 1 + 3*99, 1},
		// One of the first RPC's three attempts is served, the failure of another is fatal.
		{"hedging", `"retryPolicy": {
      ` + retry, `"hedgingPolicy": {"maxAttempts": 3`, 3 * 100, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(served, test.old, test.new, 1)
			var m *experiments.Measures
			keep := func(_ int, got *experiments.Measures) { m = got }
			if err := runner.NewPlan(load(t, text)).Run(t.Context(), 1, keep); err != nil {
				t.Fatal(err)
			}
			if m.Policy != "round_robin" {
				t.Errorf("policy %s, want that of the service config", m.Policy)
			}
			if n := m.Codes["DEADLINE_EXCEEDED"]; n != test.late {
				t.Errorf("%d ended with DEADLINE_EXCEEDED, want %d", n, test.late)
			}
			if got := m.Backends[0].Attempts; got != test.attempts {
				t.Errorf("%d attempts, want %d", got, test.attempts)
			}
		})
	}
}

func TestServiceConfigBesideOtherPolicies(t *testing.T) {
	e := load(t, served+"[policies.prod]\nkind = \"service_config\"\n[policies.random]\n")
	if got := strings.Join(e.Policies, " "); got != "prod random" {
		t.Errorf("policies %s, want prod random", got)
	}
	again := load(t, e.Resolved())
	if again.Resolved() != e.Resolved() {
		t.Errorf("resolved again:\n%s\nbefore:\n%s", again.Resolved(), e.Resolved())
	}
	var simulated []string
	for _, f := range findings.ServiceConfigs(e)[0].Fields {
		if f.Verdict.String() == "simulated" {
			simulated = append(simulated, f.Path)
		}
	}
	if all := strings.Join(simulated, " "); !strings.Contains(all, "methodConfig[0].timeout") {
		t.Errorf("simulated fields are %s, want the timeout among them", all)
	}
}

func TestWrongPushbacks(t *testing.T) {
	for text, want := range map[string]string{
		`"soon"`: `my.toml:23: backends.b.pushback: "soon" is no duration (write for instance ` +
			`200us, 10ms or 1.5s), or "never", or "none"`,
		`"1.5ms"`: "my.toml:23: backends.b.pushback: must be whole milliseconds (is 1.5ms)",
		`"-1ms"`:  "my.toml:23: backends.b.pushback: must not be negative (is -1ms)",
	} {
		_, err := loadText(t, strings.Replace(served, "queue ", "pushback = "+text+"\nqueue ", 1))
		if got := fmt.Sprint(err); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestWrongServiceConfigs(t *testing.T) {
	before, rest, _ := strings.Cut(served, "service_config")
	config, _, _ := strings.Cut("service_config"+rest, "[clients")
	tests := []struct{ name, old, new, want string }{
		{"too few attempts", `"maxAttempts": 3`, `"maxAttempts": 1`,
			"my.toml:3: service_config: methodConfig[0].retryPolicy.maxAttempts: must be at"},
		{"no JSON", `"loadBalancingConfig": [`, `"loadBalancingConfig": `,
			"my.toml:3: service_config: not JSON"},
		{"unknown policies", `round_robin`, `fancy_lb`,
			"my.toml:3: service_config: loadBalancingConfig: names no policy"},
		{"missing file", config,
			"service_config = \"file(none.json)\"\n",
			"my.toml:3: service_config: open none.json: "},
		{"there is none", before + config,
			"[policies.prod]\nkind = \"service_config\"\n",
			"my.toml:2: policies.prod.kind: there is none"},
	}
	for _, test := range tests {
		text := strings.Replace(served, test.old, test.new, 1)
		file := write(t, map[string]string{"my.toml": text})
		_, err := experiments.Load(file, experiments.Options{})
		got := fmt.Sprint(err)
		if !strings.Contains(got, test.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// Where the service config has clients check health, those of a NOT_SERVING backend get
// UNAVAILABLE.
func TestServiceConfigChecksHealth(t *testing.T) {
	const config = "service_config = '{\"healthCheckConfig\": {\"serviceName\": \"\"}}'\n"
	const text = `# Who checks health?
duration = "2s"
` + config + `[clients.c]
rate     = "10/s"
requests = 10
arrivals = "even"
[backends.b]
service = "1ms"
[failures.unhealthy]
kind     = "unhealthy"
backends = ["b"]
[policies.random]
`
	for want, text := range map[string]string{
		"UNAVAILABLE": text, "OK": strings.Replace(text, config, "", 1),
	} {
		var m *experiments.Measures
		keep := func(_ int, got *experiments.Measures) { m = got }
		if err := runner.NewPlan(load(t, text)).Run(t.Context(), 1, keep); err != nil {
			t.Fatal(err)
		}
		if m.Codes[want] != 10 {
			t.Errorf("want 10 RPCs that ended with %s, got %v", want, m.Codes)
		}
	}
}
