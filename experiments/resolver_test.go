package experiments_test

import (
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/runner"
	"lbsim/models"
	"lbsim/models/resolvers"
	"lbsim/policies"
)

// resolverFile is an experiment with three backends and this resolver.
func resolverFile(t *testing.T, table string) string {
	t.Helper()
	return fileOf(t, "[clients.c]\nrate = \"1/s\"\n[backends.b]\ncount = 3\nservice = \"1ms\"\n"+
		"[policies.pick_first]\n[resolver]\n"+table)
}

func TestTargetChoosesTheResolver(t *testing.T) {
	for _, row := range []struct {
		table, kind string
		order       models.AddressOrder
	}{
		{`target = "dns:///orders:50051"`, "dns", models.AsGiven},
		{"target = \"orders\"\norder = \"rotated\"", "dns", models.Rotated},
		{"target = \"dns:///10.0.0.1:80\"\nbackend = \"b/1\"", "passthrough", models.AsGiven},
		{"target = \"etcd:///orders\"\nkind = \"etcd\"\nlease = \"9s\"", "etcd", models.AsGiven},
		{"target = \"xds:///orders\"\norder = \"shuffled\"", "push", models.Shuffled},
		{`target = "passthrough:///b/1"`, "passthrough", models.AsGiven},
		{`target = "static:///b/2,b/0"`, "static", models.AsGiven},
		{"kind = \"nacos\"\nweights = { \"1s\" = { \"b/0\" = 0.5 } }", "nacos", models.AsGiven},
		{"kind = \"static\"\norder = \"given\"", "static", models.AsGiven},
	} {
		e, err := experiments.Load(resolverFile(t, row.table), experiments.Options{})
		if err != nil {
			t.Errorf("%s: %v", row.table, err)
			continue
		}
		p := e.Point(0)
		if p.Resolver.Kind != row.kind || p.Config.Order != row.order {
			t.Errorf("%s: kind %s, order %v, want %s, %v",
				row.table, p.Resolver.Kind, p.Config.Order, row.kind, row.order)
		}
		// What was run reads back to the same.
		again, err := experiments.Parse("x.toml", []byte(e.Resolved()), experiments.Options{})
		if err != nil {
			t.Errorf("%s: as it was run: %v\n%s", row.table, err, e.Resolved())
			continue
		}
		if got, want := again.Resolved(), e.Resolved(); got != want {
			t.Errorf("%s: run again:\n%s\nwant:\n%s", row.table, got, want)
		}
	}
	e, err := experiments.Load(resolverFile(t, `target = "static:///b/2,b/0"`),
		experiments.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := e.Point(0).Config.Resolver.(resolvers.Static).Backends
	if strings.Join(got, " ") != "b/2 b/0" {
		t.Errorf("static:///b/2,b/0 lists %q", got)
	}
}

func TestResolverTablesThatAreRefused(t *testing.T) {
	for _, row := range []struct{ table, want string }{
		{`order = "given"`, `resolver.kind: must say which, such as "static" (have consul, dns`},
		{"kind = \"static\"\norder = \"random\"",
			`x.toml:9: resolver.order: unknown order "random" (have given, shuffled, rotated)`},
		{"kind = \"static\"\norder = 3",
			`x.toml:9: resolver.order: unknown order "3" (have given, shuffled, rotated)`},
		{`target = "orders:"`, `x.toml:8: resolver.target: gRPC takes it for dns:///orders:, of ` +
			`which dns makes nothing: "orders:" ends with a colon, so there is no port`},
		{`target = "dns:///10.0.0.1:80"`, `x.toml:8: resolver.target: "dns:///10.0.0.1:80" is ` +
			`one address, which gRPC does not look up: say which backend it is, by backend = ` +
			`"b/0" for instance`},
		{"kind = \"dns\"\ndefault_port = 443", `resolver.default_port: must be true or false`},
		{`target = 5`, `resolver.target: must be a text in quotes, such as "dns:///orders:50051"`},
		{"target = \"orders\"\nkind = \"etcd\"", `x.toml:9: resolver.kind: disagrees with the ` +
			`target "orders", which makes it "dns"`},
		{"target = \"static:///b/0\"\nbackends = [\"b\"]", `x.toml:9: resolver.backends: cannot ` +
			`stand beside the target "static:///b/0", which says it`},
		{`target = "passthrough:///c/0"`, `resolver.backend: unknown backend group "c"`},
		{"kind = \"dns\"\nttl = \"5s\"", `x.toml:9: resolver.ttl: unknown key`},
		{"kind = \"dns\"\nerrors = { \"5s\" = \"1s\" }",
			`x.toml:9: resolver.errors: from 5s to 1s`},
		{"kind = \"nacos\"\nweights = { \"1s\" = { \"b/0\" = -1 } }",
			`x.toml:9: resolver.weights: 1s: b/0: must be from 0 to 1e6 (is -1)`},
	} {
		_, err := experiments.Load(resolverFile(t, row.table), experiments.Options{})
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s:\n got %v\nwant %s", row.table, err, row.want)
		}
	}
}

// gRPC connects to port 443 where a target has none, and to no name server where it is an address.
func TestPortsOfTargets(t *testing.T) {
	for _, row := range []struct {
		table  string
		refuse bool
	}{
		{`target = "dns:///orders:50051"`, false},
		{`target = "dns:///orders"`, true},
		{`target = "orders"`, true},
		{"target = \"dns:///10.0.0.1:80\"\nbackend = \"b/1\"", false},
		{"target = \"10.0.0.1\"\nbackend = \"b/1\"", true},
		{"target = \"orders\"\n[l4.vip]\nbackends = [\"b\"]", true},
	} {
		e, err := experiments.Load(resolverFile(t, row.table),
			experiments.Options{Set: []string{"duration=10s"}})
		if err != nil {
			t.Fatalf("%s: %v", row.table, err)
		}
		again, err := experiments.Parse("x.toml", []byte(e.Resolved()),
			experiments.Options{}) // what was run is what was meant
		if err != nil {
			t.Fatalf("%s: as it was run: %v", row.table, err)
		}
		rpcs := rpcsOf(*runner.NewPlan(again).Variant(0))
		if len(rpcs) == 0 {
			t.Errorf("%s: no RPC has ended", row.table)
		}
		for _, r := range rpcs {
			if refused := r.code == policies.Unavailable; refused != row.refuse {
				t.Errorf("%s: an RPC ends %v, want UNAVAILABLE: %v", row.table, r.code, row.refuse)
			}
		}
	}
}
