package failures_test

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/failures"
	"lbsim/models/record"
	"lbsim/models/resolvers"
	"lbsim/options"
	"lbsim/policies"

	"github.com/BurntSushi/toml"
	"github.com/cockroachdb/datadriven"
)

// Every failure has a story, testdata/NAME.txt, of worlds in which it strikes:
//
//	world                a new world of two groups, with one failure after the other added by
//	world health         the same with a client that checks health
//	world dual           the same with an IPv6 and an IPv4 address of each backend
//	slow, crash ...      a failure of its kind; the options stand below as in an experiment. The
//	                     answer is when it strikes, or what Check has against it
//	run 5s               the world from its beginning to that moment, second by second: RPCs that
//	                     ended, how many of them failed, median latency, and how many requests
//	                     each backend held
//
// After a change that is meant, -rewrite writes the answers anew: read the difference and keep only
// what you can explain.
func TestStories(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(failures.Catalog)) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", name+".txt")
			if found, _ := filepath.Glob(path); found == nil {
				t.Fatalf("failure %s is in the catalog but has no story %s", name, path)
			}
			var cfg *models.Config
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				switch d.Cmd {
				case "world":
					cfg = world()
					cfg.Clients[0].HealthCheck = d.HasArg("health")
					if d.HasArg("dual") {
						cfg.Backends[0].Addresses, cfg.Backends[1].Addresses = both, both
					}
					return ""
				case "run":
					return run(t, cfg, d.CmdArgs[0].Key)
				}
				return add(t, cfg, d.Cmd, d.Input)
			})
		})
	}
}

// both are the labels of a backend that is reached by IPv6 and IPv4.
var both = labels("ipv6", "ipv4")

func labels(texts ...string) []models.Label {
	all := make([]models.Label, len(texts))
	for i, text := range texts {
		if err := all[i].UnmarshalText([]byte(text)); err != nil {
			panic(err)
		}
	}
	return all
}

func TestEveryStoryIsOfAFailure(t *testing.T) {
	stories, _ := filepath.Glob("testdata/*.txt")
	for _, path := range stories {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		if failures.Catalog[name] == nil {
			t.Errorf("%s tells of %s, which is not in the catalog", path, name)
		}
	}
}

// world is three backends, a/0, a/1 and b/0, and one client that sends them 300 RPCs a second in
// turn, evenly. A message takes 1ms, the work 5ms, and there are workers enough.
func world() *models.Config {
	group := func(name string, count int) models.BackendGroup {
		return models.BackendGroup{Name: name, Count: count, Workers: 100, Queue: -1,
			Speed: 1, Weight: 1, ZoneWeight: 1,
			Service: dist.Constant(5 * time.Millisecond)}
	}
	return &models.Config{
		Seed: 1, Bin: time.Second,
		Clients: []models.ClientGroup{{
			Name: "c", Count: 1, Rate: 300, Arrivals: models.EvenArrivals,
		}},
		Backends: []models.BackendGroup{group("a", 2), group("b", 1)},
		Network:  models.Network{Delay: dist.Constant(time.Millisecond)},
		Resolver: resolvers.Static{},
		Policy:   policies.RoundRobin{},
	}
}

// add adds a failure, its options read as from an experiment.
func add(t *testing.T, cfg *models.Config, kind, text string) string {
	t.Helper()
	var tree map[string]any
	if _, err := toml.Decode(text, &tree); err != nil {
		t.Fatal(err)
	}
	f, _, err := options.Kind(new(options.Codec), []string{kind}, tree, failures.Catalog)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Check(cfg); err != nil {
		return "error: " + err.Error()
	}
	cfg.Failures = append(cfg.Failures, f)
	from, to := f.Window()
	if to == 0 {
		return fmt.Sprintf("from %v on", from)
	}
	return fmt.Sprintf("from %v to %v", from, to)
}

func run(t *testing.T, cfg *models.Config, until string) string {
	t.Helper()
	var err error
	if cfg.Duration, err = time.ParseDuration(until); err != nil {
		t.Fatal(err)
	}
	w := models.New(cfg)
	w.Run(math.MaxInt)
	var out strings.Builder
	fmt.Fprintf(&out, "%-5s %5s %6s %8s %6s %6s %6s\n", "from", "ended", "failed", "median",
		"a/0", "a/1", "b/0")
	for _, b := range w.Finish().Bins {
		median := "never"
		if b.P50 != record.Never {
			median = b.P50.Round(100 * time.Microsecond).String()
		}
		fmt.Fprintf(&out, "%-5v %5d %6d %8s %6.2f %6.2f %6.2f\n", b.Start, b.Ended, b.Errors,
			median, b.InFlight[0], b.InFlight[1], b.InFlight[2])
	}
	return out.String()
}

func TestCheckRefuses(t *testing.T) {
	a := []string{"a/0"}
	inTable := map[reflect.Type]bool{}
	for _, row := range []struct {
		failure models.Failure
		want    string
	}{
		{failures.Crash{}, `backends: must name at least one, such as ["fast/0"]`},
		{failures.Crash{Backends: []string{"c"}},
			`backends: unknown backend group "c"; did you mean a? (have a, b)`},
		{failures.Crash{Backends: []string{"a/2"}},
			`backends: "a/2": there is no a/2: group a has 2, numbered from 0`},
		{failures.Crash{Backends: []string{"a", "a/1"}},
			`backends: "a/1" names backend a/1 a second time`},
		{failures.Crash{Backends: a, From: 2 * time.Second, To: time.Second},
			`to: must be later than from, 2s (is 1s)`},
		{failures.Crash{Backends: a, From: time.Second, To: time.Second},
			`to: must be later than from, 1s (is 1s)`},
		{failures.Blackhole{}, `backends: must name at least one, such as ["fast/0"]`},
		{failures.Refuse{}, `backends: must name at least one, such as ["fast/0"]`},
		{failures.Refuse{Backends: a, Addresses: labels("ipv4", "ipv4")},
			`addresses: ipv4 stands there twice`},
		{failures.Blackhole{Backends: a, Addresses: labels("ipv6")},
			`addresses: a/0 has no ipv6 (has ipv4)`},
		{failures.Mute{Backends: a, From: time.Second, To: time.Second},
			`to: must be later than from, 1s (is 1s)`},
		{failures.Stop{Backends: []string{"b/1"}},
			`backends: "b/1": there is no b/1: group b has 1, numbered from 0`},
		{failures.Errors{Backends: a, Ratio: 1.5, Code: "INTERNAL"},
			`ratio: must be from 0 to 1 (is 1.5)`},
		{failures.Errors{Backends: a, Ratio: math.NaN(), Code: "INTERNAL"},
			`ratio: must be from 0 to 1 (is NaN)`},
		{failures.Errors{Backends: a, Ratio: 1, Code: "OK"}, `code: must be an error (is OK)`},
		{failures.Errors{Backends: a, Ratio: 1, Code: "unavailable"},
			`code: unknown status "unavailable" (have CANCELLED, UNKNOWN, INVALID_ARGUMENT, ` +
				`DEADLINE_EXCEEDED, NOT_FOUND, ALREADY_EXISTS, PERMISSION_DENIED, ` +
				`RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED, OUT_OF_RANGE, UNIMPLEMENTED, ` +
				`INTERNAL, UNAVAILABLE, DATA_LOSS, UNAUTHENTICATED)`},
		{failures.Errors{Ratio: 1, Code: "INTERNAL"},
			`backends: must name at least one, such as ["fast/0"]`},
		{failures.Unhealthy{}, `backends: must name at least one, such as ["fast/0"]`},
		{failures.Slow{Backends: a}, `factor: must be greater than 0 and at most 1e6 (is 0)`},
		{failures.Slow{Backends: a, Factor: -1},
			`factor: must be greater than 0 and at most 1e6 (is -1)`},
		{failures.Slow{Backends: a, Factor: math.NaN()},
			`factor: must be greater than 0 and at most 1e6 (is NaN)`},
		{failures.Slow{Backends: a, Factor: math.Inf(1)},
			`factor: must be greater than 0 and at most 1e6 (is +Inf)`},
		{failures.Slow{Factor: 2}, `backends: must name at least one, such as ["fast/0"]`},
		{failures.Slow{Backends: a, Factor: 2, From: time.Second, To: time.Second},
			`to: must be later than from, 1s (is 1s)`},
	} {
		inTable[reflect.TypeOf(row.failure)] = true
		if err := row.failure.Check(world()); err == nil || err.Error() != row.want {
			t.Errorf("%T%+v: error %v, want %s", row.failure, row.failure, err, row.want)
		}
	}
	for _, good := range []models.Failure{
		failures.Crash{Backends: a}, // from the beginning to the end
		failures.Crash{Backends: []string{"a/0-1", "b"}, From: time.Second},
		failures.Blackhole{Backends: a},
		failures.Errors{Backends: a, Ratio: 0, Code: "ABORTED"},
		failures.Mute{Backends: []string{"b"}, From: time.Second},
		failures.Refuse{Backends: a, Addresses: labels("ipv4")},
		failures.Stop{Backends: []string{"a", "b/0"}, To: time.Second},
		failures.Slow{Backends: a, Factor: 0.5, From: time.Second, To: 2 * time.Second},
		failures.Unhealthy{Backends: a, To: time.Second},
	} {
		if err := good.Check(world()); err != nil {
			t.Errorf("%T%+v: error %v, want none", good, good, err)
		}
	}
	for name, f := range failures.Catalog {
		story, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		if !inTable[reflect.TypeOf(f)] && !bytes.Contains(story, []byte("\nerror: ")) {
			t.Errorf("%s: neither this table nor the story has what Check refuses", name)
		}
	}
}
