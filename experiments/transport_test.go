package experiments_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbsim/experiments"
)

// connections is an experiment that says all that can be said about connections.
const connections = `
duration = "2s"
[clients.c]
rate = "10/s"
idle_timeout = "10m"
keepalive_time = "30s"
keepalive_timeout = "15s"
keepalive_permit_without_stream = true
[backends.b]
service = "constant(1ms)"
connect_cost = "exponential(mean=5ms)"
max_connection_age = "10m"
max_connection_age_grace = "5s"
max_connection_age_jitter = 0.05
max_connection_idle = "1h"
goaway_chance = 0.001
max_concurrent_streams = 250
ping_min_time = "10s"
ping_permit_without_stream = true
[l4.vip]
backends = ["b"]
choice = "least_connections"
[network]
delay = "constant(1ms)"
tcp_give_up = "1m"
tcp_user_timeout = true
[backoff]
base = "500ms"
multiplier = 2.0
jitter = 0.1
max = "10s"
min_connect_timeout = "5s"
[failures.cut]
kind = "blackhole"
backends = ["b"]
from = "1s"
to = "1.1s"
[failures.mute]
backends = ["b"]
[failures.stop]
backends = ["b"]
from = "1.5s"
[policies.pick_first]
`

func loadText(t *testing.T, text string) (*experiments.Experiment, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "my.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return experiments.Load(path, experiments.Options{})
}

// What is said about connections stands in the resolved experiment, and what is not said stands
// there as in grpc-go v1.85.0 and Linux.
func TestConnectionKeys(t *testing.T) {
	full, err := loadText(t, connections)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(connections) {
		if _, _, says := strings.Cut(line, "= "); says && !strings.Contains(full.Resolved(), line) {
			t.Errorf("the resolved experiment lacks %s", line)
		}
	}
	bare, err := loadText(t, "[clients.c]\nrate = \"1/s\"\n[backends.b]\nservice = \"1ms\"\n"+
		"[policies.pick_first]\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`idle_timeout = "30m"`, `keepalive_time = "0s"`, `keepalive_timeout = "20s"`,
		`keepalive_permit_without_stream = false`, `max_connection_age = "0s"`,
		`max_connection_age_grace = "0s"`, `max_connection_age_jitter = 0.1`,
		`max_connection_idle = "0s"`, `goaway_chance = 0.0`, `max_concurrent_streams = 0`,
		`ping_min_time = "5m"`,
		`ping_permit_without_stream = false`, `tcp_give_up = "15m24.6s"`,
		`tcp_user_timeout = false`,
		"[backoff]\nbase = \"1s\"\nmultiplier = 1.6\njitter = 0.2\nmax = \"2m\"\n" +
			`min_connect_timeout = "20s"`,
	} {
		if !strings.Contains(bare.Resolved(), want+"\n") {
			t.Errorf("left out: the resolved experiment lacks %s", want)
		}
	}
}

func TestConnectionKeysAreChecked(t *testing.T) {
	for _, row := range []struct{ old, new, want string }{
		{`keepalive_timeout = "15s"`, `keepalive_timeout = "0s"`,
			`my.toml:7: clients.c.keepalive_timeout: must be longer than 0s`},
		{`jitter = 0.05`, `jitter = 1.5`,
			`my.toml:14: backends.b.max_connection_age_jitter: must be from 0 to 1 (is 1.5)`},
		{`max_connection_age = "10m"`, `max_connection_age = "0s"`,
			`my.toml:13: backends.b.max_connection_age_grace: needs a max_connection_age, such`},
		{`goaway_chance = 0.001`, `goaway_chance = 1.001`,
			`my.toml:16: backends.b.goaway_chance: must be from 0 to 1 (is 1.001)`},
		{`goaway_chance = 0.001`, `goaway_chance = -0.001`,
			`my.toml:16: backends.b.goaway_chance: must be from 0 to 1 (is -0.001)`},
		{`streams = 250`, `streams = -1`,
			`my.toml:17: backends.b.max_concurrent_streams: must be from 1 to 1000000, or 0 for`},
		{`ping_min_time = "10s"`, `ping_min_time = 10`,
			`my.toml:18: backends.b.ping_min_time: missing unit in "10"`},
		{`tcp_give_up`, `tcp_giveup`,
			`my.toml:25: network.tcp_giveup: unknown key; did you mean tcp_give_up?`},
		{`base = "500ms"`, `base = "0s"`, `my.toml:28: backoff.base: must be longer than 0s`},
		{`multiplier = 2.0`, `multiplier = 0.5`,
			`my.toml:29: backoff.multiplier: must be from 1 to 1e6 (is 0.5)`},
		{`jitter = 0.1`, `jitter = -0.1`,
			`my.toml:30: backoff.jitter: must be from 0 to 1 (is -0.1)`},
		{`max = "10s"`, `max = "100ms"`,
			`my.toml:31: backoff.max: must be at least base, 500ms (is 100ms)`},
	} {
		text := strings.Replace(connections, row.old, row.new, 1)
		_, err := loadText(t, text)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: error %v, want %s", row.new, err, row.want)
		}
	}
}

func TestL4TablesAreChecked(t *testing.T) {
	const good = `
[clients.c]
rate = "10/s"
[backends.a]
count = 3
service = "1ms"
[backends.b]
service = "1ms"
[l4.one]
backends = ["a/0-1"]
[l4.two]
backends = ["a/2", "b"]
choice = "round_robin"
[policies.pick_first]
`
	e, err := loadText(t, good)
	if err != nil {
		t.Fatal(err)
	}
	want := "[l4.one]\nbackends = [\"a/0-1\"]\nchoice = \"random\"\n\n" +
		"[l4.two]\nbackends = [\"a/2\", \"b\"]\nchoice = \"round_robin\"\n"
	if !strings.Contains(e.Resolved(), want) {
		t.Errorf("the resolved experiment lacks %s:\n%s", want, e.Resolved())
	}
	for _, row := range []struct{ old, new, want string }{
		{`["a/2", "b"]`, `["a/2", "bb"]`,
			`my.toml:12: l4.two.backends: unknown backend group "bb"; did you mean b? (have a, b)`},
		{`["a/2", "b"]`, `["a/2", "a"]`,
			`my.toml:12: l4.two.backends: "a" names backend a/2 a second time`},
		{`["a/2", "b"]`, `["b", "a/1-2"]`,
			`my.toml:12: l4.two.backends: a/1 is behind "one" already: a backend has one address`},
		{`["a/2", "b"]`, `["a/3"]`,
			`my.toml:12: l4.two.backends: "a/3": there is no a/3: group a has 3`},
		{`["a/2", "b"]`, `[]`,
			`my.toml:12: l4.two.backends: must name at least one, such as ["api"]`},
		{`backends = ["a/2", "b"]`, ``,
			`my.toml:11: l4.two.backends: must name at least one, such as ["api"]`},
		{`["a/2", "b"]`, `"b"`,
			`my.toml:12: l4.two.backends: must be a list in brackets (is the text "b")`},
		{`"round_robin"`, `"round_robbin"`, `my.toml:13: l4.two.choice: ` +
			`unknown choice "round_robbin"; did you mean round_robin? (have random, round_r`},
		{`choice =`, `chioce =`,
			`my.toml:13: l4.two.chioce: unknown key; did you mean choice? (have backends, choice)`},
		{`[l4.two]
`, `[[l4.two]]
`, `my.toml:11: l4.two: must be a table (is a list of tables; name them [l4.two.NAME])`},
	} {
		_, err := loadText(t, strings.Replace(good, row.old, row.new, 1))
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s:\n got %v\nwant %s", row.new, err, row.want)
		}
	}
}
