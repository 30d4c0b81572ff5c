package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The first line sums up the findings; those without effect follow.
func TestCheckHeadlines(t *testing.T) {
	const text = `# Is it right?
duration = "10s"
CONFIG
[clients.web]
rate = "10/s"
[backends.b]
service = "10ms"
[policies.p]
kind = "round_robin"
`
	for _, row := range []struct {
		name, config, policy, first, second string
	}{
		{"valid", "", "round_robin", "my is valid: 1 run: policies p; 1 seeds from 1 on",
			"offered 10/s, capacity 100/s: 10 %\n"},
		{"no effect", "max_seeds = 7", "round_robin",
			"my can be run, but one thing in it has no effect: 1 run",
			"- max_seeds has no effect: there is no precision to reach; set precision"},
		{"three things", "max_seeds = 7", "weighted_round_robin",
			"my can be run, but 3 things in it have no effect: 1 run", "- max_seeds"},
		{"fails", "max_seeds = 7", "ring_hash", "my can be run, but RPCs WILL FAIL: 1 run",
			"- policies.p (request_hash_header): is not given, so all RPCs fail"},
		{"fields without effect come first", `service_config = '{"methodConfig": [{"name": [{}],` +
			`"timeout": "1s"}], "healthCheckConfig": {"serviceName": ""}}'`, "pick_first",
			"my can be run, but one thing in it has no effect: 1 run",
			"- service_config: healthCheckConfig has no effect: no policy that runs (p) listens " +
				"to health: pick_first alone does not\noffered 10/s, capacity 100/s: 10 %\n\n" +
				"service_config, as grpc-go reads it:\n" +
				"  healthCheckConfig.serviceName  no effect"},
	} {
		file := filepath.Join(t.TempDir(), "my.toml")
		content := strings.Replace(text, "CONFIG", row.config, 1)
		content = strings.Replace(content, "round_robin", row.policy, 1)
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := call(t, "check", file)
		first, rest, _ := strings.Cut(stdout, "\n")
		if code != exitDone || !strings.HasPrefix(first, row.first) ||
			!strings.HasPrefix(rest, row.second) || row.second == "" && rest != "" {
			t.Errorf("%s: exit code %d:\n%s%swant:\n%s\n%s", row.name, code, stdout, stderr,
				row.first, row.second)
		}
	}
}
