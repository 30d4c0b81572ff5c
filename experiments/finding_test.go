package experiments_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/config/findings"
	"lbsim/experiments/runner"
)

// spoken are the findings about a text, one a line: "kind: text".
func spoken(t *testing.T, text string) string {
	t.Helper()
	everywhere, somewhere := findings.Of(load(t, text), nil)
	var all []string
	for _, w := range append(everywhere, somewhere...) {
		all = append(all, fmt.Sprintf("%s: %s", w.Kind, w.Text))
	}
	return strings.Join(all, "\n")
}

// measuresOf makes the runs of a text and returns their measures, without digests and warnings.
func measuresOf(t *testing.T, text string) (all []experiments.Measures) {
	t.Helper()
	err := runner.NewPlan(load(t, text)).Run(t.Context(), 2, func(_ int, m *experiments.Measures) {
		m.Digest, m.Events, m.Warnings = "", 0, nil
		all = append(all, *m)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// plain is an experiment of which everything has an effect.
const plain = `# What has no effect?
duration = "20s"
[clients.web]
count = 2
rate  = "100/s"
#clients
[backends.b]
count   = 4
workers = 1
service = "exp(mean=20ms)"
#backends
[network]
delay = "1ms"
#network
[policies.p]
kind = "round_robin"
`

// with puts lines into plain: "clients: line", "backends: line", "network: line"; anything else
// goes
// to the end, and a line that begins with "kind" takes the place of the policy.
func with(lines string) string {
	text := plain
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line) + "\n"
		part, rest, found := strings.Cut(line, ": ")
		switch mark := "#" + part + "\n"; {
		case found && strings.Contains(text, mark):
			text = strings.Replace(text, mark, rest+mark, 1)
		case strings.HasPrefix(line, "top "):
			text = strings.Replace(text, "duration", strings.TrimPrefix(line, "top ")+"duration", 1)
		case strings.HasPrefix(line, "kind"):
			text = strings.Replace(text, "kind = \"round_robin\"\n", line, 1)
		default:
			text += line
		}
	}
	return text
}

// Each row is an option that has no effect, what is said of it, and what else gives it one. That it
// has none is seen by running without it: every metric is the same. With the remedy nothing is
// said.
func TestOptionsWithoutEffect(t *testing.T) {
	const callers = `[clients.loop]
callers = 1
`
	for _, row := range []struct{ option, rest, said, remedy string }{
		{"clients: keepalive_timeout = \"1s\"", "",
			"clients.web.keepalive_timeout has no effect: keepalive is off; set keepalive_time",
			"clients: keepalive_time = \"10s\""},
		{"clients: keepalive_permit_without_stream = true", "", "keepalive is off",
			"clients: keepalive_time = \"10s\""},
		{"clients: think = \"1s\"", "", "clients.web.think has no effect: callers", ""},
		{callers + "arrivals = \"even\"", "", "clients.loop.arrivals has no effect: callers", ""},
		{"clients: method = \"/shop.Orders/List\"", "",
			"clients.web.method has no effect: there is no service_config",
			`top service_config = '{"methodConfig": [{"name": [{}], "timeout": "1s"}]}'`},
		{"clients: key = \"uniform(n=9)\"\nclients: key_header = \"x-user\"", "",
			"clients.web.key has no effect: no policy reads the header x-user; ring_hash with " +
				"request_hash_header = \"x-user\" does",
			"kind = \"ring_hash\"\nrequest_hash_header = \"x-user\""},
		{"clients: zone = \"east\"", "", "clients.web.zone has no effect: nothing ranks", ""},
		{"clients: zone_weights = { east = 1 }", "backends: zone = \"east\"",
			"clients.web.zone_weights has no effect: no policy divides", ""},
		{"backends: on_full = \"UNAVAILABLE\"", "",
			"backends.b.on_full has no effect: the queue is unbounded, so it is never full; " +
				"set queue",
			"backends: queue = 1"},
		{"backends: pushback = \"never\"", "", "the queue is unbounded", ""},
		{"backends: pushback = \"never\"", "backends: queue = 0",
			"backends.b.pushback has no effect: no client sends an RPC again", ""},
		{"backends: on_cancel = \"stop\"", "",
			"backends.b.on_cancel has no effect: no client ever gives up; set clients.NAME.timeout",
			"clients: timeout = \"30ms\""},
		{"backends: on_expired = \"drop\"", "",
			"backends.b.on_expired has no effect: no RPC has a deadline", "clients: timeout = " +
				"\"30ms\""},
		{"backends: max_connection_age_jitter = 0.5", "", "connections live for ever",
			"backends: max_connection_age = \"5s\""},
		{"backends: ping_min_time = \"1s\"", "", "backends.b.ping_min_time has no effect", ""},
		{"backends: load_report = \"per_call\"", "",
			"backends.b.load_report has no effect: no policy that runs listens to it; " +
				"weighted_round_robin does", "kind = \"weighted_round_robin\""},
		{"backends: load_report = \"out_of_band\"",
			"kind = \"weighted_round_robin\"", "no backend reports its load (per_call)",
			"enable_oob_load_report = true"},
		{"backends: load_window = \"2s\"", "", "load_report is \"none\"", ""},
		{"backends: min_reporting_interval = \"2s\"", "", "load_report is not \"out_of_band\"", ""},
		{"backends: weight = 3", "", "backends.b.weight has no effect: no policy looks at it",
			"kind = \"ring_hash\"\nrequest_hash_header = \"h\""},
		{"backends: zone_weight = 3", "", "backends.b.zone_weight has no effect: no policy", ""},
		{"backends: path = [\"a\"]", "", "backends.b.path has no effect: no policy has " +
			"children", ""},
		{"network: tcp_user_timeout = true", "", "network.tcp_user_timeout has no effect", ""},
		{"[backoff]\nbase = \"2s\"", "", "backoff has no effect: no attempt to connect fails", ""},
		{"top max_seeds = 7", "", "max_seeds has no effect: there is no precision", ""},
	} {
		t.Run(row.option, func(t *testing.T) {
			text := with(row.rest + "\n" + row.option)
			if said := spoken(t, text); !strings.Contains(said, row.said) {
				t.Errorf("said: %s\nwant it to contain: %s", said, row.said)
			}
			without := with(row.rest)
			if strings.HasPrefix(row.option, callers) {
				without = with(row.rest + "\n" + callers)
			}
			if !reflect.DeepEqual(measuresOf(t, text), measuresOf(t, without)) {
				t.Error("it has an effect: some metrics differ without it")
			}
			if row.remedy == "" {
				return
			}
			_, about, _ := strings.Cut(row.said, ": ")
			if said := spoken(t, with(row.rest+"\n"+row.option+"\n"+row.remedy)); about != "" &&
				strings.Contains(said, about) {
				t.Errorf("with the remedy %s it is said all the same: %s", row.remedy, said)
			}
		})
	}
	if said := spoken(t, plain); said != "" {
		t.Errorf("of an experiment of which all has an effect is said: %s", said)
	}
}
