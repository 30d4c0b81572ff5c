package resolvers_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/resolvers"

	"github.com/cockroachdb/datadriven"
)

// Every resolver has a story, testdata/NAME.txt, of what channels learn:
//
//	static, script ...   a resolver of that kind; its options stand below as in an experiment. The
//	                     answer is what Check has against it, if anything
//	start 5s ...         a channel leaves idle at that moment; the answer is what it learns.
//	                     Meanwhile there may be hints=(10s, 20s) to look again, backends may
//	                     crash=(a/0@30s, a/1@40s), stop after taking leave, and be back likewise;
//	                     cut them off and uncut them, let them refuse and accept connections, be
//	                     mute and unmute, unserve (NOT_SERVING) and recover.
//	                     The story ends after an hour, or until=50s. With dual each backend has
//	                     an IPv6 address, and an IPv4 address after it
//
// The experiment has backends a/0, a/1, a/2 and b/0; an empty list is refused, as by every policy.
// After a change that is meant, -rewrite writes
// the answers anew: read the difference and keep only what you can explain.
func TestStories(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(resolvers.Catalog)) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", name+".txt")
			if found, _ := filepath.Glob(path); found == nil {
				t.Fatalf("resolver %s is in the catalog but has no story %s", name, path)
			}
			var r models.Resolver
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				if d.Cmd == "start" {
					happens := make(map[string][]string)
					for _, a := range d.CmdArgs[1:] {
						happens[a.Key] = a.Vals
					}
					return start(t, r, d.CmdArgs[0].Key, happens)
				}
				r = read(t, d.Cmd, d.Input)
				if err := r.Check(experiment); err != nil {
					return "error: " + err.Error()
				}
				return ""
			})
		})
	}
}

func TestEveryStoryIsOfAResolver(t *testing.T) {
	stories, _ := filepath.Glob("testdata/*.txt")
	for _, path := range stories {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		if resolvers.Catalog[name] == nil {
			t.Errorf("%s tells of %s, which is not in the catalog", path, name)
		}
	}
}

// A list that was left empty is one without backends; only Static says nil, which stands for all.
func TestScriptNeverMeansAll(t *testing.T) {
	got := start(t, resolvers.Script{At: map[string][]string{"0s": nil, "1s": {}}}, "0s", nil)
	if want := "at 0s: []\nat 1s: []"; got != want {
		t.Errorf("empty lists: reported\n%s\nwant\n%s", got, want)
	}
}

// long is more than a registry's times may be.
const long = time.Duration(365*24*time.Hour + 1)

// push is the ordinary one after a change.
func push(change func(p *resolvers.Push)) models.Resolver {
	p := resolvers.Catalog["push"].(resolvers.Push)
	change(&p)
	return p
}

func TestCheckRefuses(t *testing.T) {
	inTable := map[reflect.Type]bool{}
	for _, row := range []struct {
		resolver models.Resolver
		want     string
	}{
		{resolvers.Static{Backends: []string{"c"}},
			`backends: unknown backend group "c"; did you mean a? (have a, b)`},
		{resolvers.Static{Backends: []string{"a/3"}},
			`backends: "a/3": there is no a/3: group a has 3, numbered from 0`},
		{resolvers.Static{Backends: []string{"a", "a/0"}},
			`backends: "a/0" names backend a/0 a second time`},
		{resolvers.Script{}, `at: must name at least one moment, such as "0s" = ["fast"]`},
		{resolvers.Script{At: map[string][]string{"0s": {"a"}, "5": {"b"}}},
			`at: missing unit in "5" (write for instance 5ms)`},
		{resolvers.Script{At: map[string][]string{"-1s": {"b"}}},
			`at: must not be negative (is -1s)`},
		{resolvers.Script{At: map[string][]string{"soon": {"b"}}},
			`at: "soon" is no duration (write for instance 200us, 10ms or 1.5s)`},
		{resolvers.Script{At: map[string][]string{"60s": {"a"}, "1m": {"b"}}},
			`at: 1m0s stands there twice`},
		{resolvers.Script{At: map[string][]string{"0s": {"a"}, "90s": {"a/0", "c"}}},
			`at: 1m30s: unknown backend group "c"; did you mean a? (have a, b)`},
		{resolvers.Passthrough{Backend: "c/0"},
			`backend: unknown backend group "c"; did you mean a? (have a, b)`},
		{resolvers.DNS{}, `lookup: needs a time, such as "5ms"`},
		{resolvers.DNS{Errors: map[string]time.Duration{"x": 1}},
			`errors: "x" is no duration (write for instance 200us, 10ms or 1.5s)`},
		{resolvers.Etcd{}, `lease: must be at least 2s (is 0s)`},
		{resolvers.Etcd{Lease: long}, `lease: must be at most 8760h0m0s (is 8760h0m0.000000001s)`},
		{resolvers.Consul{}, `check: unknown check "" (have grpc, http, tcp, ttl)`},
		{resolvers.Consul{By: "htp"},
			`check: unknown check "htp"; did you mean http? (have grpc, http, tcp, ttl)`},
		{resolvers.Consul{By: "tcp"}, `check_interval: must be longer than 0s`},
		{resolvers.Consul{By: "tcp", Interval: 1}, `check_timeout: must be longer than 0s`},
		{resolvers.Consul{By: "tcp", Interval: 1, Timeout: 1},
			`lookup: needs a time, such as "5ms"`},
		{push(func(p *resolvers.Push) { p.Delay = nil }), `delay: needs a time, such as "5ms"`},
		{push(func(p *resolvers.Push) { p.Source = "etcd" }),
			`source: unknown source "etcd" (have kubernetes, none)`},
		{push(func(p *resolvers.Push) { p.Readiness = "ttl" }),
			`readiness: unknown check "ttl"; did you mean http? (have grpc, http, tcp, none)`},
		{push(func(p *resolvers.Push) { p.ReadinessPeriod = 0 }),
			`readiness_period: must be longer than 0s`},
		{push(func(p *resolvers.Push) { p.NodeGrace = 10 * time.Second }),
			`node_grace: must be longer than 10s, in which a node gives its next sign (is 10s)`},
		{resolvers.Nacos{}, `beat: must be longer than 0s`},
		{resolvers.Nacos{Beat: 1}, `unhealthy_after: must be longer than beat, 1ns (is 0s)`},
		{resolvers.Nacos{Beat: 1, Unhealthy: 2, Delete: 3,
			Disabled: map[string][]string{"1s": {"c"}}},
			`disabled: 1s: unknown backend group "c"; did you mean a? (have a, b)`},
	} {
		inTable[reflect.TypeOf(row.resolver)] = true
		if err := row.resolver.Check(experiment); err == nil || err.Error() != row.want {
			t.Errorf("%T%v: error %v, want %s", row.resolver, row.resolver, err, row.want)
		}
	}
	if err := (resolvers.Passthrough{Backend: "two"}).Check(dualStack); err == nil ||
		!strings.HasPrefix(err.Error(), `backend: must have a single address ("two" has 2`) {
		t.Errorf("passthrough of a backend with two addresses: error %v", err)
	}
	for name, r := range resolvers.Catalog {
		story, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		if !inTable[reflect.TypeOf(r)] && !bytes.Contains(story, []byte("\nerror: ")) {
			t.Errorf("%s: neither this table nor the story has what Check refuses", name)
		}
	}
}
