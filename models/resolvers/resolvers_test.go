package resolvers_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/resolvers"
	"lbsim/sim"

	"github.com/BurntSushi/toml"
	"github.com/cockroachdb/datadriven"
)

// Every resolver has a story, testdata/NAME.txt, of what channels are told:
//
//	static, script ...   a resolver of that kind; its options stand below as in an experiment. The
//	                     answer is what Check has against it, if anything
//	start 5s             a channel leaves idle at that moment; the answer is what lists it gets
//
// The experiment has backends a/0, a/1, a/2 and b/0. After a change that is meant, -rewrite writes
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
					return start(t, r, d.CmdArgs[0].Key)
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

var experiment = &models.Config{
	Backends: []models.BackendGroup{{Name: "a", Count: 3}, {Name: "b", Count: 1}},
}

// read makes a resolver, its options read as from an experiment.
func read(t *testing.T, kind, options string) models.Resolver {
	t.Helper()
	prototype, known := resolvers.Catalog[kind]
	if !known {
		t.Fatalf("unknown command or kind %q", kind)
	}
	v := reflect.New(reflect.TypeOf(prototype))
	v.Elem().Set(reflect.ValueOf(prototype))
	if meta, err := toml.Decode(options, v.Interface()); err != nil || len(meta.Undecoded()) > 0 {
		t.Fatal(err, meta.Undecoded())
	}
	return v.Elem().Interface().(models.Resolver)
}

// fakeConn is a channel that writes down what it is told.
type fakeConn struct {
	*sim.Kernel
	told []string
}

func (c *fakeConn) AfterFunc(d time.Duration, f func()) { c.Kernel.AfterFunc(d, f) }

func (c *fakeConn) UpdateState(backends []string) {
	list := fmt.Sprint(backends)
	if backends == nil {
		list = "all backends"
	}
	c.told = append(c.told, fmt.Sprintf("at %v: %s", c.Now(), list))
}

func start(t *testing.T, r models.Resolver, at string) string {
	t.Helper()
	d, err := time.ParseDuration(at)
	if err != nil {
		t.Fatal(err)
	}
	c := &fakeConn{Kernel: sim.New(1)}
	c.AfterFunc(d, func() { r.Start(c) })
	c.Run(sim.Time(time.Hour), 1000)
	if c.told == nil {
		return "nothing"
	}
	return strings.Join(c.told, "\n")
}

// A list that was left empty is one without backends; only Static says nil, which stands for all.
func TestScriptNeverMeansAll(t *testing.T) {
	got := start(t, resolvers.Script{At: map[string][]string{"0s": nil, "1s": {}}}, "0s")
	if want := "at 0s: []\nat 1s: []"; got != want {
		t.Errorf("empty lists: told\n%s\nwant\n%s", got, want)
	}
}

func TestCheckRefuses(t *testing.T) {
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
	} {
		if err := row.resolver.Check(experiment); err == nil || err.Error() != row.want {
			t.Errorf("%T%v: error %v, want %s", row.resolver, row.resolver, err, row.want)
		}
	}
	kinds := slices.Sorted(maps.Keys(resolvers.Catalog))
	if !slices.Equal(kinds, []string{"script", "static"}) {
		t.Errorf("the catalog has %q: this table lacks some", kinds)
	}
}
