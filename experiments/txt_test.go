package experiments_test

import (
	"fmt"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/config/findings"
	"lbsim/experiments/runner"
)

// renewed is an experiment with a service config that DNS brings, and another from 5s on.
const renewed = `# What does a new service config do?
duration = "10s"
[clients.c]
rate     = "10/s"
arrivals = "even"
[backends.b]
count   = 2
service = "50ms"
[resolver]
kind                    = "dns"
re_resolve              = "1s"
min_resolution_interval = "1s"
[resolver.txt]
"0s" = '[{"serviceConfig": {}}]'
"5s" = '''[{"serviceConfig": {"loadBalancingPolicy": "round_robin",
  "methodConfig": [{"name": [{}], "timeout": "0.01s"}]}}]'''
`

func TestServiceConfigsFromDNS(t *testing.T) {
	e := load(t, renewed)
	if again := load(t, e.Resolved()); again.Resolved() != e.Resolved() {
		t.Errorf("resolved again:\n%s\nbefore:\n%s", again.Resolved(), e.Resolved())
	}
	var m *experiments.Measures
	keep := func(_ int, got *experiments.Measures) { m = got }
	if err := runner.NewPlan(e).Run(t.Context(), 1, keep); err != nil {
		t.Fatal(err)
	}
	// From 5s on all are late, half of them on the other backend: 100 RPCs, one each 0.1 s.
	late, other := m.Codes["DEADLINE_EXCEEDED"], min(m.Backends[0].Attempts, m.Backends[1].Attempts)
	if m.Policy != "service_config" || late < 49 || late > 51 || other < 24 || other > 26 {
		t.Errorf("policy %s, %d late, %d on the other backend; want service_config, 50, 25",
			m.Policy, late, other)
	}
	if n := len(findings.ServiceConfigs(e)); n != 2 {
		t.Errorf("%d service configs, want 2", n)
	}
}

func TestWrongTXTRecords(t *testing.T) {
	for _, row := range []struct{ txt, want string }{
		{`"0s" = 5`, "my.toml:14: resolver.txt.0s: must be a list of choices as a text"},
		{`"0s" = '{}'`, "my.toml:14: resolver.txt.0s: must be a list (is an object)"},
		{`"0s" = "file(none.json)"`, "my.toml:14: resolver.txt.0s: open none.json: "},
		{`"0s" = '[{"percentage": "1"}]'`, "my.toml:14: resolver.txt.0s: [0].percentage: must be"},
		{`"0s" = '[{"serviceConfig": {"loadBalancingPolicy": "rls_experimental"}}]'`,
			"my.toml:14: resolver.txt.0s: [0].serviceConfig: loadBalancingPolicy: grpc-go would"},
		{`"5" = ''`, `txt: missing unit in "5"`},
	} {
		before, _, _ := strings.Cut(renewed, `"0s" =`)
		file := write(t, map[string]string{"my.toml": before + row.txt + "\n"})
		_, err := experiments.Load(file, experiments.Options{})
		if got := fmt.Sprint(err); !strings.Contains(got, row.want) {
			t.Errorf("%s: got %s, want %s", row.txt, got, row.want)
		}
	}
}
