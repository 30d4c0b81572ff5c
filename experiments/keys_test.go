package experiments_test

import (
	"os"
	"strings"
	"testing"

	"lbsim/experiments"
)

func TestWrongKeysSayWhatWouldBeRight(t *testing.T) {
	const timeout = "timeout = \"1s\"\n\n[backends.fast]"
	for _, row := range []struct{ lines, want string }{
		{"key = \"uniform(n=10)\"",
			`my.toml:9: clients.web.key: needs a key_header, such as "x-session", beside it`},
		{"key_header = \"x-session\"",
			`my.toml:9: clients.web.key_header: needs a key, such as "uniform(n=1000)", beside it`},
		{"key = \"uniform(n=10)\"\nkey_header = \"x session\"",
			`my.toml:10: clients.web.key_header: must be of a-z, 0-9, '-', '_' and '.' (is "x se`},
		{"key = \"uniform(n=10)\"\nkey_header = \"x-bin\"",
			`my.toml:10: clients.web.key_header: must not end with -bin (is "x-bin")`},
		{"key = \"uniform(n=0)\"\nkey_header = \"x\"",
			`my.toml:9: clients.web.key: uniform: n must be a whole number from 1 to 1000000000`},
		{"key = \"unifrm(n=9)\"\nkey_header = \"x\"",
			`my.toml:9: clients.web.key: unknown key "unifrm"; did you mean uniform?`},
		{"key = 7\nkey_header = \"x\"",
			`my.toml:9: clients.web.key: must be a key, such as "client"`},
		{"key = [7]\nkey_header = \"x\"", `my.toml:9: clients.web.key: must be a key`},
	} {
		text := strings.Replace(good, timeout, row.lines+"\n\n[backends.fast]", 1)
		if text == good {
			t.Fatal("the good experiment has another form")
		}
		path := write(t, map[string]string{"my.toml": text})
		if _, err := experiments.Load(path, experiments.Options{}); err == nil ||
			!strings.Contains(err.Error(), row.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", row.lines, err, row.want)
		}
	}
}

// The options of ring_hash and random_subsetting, and where they are wrong.
func TestWrongRingsAndSubsets(t *testing.T) {
	for _, row := range []struct{ lines, want string }{
		{"kind = \"ring_hash\"\nmin_ring_size = 5\nmax_ring_size = 4", "my.toml:28: policies.p2c." +
			"min_ring_size: must not be greater than max_ring_size, 4 (is 5)"},
		{"kind = \"ring_hash\"\nmax_ring_size = 8388609", "my.toml:28: policies.p2c." +
			"max_ring_size: must be at most 8388608 (is 8388609)"},
		{"kind = \"ring_hash\"\nrequest_hash_header = \"x-bin\"", "my.toml:28: policies.p2c." +
			`request_hash_header: must not end with -bin (is "x-bin")`},
		{"kind = \"random_subsetting\"\nchild = \"random\"",
			"policies.p2c.subset_size: must be greater than 0"},
		{"kind = \"random_subsetting\"\nsubset_size = 3",
			"policies.p2c.child: must be specified, such as \"round_robin\""},
		{"kind = \"random_subsetting\"\nsubset_size = 3\nchild = \"randm\"",
			"my.toml:29: policies.p2c.child.kind: unknown kind \"randm\""},
	} {
		text := strings.Replace(good, "kind         = \"least_request\"\nchoice_count = 2",
			row.lines, 1)
		path := write(t, map[string]string{"my.toml": text})
		if _, err := experiments.Load(path, experiments.Options{}); err == nil ||
			!strings.Contains(err.Error(), row.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", row.lines, err, row.want)
		}
	}
}

// What was run with keys, a ring and subsets can be run again from what is written of it.
func TestKeysAndPoliciesOfPoliciesAreResolved(t *testing.T) {
	text := strings.NewReplacer(
		"timeout = \"1s\"", "key = \"zipf(n=9, s=1)\"\nkey_header = \"x-key\"",
		"kind         = \"least_request\"\nchoice_count = 2", `kind = "random_subsetting"
subset_size = 3
child = { kind = "ring_hash", request_hash_header = "x-key" }`).Replace(good)
	path := write(t, map[string]string{"my.toml": text})
	first, err := experiments.Load(path, experiments.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(first.Resolved()), 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := experiments.Load(path, experiments.Options{})
	if err != nil || again.Resolved() != first.Resolved() {
		t.Errorf("%v: read again\n%s\nbecomes\n%s", err, first.Resolved(), again.Resolved())
	}
	for _, line := range []string{
		`key = "zipf(n=9, s=1)"`, `request_hash_header = "x-key"`, `min_ring_size = 1024`,
	} {
		if !strings.Contains(first.Resolved(), line) {
			t.Errorf("%s is not in\n%s", line, first.Resolved())
		}
	}
}
