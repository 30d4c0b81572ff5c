package policytest_test

import (
	"strings"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// A mistake in a story is an error that tells what would be right, and no panic.
func TestScriptRefuses(t *testing.T) {
	build := "build policy=least_request"
	for _, row := range []struct{ setup, do, want string }{
		{"", "pick 1", "pick: a script begins with build"},
		{"", "build", "build: policy=NAME must be one of base_round_robin, "},
		{"", "build policy=least_reqest", "build: policy=NAME must be one of "},
		{"", "build policy=least_request choices=3", "least_request.choices: unknown key"},
		{"", "build policy=least_request choice_count", "choice_count must have a value"},
		{"", "build policy=least_request choice_count=x", "build: toml: line 1"},
		{"", "build policy=least_request choice_count=1",
			"build: choice_count: must be >= 2 (is 1)"},
		{build, "configure choice_count=0", "configure: choice_count: must be >= 2 (is 0)"},
		{"", "build policy=least_request\nchoice_count = \"3\"", "must be a whole number"},
		{"", "build policy=priority child=round_robin", "priority.child: unknown key"},
		{"", "build policy=cluster_impl child=round", `unknown kind "round"`},
		{build, "configure x=1s", "configure: toml: line 1"},
		{build, "configure x=\"1s\"", "configure: least_request.x: unknown key"},
		{build, "dance", "dance: there is no such command"},
		{build, "pick", "pick: too few words"},
		{build, "pick x", `pick: "x" is not a number from 0 to 2147483647`},
		{build, "pick -1", `pick: "-1" is not a number from 0 to`},
		{build, "pick 1", "pick: there is no picker: the balancer has reported nothing"},
		{build + "\nresolve a", "pick 1 latency=(a:1s)", "pick: unknown word latency"},
		{build + "\nresolve a", "tally 1 latency=1s",
			"tally: latency must be as in latency=(a:10ms,b:50ms)"},
		{build + "\nresolve a", "tally 1 latency=(a:1)", "missing unit"},
		{build + "\nresolve a", "tally 1 latency=(b:1s)", "tally: there is no SubConn to b"},
		{build + "\nresolve a", "serve 1 failing=(a,b)", "serve: there is no SubConn to b"},
		{build, "subconn a READY", "subconn: there is no SubConn to a"},
		{build, "advance -1s", "advance: -1s: time does not run back"},
		{build, "resolve a*-1", `resolve: "-1" is not a number from 0 to`},
		{build, "advance x", "advance: time: invalid duration"},
		{build + "\nresolve a", "subconn a SLEEPING", "subconn: unknown state SLEEPING"},
		{build + "\nresolve a", "tally 1", "tally: an RPC was not sent: queue; serve counts such"},
		{build, "resolve a=(zone:x,colour:red)", "unknown attribute colour (have path, weight, "},
		{build + "\nresolve a", "done a qps", "qps must have a value"},
		{build + "\nresolve a", "report a heat=3", "unknown metric heat (have qps, eps, cpu, app)"},
	} {
		s := policytest.NewScript(policies.Catalog)
		for line := range strings.Lines(row.setup) {
			if _, err := s.Play(strings.TrimSpace(line)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Play(row.do); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: error %v, want one with %q", row.do, err, row.want)
		}
	}
}
