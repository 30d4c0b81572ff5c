package experiments_test

import (
	"strings"
	"testing"
)

// The step of the series is a second, or what the file says, but a run has no more than a thousand
// unless it asks for them.
func TestDefaultBin(t *testing.T) {
	for _, row := range []struct{ set, want string }{
		{"duration=20s", `bin = "1s"`},
		{"duration=1000s", `bin = "1s"`},
		{"duration=2500s", `bin = "2.5s"`},
		{"duration=2500000000001ns", `bin = "2.500000001s"`},
		{"bin=2s", `bin = "2s"`},
	} {
		text := string(results(t, load(t, good, row.set), 1)["config.resolved.toml"])
		if !strings.Contains(text, "\n"+row.want+"\n") {
			t.Errorf("%s: want %s in\n%s", row.set, row.want, text)
		}
	}
}
