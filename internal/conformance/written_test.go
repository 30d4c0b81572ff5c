package conformance

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"lbsim/internal/golden"
)

// played are the tests that have played something on grpc-go.
var played struct {
	sync.Mutex
	names []string
}

func notePlayed(name string) {
	played.Lock()
	defer played.Unlock()
	if !slices.Contains(played.names, name) {
		played.names = append(played.names, name)
	}
}

const page = `# How far lbsim does what grpc-go does

Written by ` + "`go test ./internal/conformance -update`" + `: do not edit. The test fails
where this is not what it has played, and where the sides differ.

%d plays on grpc-go %s, client and server, on a fake clock, and on lbsim. In each, these are the
same on both sides: backend, begin and end of each call, its code and kind of error, the states of
channels and SubConns, attempts to connect; to the nanosecond, but for a few that draw what nobody
can turn off: to the millisecond, or (shares, jitter) as distributions.

| test | plays |
| --- | ---: |
%s
The policies are compared with their originals in grpc-go %[2]s pick by pick by
` + "`go test ./policies/grpcgo -run Lockstep`" + `: a million picks and 2000 random scripts
for each pair of configurations, with the same random numbers, and nothing may differ.
`

// TestPageIsUpToDate is in the last file, so it runs after all others; if some are left out there
// is nothing to compare.
func TestPageIsUpToDate(t *testing.T) {
	for _, name := range []string{"test.run", "test.skip"} {
		if flag.Lookup(name).Value.String() != "" {
			return
		}
	}
	module, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`google\.golang\.org/grpc (v\S+)`).FindSubmatch(module)
	if version == nil {
		t.Fatal("go.mod has no version of grpc-go")
	}
	plays := make(map[string]int)
	for _, name := range played.names {
		test, _, _ := strings.Cut(name, "/")
		plays[test]++
	}
	var rows strings.Builder
	for _, test := range slices.Sorted(maps.Keys(plays)) {
		fmt.Fprintf(&rows, "| %s | %d |\n", spoken(test), plays[test])
	}
	got := fmt.Sprintf(page, len(played.names), version[1], rows.String())
	if kept := golden.Kept(t, "../../docs/conformance.md", []byte(got)); string(kept) != got {
		t.Errorf("docs/conformance.md is not up to date; with -update it would be\n%s", got)
	}
}

// spoken makes a sentence of the name of a test.
func spoken(test string) string {
	parts := regexp.MustCompile(`[A-Z][a-z]*`).FindAllString(test, -1)
	return strings.ToLower(strings.Join(parts[1:], " "))
}
