package experiments_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/runner"
)

// swept is an experiment of many parts, which a sweep can change.
const swept = `# What changes?
duration = "2s"
seeds = 2
baseline = "a"
[clients.c]
rate = "10/s"
[clients.d]
callers = 2
think = "1s"
[backends.b]
count = 3
service = "1ms"
[resolver]
kind = "static"
backends = ["b"]
[failures.f]
kind = "crash"
backends = ["b/0"]
from = "1s"
[policies.a]
kind = "random"
[policies.z]
kind = "outlier_detection"
child = { kind = "ring_hash", min_ring_size = 10 }
`

// sweeps are keys that may be swept, with values that are valid for each.
var sweeps = [][2]string{
	{"duration", `"1s", "1500s"`},
	{"bin", `"100ms", "1s"`},
	{"warmup", `"auto", "1ms", "100ms"`},
	{"service_config", `'{"loadBalancingConfig": [{"pick_first": {}}]}', '{}'`},
	{"clients", `{ z = { rate = "5/s" }, c = { callers = 1, think = "1s" } }, ` +
		`{ c = { rate = "5/s" } }`},
	{"clients.c", `{ rate = "7/s", count = 2 }, { callers = 3, think = "1s" }`},
	{"clients.new", `{ rate = "7/s" }, { rate = "8/s" }`},
	{"clients.d.callers", `1, 2, 3`},
	{"clients.c.rate", `"10/s", "20/s"`},
	{"backends.b.count", `3, 4`},
	{"backends.b.speed", `1, 2.5, 1.5`},
	{"backends.b.service", `"2ms", "exp(mean=1ms)"`},
	{"backends.b.queue", `0, "unbounded", 7`},
	{"network.delay", `"1ms", "0s"`},
	{"backoff.base", `"1s", "2s"`},
	{"resolver", `{ kind = "dns" }, { kind = "push", backends = ["b/1"] }`},
	{"resolver.kind", `"static", "push", "etcd"`},
	{"resolver.target", `"static:///b/1", "static:///b/0,b/1"`},
	{"resolver.backends", `["b/0"], ["b/1", "b/0"]`},
	{"failures.f.kind", `"crash", "mute", "refuse"`},
	{"failures.f", `{ kind = "slow", backends = ["b"], factor = 3 }, ` +
		`{ kind = "stop", backends = ["b"] }`},
	{"failures", `{}, { g = { kind = "slow", backends = ["b"], factor = 3 } }`},
	{"failures.new", `{ kind = "mute", backends = ["b"] }`},
	{"policies.a.kind", `"random", "round_robin", "least_request", "ring_hash"`},
	{"policies.a", `{ kind = "random" }, { kind = "least_request", choice_count = 3 }`},
	{"policies", `{ a = { kind = "random" }, z = { kind = "pick_first" } }`},
	{"policies.z.child.kind", `"ring_hash"`},
	{"policies.z.child", `"random", { kind = "ring_hash" }`},
	{"policies.z.interval", `"1s", "2s"`},
}

// The resolved file of a sweep loads, and its runs are those of the file: whatever is swept. Of
// those that are drawn more than half are valid; two that disagree (such as the kind and options of
// another) are refused.
func TestResolvedFileOfAnySweepGivesTheSameRuns(t *testing.T) {
	const draws = 250
	rng, valid := rand.New(rand.NewPCG(1, 2)), 0
	for range draws {
		text := swept + "[sweep]\n"
		for _, k := range rng.Perm(len(sweeps))[:1+rng.IntN(2)] {
			values := strings.SplitAfter(sweeps[k][1], ", ")
			if rng.IntN(2) == 0 && !strings.Contains(sweeps[k][1], "{") {
				values = values[:1+rng.IntN(len(values))]
			}
			text += fmt.Sprintf("%q = [%s]\n", sweeps[k][0], strings.Join(values, ""))
		}
		e, err := experiments.Parse("x.toml", []byte(text), experiments.Options{})
		if err != nil {
			continue
		}
		valid++
		again, err := experiments.Parse("x.toml", []byte(e.Resolved()), experiments.Options{})
		if err != nil {
			t.Errorf("%v in\n%s\nof\n%s", err, e.Resolved(), text)
			continue
		}
		plan, planAgain := runner.NewPlan(e), runner.NewPlan(again)
		if again.Resolved() != e.Resolved() || planAgain.Runs() != plan.Runs() {
			t.Errorf("becomes %d runs and\n%s\nfrom %d and\n%s", planAgain.Runs(), again.Resolved(),
				plan.Runs(), e.Resolved())
			continue
		}
		chosen := rng.IntN(plan.Runs()) // which takes time
		for i := range plan.Runs() {
			a, b := plan.Variant(i), planAgain.Variant(i)
			if !slices.Equal(a.Point, b.Point) || a.Policy != b.Policy || a.Seed != b.Seed ||
				a.Config.Bin != b.Config.Bin || a.Config.Warmup != b.Config.Warmup ||
				i == chosen && runOf(*a).Digest != runOf(*b).Digest {
				t.Fatalf("run %d of %s\n%+v\nbecomes\n%+v", i, text, a, b)
			}
		}
	}
	if valid < draws/2 {
		t.Errorf("%d of %d sweeps are valid, want more than half", valid, draws)
	}
	t.Logf("%d of %d sweeps are valid", valid, draws)
}

func TestSweepsInVainAreRefused(t *testing.T) {
	for _, row := range []struct{ lines, want string }{
		{`seed = [1, 2]`, `sweep.seed: seed cannot be swept: all points are run with the same`},
		{`seeds = [1, 2]`, `sweep.seeds: seeds cannot be swept: all points`},
		{`max_seeds = [1, 2]`, `max_seeds cannot be swept: there is one limit for all points`},
		{`precision = ["p99 ± 1%"]`, `precision cannot be swept: there is one precision`},
		{`baseline = ["a", "z"]`, `baseline cannot be swept: there is one baseline`},
		{`"sweep.duration" = ["1s"]`, `sweep cannot be swept: there is one sweep`},
		{`sweep = [{}]`, `sweep cannot be swept`},
		{`"clients.c.rate" = ["300/s", "200/s", "300/s"]`, `x.toml:26: sweep."clients.c.rate": ` +
			`lists 300/s twice: each value makes a point of its own`},
		{`"backends.b.speed" = [1, 1.0]`, `sweep."backends.b.speed": lists 1 twice`},
		{"\"clients.c.rate\" = [\"3/s\"]\n\"clients.\\\"c\\\".rate\" = [\"4/s\"]",
			`cannot be swept beside clients.c.rate: one changes what the other has set`},
		{"clients = [{ c = { rate = \"3/s\" } }]\n\"clients.c.rate\" = [\"4/s\"]",
			`sweep."clients.c.rate": cannot be swept beside clients`},
		{`policies = [{ a = { kind = "random" } }]`, `makes the policies a, where they are a, z`},
		{`"policies.new" = [{ kind = "random" }]`, `makes the policies a, new, z, where they are`},
		{`clients = [{ c = { rate = "3/s" } }, {}]`, `clients: there must be a group of clients`},
	} {
		_, err := experiments.Parse("x.toml", []byte(swept+"[sweep]\n"+row.lines+"\n"),
			experiments.Options{})
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", row.lines, err, row.want)
		}
	}
}

// Groups that only a value of the sweep has take part, and those that it lacks do not.
func TestSweptTablesAreHonoured(t *testing.T) {
	e, err := experiments.Load(fileOf(t, swept+`[sweep]
clients = [{ z = { rate = "1000/s" }, c = { rate = "10/s" } }, { d = { callers = 1 } }]
`), experiments.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]string{0: "c z", runner.NewPlan(e).Runs() - 1: "d"} {
		var got []string
		for _, g := range runner.NewPlan(e).Variant(i).Config.Clients {
			got = append(got, g.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("run %d has the clients %q, want %s", i, got, want)
		}
	}
}

// A resolver whose kind is swept, by itself or by its target, is resolved to what the file gives.
func TestSweptKindsAreResolved(t *testing.T) {
	for _, row := range []string{
		"[resolver]\nkind = \"static\"\n[sweep]\n\"resolver.kind\" = [\"static\", \"dns\"]\n",
		"[sweep]\n\"resolver.kind\" = [\"dns\", \"static\"]\n",
		"[resolver]\ntarget = \"dns:///b\"\n" +
			"[sweep]\n\"resolver.target\" = [\"dns:///b\", \"static:///b\"]\n",
		"[sweep]\n\"policies.random.kind\" = [\"random\", \"ring_hash\", \"least_request\"]\n",
		"[policies.l]\nkind = \"least_request\"\n[sweep]\n\"policies.l.kind\" = [\"random\"]\n",
	} {
		e, err := experiments.Parse("x.toml", []byte(small+row), experiments.Options{})
		if err != nil {
			t.Errorf("%s: %v", row, err)
			continue
		}
		again, err := experiments.Parse("x.toml", []byte(e.Resolved()), experiments.Options{})
		if err != nil {
			t.Errorf("%s:\n%v in\n%s", row, err, e.Resolved())
			continue
		}
		plan, planAgain := runner.NewPlan(e), runner.NewPlan(again)
		for i := range plan.Runs() {
			if a, b := runOf(*plan.Variant(i)), runOf(*planAgain.Variant(i)); a.Digest != b.Digest {
				t.Errorf("%s: run %d is another from the resolved file", row, i)
			}
		}
	}
}
