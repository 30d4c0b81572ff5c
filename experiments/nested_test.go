package experiments_test

import (
	"fmt"
	"strings"
	"testing"

	"lbsim/experiments"
)

// nested is an experiment with policies in others and parts with defaults of their own.
const nested = `# Do they nest?
[clients.web]
rate = "10/s"
[backends.b]
count = 2
service = "1ms"

[policies.plain]
kind = "outlier_detection"
child = "round_robin"
[policies.od]
kind = "outlier_detection"
interval = "5s"
success_rate_ejection = { stdev_factor = 500 }
failure_percentage_ejection = {}
child = { kind = "outlier_detection", child = "pick_first" }
[policies.cluster]
kind = "cluster_impl"
child = "round_robin"
drops = [{ category = "lb", numerator = 5 }, { category = "all", numerator = 1, denominator = 2 }]
[policies.lb]
kind = "grpclb"
balancer = { "0s" = ["b", "drop"], "5s" = ["lost"] }
`

func TestPoliciesInPolicies(t *testing.T) {
	e := load(t, nested)
	text := e.Resolved()
	for _, want := range []string{
		`interval = "5s"`,
		"success_rate_ejection = { stdev_factor = 500, enforcement_percentage = 100, " +
			"minimum_hosts = 5, request_volume = 100 }\n",
		"failure_percentage_ejection = { threshold = 85, enforcement_percentage = 0, " +
			"minimum_hosts = 5, request_volume = 50 }\n",
		`child = { kind = "round_robin", from_first = false }`,
		`child = { kind = "outlier_detection", interval = "10s", ` +
			`base_ejection_time = "30s", max_ejection_time = "5m", max_ejection_percent = 10, ` +
			`child = { kind = "pick_first", shuffle_address_list = false } }`,
		`drops = [{ category = "lb", numerator = 5, denominator = 100 }, ` +
			`{ category = "all", numerator = 1, denominator = 2 }]`,
		"[policies.lb.balancer]\n0s = [\"b\", \"drop\"]\n5s = [\"lost\"]\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("resolved lacks %s:\n%s", want, text)
		}
	}
	if again := load(t, text).Resolved(); again != text {
		t.Errorf("resolved again:\n%s\nbefore:\n%s", again, text)
	}
}

func TestWrongPoliciesInPolicies(t *testing.T) {
	for _, row := range []struct{ old, new, want string }{
		{`"5s"`, `5`, `:13: policies.od.interval: missing unit in "5"`},
		{`"5s"`, `"-5s"`, `:13: policies.od.interval: must not be negative (is -5s)`},
		{`stdev_factor = 500`, `stdev = 500`,
			`:14: policies.od.success_rate_ejection.stdev: unknown key`},
		{`stdev_factor = 500`, `enforcement_percentage = 101`, `:14: policies.od.` +
			`success_rate_ejection.enforcement_percentage: must be <= 100 (is 101)`},
		{`= "pick_first"`, `= "pick_frist"`, `:16: policies.od.child.child.kind: ` +
			`unknown kind "pick_frist"; did you mean pick_first`},
		{`denominator = 2`, `denominator = 0`,
			`:20: policies.cluster.drops: "all": denominator must be >= 1 (is 0)`},
		{`"lost"`, `"lost", "drop"`, `:23: policies.lb.balancer: "5s": "lost" must stand alone`},
	} {
		file := write(t, map[string]string{"my.toml": strings.Replace(nested, row.old, row.new, 1)})
		_, err := experiments.Load(file, experiments.Options{})
		if got := fmt.Sprint(err); !strings.Contains(got, row.want) {
			t.Errorf("%s: got %s, want %s", row.new, got, row.want)
		}
	}
}
