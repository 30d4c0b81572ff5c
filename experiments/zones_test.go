package experiments_test

import (
	"fmt"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/runner"
	"lbsim/policies"
)

// zonesFile is an experiment with two zones, to which lines are added: to the clients, to the
// backends of zone a, and to the rest of the file.
func zonesFile(t *testing.T, client, backend, rest string) string {
	t.Helper()
	return fileOf(t, "[clients.c]\nrate = \"1/s\"\n"+client+
		"\n[backends.b]\nservice = \"1ms\"\nzone = \"a\"\n"+backend+
		"\n[backends.other]\nservice = \"1ms\"\nzone = \"b\"\n"+rest)
}

func TestZonesAreRead(t *testing.T) {
	file := zonesFile(t, "zone = \"a\"\nzone_weights = { b = 2, a = 3 }",
		"zone_weight = 4\nweight = 5\npath = [\"x\", \"y\"]",
		"[resolver]\nkind = \"static\"\nrank = \"zone\"\n[policies.priority]\n"+
			"priorities = [\"local\", \"remote\"]\nchildren.local.child = \"round_robin\"\n"+
			"children.remote = { child = { kind = \"wrr_locality\", child = \"round_robin\" },"+
			" ignore_reresolution = true }\n[policies.weighted_target]\n"+
			"targets.a = { weight = 3, child = { kind = \"least_request\", choice_count = 3 } }\n")
	e, err := experiments.Load(file, experiments.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := runner.NewPlan(e).Variant(0).Config
	g, b, o := c.Clients[0], c.Backends[0], c.Backends[1]
	got := fmt.Sprint(g.Zone, g.ZoneWeights, b.Zone, b.ZoneWeight, b.Weight, b.Path,
		o.Zone, o.ZoneWeight, o.Weight, o.Path, c.Rank)
	if want := "amap[a:3 b:2]a4 5 [x y]b1 1 [] 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p := c.Policy.(policies.Priority)
	if p.Children["remote"].Child != (policies.WRRLocality{Child: policies.RoundRobin{}}) ||
		!p.Children["remote"].IgnoreReresolutionRequests {
		t.Errorf("got %+v", p)
	}
	// What was run reads back to the same.
	e2, err := experiments.Parse("x.toml", []byte(e.Resolved()), experiments.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, e.Resolved())
	}
	if got := e2.Resolved(); got != e.Resolved() {
		t.Errorf("run again:\n%s\nwant:\n%s", got, e.Resolved())
	}
}

func TestZonesAreRefused(t *testing.T) {
	const rr = "[policies.round_robin]\n"
	for _, row := range []struct{ client, backend, rest, want string }{
		{"", "weight = 0", rr, "7: backends.b.weight: must be at least 1 (is 0)"},
		{"", "weight = -1", rr,
			"7: backends.b.weight: must be a whole number from 0 on (is -1)"},
		{"", "zone_weight = 0", rr, "7: backends.b.zone_weight: must be at least 1 (is 0)"},
		{"", "path = [\"\"]", rr, "7: backends.b.path: must be names of children, such as " +
			"[\"primary\"] (one is empty)"},
		{"", "path = \"x\"", rr,
			"7: backends.b.path: must be a list in brackets (is the text \"x\")"},
		{"zone_weights = { a = 0 }", "", rr, "3: clients.c.zone_weights.a: must be at least 1 " +
			"(is 0): leave out a zone that should get nothing"},
		{"zone_weights = { bb = 1 }", "", rr, "3: clients.c.zone_weights.bb: no backends are in " +
			"zone \"bb\"; did you mean b? (have a, b)"},
		{"", "", "[resolver]\nkind = \"static\"\nrank = \"zone\"\n" + rr,
			"1: clients.c.zone: must be given: the resolver ranks by zone"},
		{"", "", "[resolver]\nkind = \"static\"\nrank = \"zones\"\n" + rr,
			"13: resolver.rank: unknown rank \"zones\"; did you mean zone? (have none, zone)"},
		{"", "", "[policies.priority]\npriorities = [\"x\"]\n",
			"12: policies.priority.priorities: \"x\" is not in children"},
		{"", "", "[policies.weighted_target.targets]\nx = { weight = 1 }\n",
			"12: policies.weighted_target.targets.x.child: must be a policy"},
		{"", "", "[policies.weighted_target.targets]\nx = { child = \"round_robbin\" }\n",
			"12: policies.weighted_target.targets.x.child.kind: unknown kind \"round_robbin\""},
		{"", "", "[policies.wrr_locality]\n",
			"11: policies.wrr_locality.child: must be a policy"},
	} {
		_, err := experiments.Load(zonesFile(t, row.client, row.backend, row.rest),
			experiments.Options{})
		if err == nil || !strings.Contains(err.Error(), "x.toml:"+row.want) {
			t.Errorf("%+v:\ngot  %v\nwant %s", row, err, row.want)
		}
	}
}
