package experiments_test

import (
	"slices"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/analysis"
	"lbsim/experiments/config/findings"
	"lbsim/experiments/runner"
)

// What lies outside of the run, within the warm-up, or concerns backends of which no client learns,
// is reported before the run and after.
func TestWhatHasNoEffectIsReported(t *testing.T) {
	failure := func(window string) string {
		return "[failures.f]\nkind = \"crash\"\nbackends = [\"b\"]\n" + window + "\n"
	}
	script := "[resolver]\nkind = \"script\"\n"
	for _, row := range []findingRow{
		{"begins in time", failure(`from = "9.9s"`), ""},
		{"begins at the end", failure(`from = "10s"`),
			"failures.f has no effect: it begins at 10s, and the run ends at 10s"},
		{"begins later", failure("from = \"1m\"\nto = \"2m\""),
			"failures.f has no effect: it begins at 1m0s, and the run ends at 10s"},
		{"is over with the warm-up", failure("from = \"1s\"\nto = \"2s\""),
			"failures.f is over at 2s, within the warm-up, which ends at 2s: at most what it " +
				"leaves behind is measured"},
		{"is over later", failure("from = \"1s\"\nto = \"2.1s\""), ""},
		{"never listed", failure("") + "[resolver]\nkind = \"static\"\nbackends = [\"b/0-6\"]\n",
			"failures.f has no effect on b/7: the resolver lists it at no time"},
		{"never listed by a script", failure("") + script +
			"at = { \"0s\" = [\"b/0\"], \"1s\" = [\"b/4\"] }\n",
			"failures.f has no effect on b/1, b/2, b/3, b/5 and 2 more: the resolver lists them " +
				"at no time"},
		{"listed at last", failure("") + script +
			"at = { \"0s\" = [\"b/0\"], \"1s\" = [\"b\"] }\n", ""},
		{"no port", "[resolver]\ntarget = \"orders\"\n",
			"resolver: a target without a port is one of port 443 for gRPC, where no backend " +
				"listens: all attempts to connect are refused; write the port, as in " +
				"\"dns:///orders:50051\""},
		{"behind a balancer", failure("") + "[resolver]\nkind = \"etcd\"\nbackends = [\"b/0\"]\n" +
			"[l4.vip]\nbackends = [\"b\"]\n", ""},
		{"named by a policy", failure("") + "[resolver]\nkind = \"push\"\nbackends = [\"b/0\"]\n" +
			"[policies.lb]\nkind = \"grpclb\"\n" +
			"balancer = { \"0s\" = [\"b/0-6\", \"b/0\", \"b/7\"] }\n", ""},
		{"one address", failure("") + "[resolver]\nkind = \"passthrough\"\nbackend = \"b/0\"\n",
			"failures.f has no effect on b/1, b/2, b/3, b/4 and 3 more: the resolver lists them " +
				"at no time"},
		{"a late list", script + "at = { \"0s\" = [\"b\"], \"20s\" = [\"b/0\"], \"1m\" = [] }\n",
			"resolver.at at 20s has no effect: the run ends at 10s"},
		{"a late record", "[resolver]\nkind = \"dns\"\n[resolver.txt]\n\"10s\" = ''\n" +
			"[resolver.records]\n\"0s\" = [\"b\"]\n" +
			"[resolver.errors]\n\"9s\" = \"20s\"\n\"30s\" = \"40s\"\n",
			"resolver.txt at 10s has no effect: the run ends at 10s\n" +
				"resolver.errors at 30s has no effect: the run ends at 10s"},
		{"late switches", "[resolver]\nkind = \"nacos\"\n" +
			"[resolver.weights]\n\"10s\" = { b = 2.0 }\n" +
			"[resolver.disabled]\n\"9s\" = [\"b/0\"]\n",
			"resolver.weights at 10s has no effect: the run ends at 10s"},
		{"a late list of a balancer",
			"[policies.lb]\nkind = \"grpclb\"\nbalancer = { \"11s\" = [\"b\"] }\n",
			"policies.lb.balancer at 11s has no effect: the run ends at 10s"},
		{"at some points", failure(`from = "1s"`) +
			"[sweep]\n\"failures.f.from\" = [\"1s\", \"11s\"]\n",
			"failures.f has no effect: it begins at 11s, and the run ends at 10s (at 1 of 2 " +
				"points of the sweep, first at failures.f.from = 11s)"},
	} {
		row.play(t)
	}
}

// Options that count for nothing beside the others are reported, and NOT_SERVING where nobody asks.
func TestIdleOptionsAreReported(t *testing.T) {
	for _, row := range []findingRow{
		{"nobody asks", "[failures.f]\nkind = \"unhealthy\"\nbackends = [\"b\"]\n",
			"failures.f has no effect: nobody asks backends for their health; a service_config " +
				"with a healthCheckConfig does, and so do resolvers that check by grpc"},
		{"a registry asks", "[failures.f]\nkind = \"unhealthy\"\nbackends = [\"b\"]\n" +
			"[resolver]\nkind = \"push\"\n", ""},
		{"clients ask", "[failures.f]\nkind = \"unhealthy\"\nbackends = [\"b\"]\n" +
			"[resolver]\nkind = \"dns\"\n[resolver.txt]\n\"1s\" = ''\n", ""},
		{"a timeout of nothing", "[resolver]\nkind = \"consul\"\ncheck = \"ttl\"\n" +
			"check_timeout = \"1s\"\n",
			"resolver.check_timeout has no effect beside the other options"},
		{"a timeout", "[resolver]\nkind = \"consul\"\ncheck_timeout = \"1s\"\n", ""},
		{"a source of nothing", "[resolver]\nkind = \"push\"\nsource = \"none\"\n" +
			"readiness = \"tcp\"\nreadiness_period = \"1s\"\nnode_grace = \"20s\"\n",
			"resolver.readiness has no effect beside the other options\n" +
				"resolver.readiness_period has no effect beside the other options\n" +
				"resolver.node_grace has no effect beside the other options"},
		{"deleted late", "[resolver]\nkind = \"nacos\"\ndelete_after = \"1m\"\n", ""},
		{"deleted too late", "[resolver]\nkind = \"nacos\"\nhealthy_only = true\n" +
			"delete_after = \"1m\"\n",
			"resolver.delete_after has no effect beside the other options"},
	} {
		row.play(t)
	}
}

// findingRow is what an experiment has beside the usual, and its findings.
type findingRow struct{ what, more, want string }

func (row findingRow) play(t *testing.T) {
	t.Helper()
	const base = `duration = "10s"
warmup = "2s"
[clients.c]
rate = "1/s"
[backends.b]
count = 8
service = "1ms"
[policies.pick_first]
`
	e, err := experiments.Parse("x.toml", []byte(base+row.more), experiments.Options{})
	if err != nil {
		t.Errorf("%s: %v", row.what, err)
		return
	}
	var got []string
	everywhere, somewhere := findings.Of(e, nil)
	for _, w := range append(everywhere, somewhere...) {
		got = append(got, w.Text)
	}
	if got := strings.Join(got, "\n"); got != row.want {
		t.Errorf("%s: got\n%s\nwant\n%s", row.what, got, row.want)
	}
	var s experiments.Summary
	s.WarnFirst(append(everywhere, somewhere...))
	warned := slices.ContainsFunc(s.Warnings, func(w experiments.Warning) bool {
		return w.Kind == analysis.NoEffect || w.Kind == analysis.Fails
	})
	if warned != (row.want != "") {
		t.Errorf("%s: warnings %v", row.what, s.Warnings)
	}
}

// Backends that a policy names are those of the experiment, by name.
func TestPoliciesThatNameBackends(t *testing.T) {
	const base = "duration = \"5s\"\n[clients.c]\nrate = \"100/s\"\narrivals = \"even\"\n" +
		"[backends.b]\ncount = 3\nservice = \"1ms\"\n" +
		"[resolver]\nkind = \"static\"\nbackends = [\"b/0\"]\n" +
		"[policies.lb]\nkind = \"grpclb\"\n"
	for _, row := range []struct{ list, want string }{
		{`"b/3"`, `x.toml:13: policies.lb.balancer: "b/3": there is no b/3: group b has 3, ` +
			`numbered from 0`},
		{`"c"`, `x.toml:13: policies.lb.balancer: unknown backend group "c"; did you mean b? ` +
			`(have b)`},
		{`"10.0.0.1:80"`, `x.toml:13: policies.lb.balancer: "10.0.0.1:80": name a backend, ` +
			`such as "b/0", for backends have no fixed addresses`},
	} {
		_, err := experiments.Load(fileOf(t, base+"balancer = { \"0s\" = ["+row.list+"] }\n"),
			experiments.Options{})
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: error %v, want %s", row.list, err, row.want)
		}
	}
	// Each entry has its turn, so b/2 gets a third. The resolver lists none of them.
	e, err := experiments.Load(fileOf(t, base+"balancer = { \"0s\" = [\"b/1-2\", \"b/1\"] }\n"),
		experiments.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := runOf(*runner.NewPlan(e).Variant(0)).Backends
	if a, b, c := got[0].Attempts, got[1].Attempts, got[2].Attempts; a != 0 || b+c < 499 ||
		b < 2*c-2 || b > 2*c+2 {
		t.Errorf("of 500 RPCs the backends get %d, %d, %d, want 0, 333, 167", a, b, c)
	}
}
