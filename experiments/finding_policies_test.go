package experiments_test

import (
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/analysis"
	"lbsim/experiments/runner"
)

// What policies say that is not there, and that nothing is said where it is.
func TestPoliciesSayWhatTheyMiss(t *testing.T) {
	const outliers = "kind = \"outlier_detection\"\nchild = \"round_robin\"\n"
	for _, row := range []struct{ lines, said, remedy string }{
		{"kind = \"least_request\"\nchoice_count = 11",
			"inert: policies.p (choice_count): 11 counts as 10, as in grpc-go", "distinct = true"},
		{"kind = \"weighted_round_robin\"", "inert: policies.p: no backend reports its load " +
			"(per_call), so all get the same, as with round_robin; set backends.b.load_report = " +
			"\"per_call\"", "backends: load_report = \"per_call\""},
		{"kind = \"weighted_round_robin\"\nenable_oob_load_report = true",
			"no backend reports its load (out_of_band)", "backends: load_report = \"both\""},
		// One weight alone is that of all; of two, the others have the mean.
		{"kind = \"weighted_round_robin\"\n[backends.one]\nservice = \"1ms\"\n" +
			"load_report = \"per_call\"", "inert: policies.p: one backend alone reports its load " +
			"(per_call), so all get the same", "backends: load_report = \"per_call\""},
		{"kind = \"weighted_round_robin\"\n[backends.two]\ncount = 2\nservice = \"1ms\"\n" +
			"load_report = \"per_call\"", "inert: policies.p: backends.b does not report its " +
			"load (per_call), so it counts as the mean of the others", ""},
		{"kind = \"weighted_round_robin\"\nblackout_period = \"20s\"\n" +
			"backends: load_report = \"per_call\"", "inert: policies.p (blackout_period): the " +
			"run, 20s, " +
			"is not longer than 20s, so no report counts", ""},
		{"kind = \"ring_hash\"\nrequest_hash_header = \"x-user\"", "RPCs of clients.web have " +
			"no header " +
			"x-user, so each RPC goes to a random endpoint; set clients.web.key_header = " +
			"\"x-user\" " +
			"and key, such as \"uniform(n=1000)\"",
			"clients: key_header = \"X-User\"\nclients: key = \"client\""},
		{"kind = \"ring_hash\"\nrequest_hash_header = \"x-user\"\nclients: key = \"client\"\n" +
			"clients: key_header = \"x-team\"", "set clients.web.key_header = \"x-user\"", ""},
		{"kind = \"ring_hash\"\nrequest_hash_header = \"h\"\nmin_ring_size = 8192\n" +
			"max_ring_size = 8192\nclients: key = \"client\"\nclients: key_header = " +
			"\"h\"", "inert: policies.p (min_ring_size): 8192 counts as ring_size_cap, 4096",
			"ring_size_cap = 8192"},
		{"kind = \"random_subsetting\"\nsubset_size = 4\nchild = \"round_robin\"",
			"inert: policies.p (subset_size): there are 4 endpoints at most, and it takes 5, " +
				"so each " +
				"client uses all", ""},
		{"kind = \"random_subsetting\"\nsubset_size = 3\nchild = \"round_robin\"", "", ""},
		{outliers, "inert: policies.p: neither success_rate_ejection nor " +
			"failure_percentage_ejection " +
			"is given, so nobody is ejected", ""},
		{outliers + "failure_percentage_ejection = { minimum_hosts = 3 }",
			"failure_percentage_ejection.enforcement_percentage): is 0, so nobody is ejected", ""},
		{outliers + "success_rate_ejection = { request_volume = 10 }",
			"success_rate_ejection.minimum_hosts): there are 4 endpoints at most, and it takes " +
				"5", ""},
		// 50 RPCs a second of each client are 500 in an interval, 612 with luck.
		{outliers + "success_rate_ejection = { minimum_hosts = 4, request_volume = 154 }",
			"success_rate_ejection.request_volume): no client sends more than 612 RPCs in 10s, " +
				"so 154 " +
				"RPCs each to 4 endpoints cannot be, and nobody is ejected", ""},
		{outliers + "success_rate_ejection = { minimum_hosts = 4, request_volume = 150 }", "", ""},
		{outliers + "max_ejection_percent = 0\nsuccess_rate_ejection = { minimum_hosts = 3 }",
			"(max_ejection_percent): is 0, so nobody is ejected", ""},
		{"kind = \"outlier_detection\"\nchild = \"pick_first\"\n" +
			"success_rate_ejection = { minimum_hosts = 3 }", "(child): does not hear of " +
			"health", ""},
		{"kind = \"cluster_impl\"\nchild = \"round_robin\"\nmax_requests = 0",
			"fails: policies.p (max_requests): is 0, so all RPCs are dropped", ""},
		{"kind = \"cluster_impl\"\nchild = \"round_robin\"\nmax_requests = 0\n" +
			"drops = [{ numerator = 1 }]",
			"fails: policies.p (max_requests): is 0, so all RPCs are dropped", ""},
		{"kind = \"cluster_impl\"\nchild = \"round_robin\"\ndrops = [{ numerator = 100 }]",
			"fails: policies.p (drops): drop all RPCs", ""},
		{"kind = \"wrr_locality\"\nchild = \"round_robin\"",
			"all backends are in one zone, so there is nothing to divide between zones", ""},
		{"kind = \"priority\"\npriorities = [\"a\"]\nchildren.a = { child = \"round_robin\" }\n" +
			"backends: path = [\"a\"]", "(priorities): there is one child, and none to fall " +
			"back to", ""},
		{"kind = \"priority\"\npriorities = [\"a\", \"b\"]\nchildren.a = { child = " +
			"\"round_robin\" }\n" +
			"children.b = { child = \"weighted_round_robin\" }\nbackends: path = [\"a\"]",
			"the path of no backend leads to \"b\", so RPCs never go there; set " +
				"backends.NAME.path = " +
				"[\"b\"]", ""},
		{"kind = \"weighted_target\"\ntargets.a = { weight = 1, child = \"round_robin\" }\n" +
			"backends: path = [\"a\"]", "(targets): there is one, and nothing to divide", ""},
		{"kind = \"grpclb\"", "(balancer): is not given, so the backends are those of the " +
			"resolver", ""},
		{"kind = \"ring_hash\"", "fails: policies.p (request_hash_header): is not given, so " +
			"all RPCs " +
			"fail, as in grpc-go without xDS", ""},
		{"kind = \"priority\"\npriorities = [\"a\"]\nchildren.a = { child = \"ring_hash\" }\n" +
			"backends: path = [\"a\"]", "fails: policies.p (request_hash_header): is not " +
			"given", ""},
	} {
		said := spoken(t, with(row.lines))
		if row.said == "" && said != "" || !strings.Contains(said, row.said) {
			t.Errorf("%s\nsaid: %s\nwant: %s", row.lines, said, row.said)
		}
		if row.remedy == "" {
			continue
		}
		if said := spoken(t, with(row.lines+"\n"+row.remedy)); said != "" {
			t.Errorf("%s\nwith %s: said: %s\nwant nothing", row.lines, row.remedy, said)
		}
	}
}

// All that a policy is said to fail fails.
func TestWhatIsSaidToFailFails(t *testing.T) {
	for _, lines := range []string{
		"kind = \"ring_hash\"",
		"kind = \"cluster_impl\"\nchild = \"round_robin\"\ndrops = [{ numerator = 100 }]",
	} {
		if m := measured(t, with(lines))[0]; *m.Values["error_ratio"] != 1 {
			t.Errorf("%s: error ratio %v, want 1", lines, *m.Values["error_ratio"])
		}
	}
}

// One backend of four is three times slower. Without reports it gets a quarter of the RPCs, and the
// summary says why; with reports 1 in 3+3+3+1 parts.
func TestWeightsWithoutReports(t *testing.T) {
	const text = `# Does weighted_round_robin send less to a slow backend?
duration = "120s"
warmup   = "30s"
[clients.web]
rate = "1000/s"
[backends.fast]
count   = 3
workers = 10
service = "10ms"
[backends.slow]
workers = 10
service = "30ms"
[network]
delay = "100us"
[policies.weighted_round_robin]
`
	with := strings.ReplaceAll(text, "service =", "load_report = \"per_call\"\nservice =")
	for _, row := range []struct {
		text  string
		share float64
		said  string
	}{
		{text, 0.25, "policies.weighted_round_robin: no backend reports its load (per_call), " +
			"so all " +
			"get the same, as with round_robin; set backends.fast.load_report = \"per_call\""},
		{with, 0.10, ""},
	} {
		if got := *measured(t, row.text)[0].Backends[3].Share; got < row.share-0.01 ||
			got > row.share+0.01 {
			t.Errorf("the slow backend gets %.3f of the RPCs, want %.2f ±0.01", got, row.share)
		}
		summary := string(results(t, load(t, row.text), 1)["summary.json"])
		said := strings.Contains(summary, "inert")
		if said != (row.said != "") || !strings.Contains(spoken(t, row.text), row.said) {
			t.Errorf("summary.json has a warning: %v; want %q", said, row.said)
		}
	}
}

// Policies that do the same are found by their metrics, not by their names: ten distinct choices of
// four endpoints are four. At a point of the sweep where they differ nothing is said.
func TestSameAsTheBaseline(t *testing.T) {
	const text = `# Who does the same?
duration = "5s"
seeds    = 2
[clients.web]
rate = "200/s"
[backends.b]
count   = 4
service = "exp(mean=10ms)"
[policies.all]
kind         = "least_request"
choice_count = 10
distinct     = true
[policies.four]
kind         = "least_request"
choice_count = 4
distinct     = true
[policies.two]
kind = "least_request"
`
	const same = "four did nothing different from all in these runs: all metrics are the same"
	const atOnePoint = "four did nothing different from all at 1 of 2 points of the sweep, " +
		"first at backends.b.count = 4"
	for _, row := range []struct{ text, want string }{
		{text, same}, {text + "[sweep]\n\"backends.b.count\" = [4, 12]\n", atOnePoint},
	} {
		summary := string(results(t, load(t, row.text), 2)["summary.txt"])
		if !strings.Contains(summary, row.want) || strings.Contains(summary, "two did nothing") {
			t.Errorf("want %q and nothing of two:\n%s", row.want, summary)
		}
	}
}

// A retry policy for other codes than those that occur is reported after the run.
func TestRetriesForOtherCodes(t *testing.T) {
	const want = "no RPC was sent again: RPCs failed with UNAVAILABLE, and the retryPolicy is for "
	right := strings.Replace(halfFails, "rate =", "method = \"/shop.Orders/List\"\nrate =", 1)
	for codes, list := range map[string]string{
		`["ABORTED"]`: "ABORTED", `["OK"]`: "OK", `["OK", "ABORTED"]`: "OK and ABORTED",
		`["UNAVAILABLE"]`: "", `["OK", "UNAVAILABLE"]`: "",
	} {
		text := strings.Replace(right, `["UNAVAILABLE"]`, codes, 1)
		var m *experiments.Measures
		keep := func(_ int, got *experiments.Measures) { m = got }
		if err := runner.NewPlan(load(t, text)).Run(t.Context(), 1, keep); err != nil {
			t.Fatal(err)
		}
		got := false
		for _, w := range m.Warnings {
			got = got || w.Kind == analysis.NoEffect && w.Text == want+list
		}
		if got != (list != "") {
			t.Errorf("%s: warned: %v, want %q: %v", codes, got, list, m.Warnings)
		}
	}
}
