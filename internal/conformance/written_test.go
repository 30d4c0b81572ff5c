package conformance

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lbsim/internal/compared"
	"lbsim/internal/golden"
)

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

// What each test keeps in testdata is what it has played. This test is in the last file, so it runs
// after all others: if none is left out, nothing may be kept of others.
func TestPageIsUpToDate(t *testing.T) {
	whole := true
	for _, name := range []string{"test.run", "test.skip"} {
		whole = whole && flag.Lookup(name).Value.String() == ""
	}
	module, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`google\.golang\.org/grpc (v\S+)`).FindSubmatch(module)
	if version == nil {
		t.Fatal("go.mod has no version of grpc-go")
	}
	kept, err := compared.In(".")
	if err != nil {
		t.Fatal(err)
	}
	plays, all := make(map[string]int), 0
	for _, k := range kept {
		if whole && !k.Noted() {
			t.Errorf("testdata/compared has %s, which has played nothing", k.Test)
		}
		test, _, _ := strings.Cut(k.Test, "-")
		plays[test] += k.N
		all += k.N
	}
	var rows strings.Builder
	for _, test := range slices.Sorted(maps.Keys(plays)) {
		fmt.Fprintf(&rows, "| %s | %d |\n", spoken(test), plays[test])
	}
	got := fmt.Sprintf(page, all, version[1], rows.String())
	if page := golden.Kept(t, "../../docs/conformance.md", []byte(got)); string(page) != got {
		t.Errorf("docs/conformance.md is not up to date; with -update it would be\n%s", got)
	}
}

// spoken makes a sentence of the name of a test.
func spoken(test string) string {
	parts := regexp.MustCompile(`[A-Z][a-z]*`).FindAllString(test, -1)
	return strings.ToLower(strings.Join(parts[1:], " "))
}
