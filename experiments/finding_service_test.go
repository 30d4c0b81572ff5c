package experiments_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"lbsim/experiments/config/findings"
)

// halfFails is a production config for one service, and backends that fail half of the RPCs.
const halfFails = `# Who retries?
duration = "60s"
service_config = '''{"methodConfig": [{"name": [{"service": "shop.Orders"}], "retryPolicy": {
  "maxAttempts": 3, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2,
  "retryableStatusCodes": ["UNAVAILABLE"]}}]}'''
[clients.web]
rate = "100/s"
[backends.b]
count   = 3
workers = 10
service = "10ms"
[failures.half]
kind     = "errors"
backends = ["b"]
ratio    = 0.5
[policies.round_robin]
`

// Without the method half of some 6,000 RPCs fail, ±3.2 % at five standard deviations; with it
// those
// of which three attempts fail: an eighth, ±2.1 %.
func TestRetriesForAnotherMethod(t *testing.T) {
	right := strings.Replace(halfFails, "rate =", "method = \"/shop.Orders/List\"\nrate =", 1)
	for _, row := range []struct {
		text         string
		errors, give float64
		said, fields string
	}{
		{halfFails, 0.5, 0.032, "no_effect: service_config: methodConfig[0] has no effect: no " +
			"client " +
			"calls shop.Orders; set clients.web.method = \"/shop.Orders/METHOD\"", "no effect"},
		{right, 0.125, 0.021, "", "simulated"},
	} {
		if said := spoken(t, row.text); said != row.said {
			t.Errorf("said: %s\nwant: %s", said, row.said)
		}
		for _, f := range findings.ServiceConfigs(load(t, row.text))[0].Fields {
			if f.Verdict.String() != row.fields {
				t.Errorf("%s is %v, want %s", f.Path, f.Verdict, row.fields)
			}
		}
		if got := *measured(t,
			row.text)[0].Values["error_ratio"]; math.Abs(got-row.errors) > row.give {
			t.Errorf("error ratio %.4f, want %.3f ±%.3f", got, row.errors, row.give)
		}
		summary := string(results(t, load(t, row.text), 1)["summary.txt"])
		if !strings.Contains(summary, strings.TrimPrefix(row.said, "no_effect: ")) {
			t.Errorf("the summary does not say %s:\n%s", row.said, summary)
		}
	}
}

// withConfig is an experiment with a service config; * in it stands for a retry policy.
func withConfig(config, lines string) string {
	const retry = `"retryPolicy": {"maxAttempts": 3, "initialBackoff": "1s", "maxBackoff": "1s",` +
		`"backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}`
	config = strings.ReplaceAll(config, "*", retry)
	return with("top service_config = '" + strings.ReplaceAll(config, "\n", " ") + "'\n" + lines)
}

// What has an effect here and what has not, field by field.
func TestServiceConfigKnowsTheExperiment(t *testing.T) {
	const orders = "clients: method = \"/shop.Orders/List\""
	for _, row := range []struct{ config, lines, said string }{
		{`{"methodConfig": [{"name": [{"service": "a"}], "timeout": "1s"},
			{"name": [{"service": "b", "method": "m"}, {"service": "c"}], "timeout": "1s"}]}`, "",
			`methodConfig[0] and methodConfig[1] have no effect: no client calls a, b/m or c; ` +
				`set clients.web.method = "/a/METHOD"`},
		// Production has entries for other methods too.
		{`{"methodConfig": [{"name": [{"service": "shop.Orders"}], "timeout": "1s"},
			{"name": [{"service": "b"}], "timeout": "1s"}]}`, orders, ""},
		// The entry for the method goes before that for all; some client calls another.
		{`{"methodConfig": [{"name": [{}], "timeout": "1s"},
			{"name": [{"service": "shop.Orders"}], "timeout": "1s"}]}`, orders, ""},
		{`{"methodConfig": [{"name": [{}], "timeout": "2s"}]}`, "clients: timeout = \"1s\"",
			"methodConfig[0].timeout has no effect: clients.web.timeout, 1s, is not longer"},
		{`{"methodConfig": [{"name": [{}], "timeout": "1s"}]}`, "clients: timeout = \"1s\"",
			"methodConfig[0].timeout has no effect: clients.web.timeout, 1s, is not longer"},
		{`{"methodConfig": [{"name": [{}], "timeout": "1s"}]}`, "clients: timeout = \"2s\"", ""},
		{`{"methodConfig": [{"name": [{}], "waitForReady": true}]}`,
			"clients: wait_for_ready = false",
			"methodConfig[0].waitForReady has no effect: clients.web.wait_for_ready goes " +
				"before it"},
		{`{"methodConfig": [{"name": [{}], "timeout": "0.5s", *}]}`, "",
			"methodConfig[0].retryPolicy has no effect: RPCs are over after 500ms, before the " +
				"first " +
				"backoff is (800ms at least)"},
		{`{"methodConfig": [{"name": [{}], "timeout": "0.9s", *}]}`, "", ""},
		{`{"methodConfig": [{"name": [{}], "hedgingPolicy": {"maxAttempts": 2,
			"hedgingDelay": "2s"}}]}`, "clients: timeout = \"1s\"",
			"methodConfig[0].hedgingPolicy has no effect: RPCs are over after 1s, before"},
		{`{"methodConfig": [{"name": [{"service": "shop.Orders"}], *}],
			"retryThrottling": {"maxTokens": 10, "tokenRatio": 0.1}}`, "",
			"retryThrottling has no effect: nothing that clients call is retried or hedged"},
		{`{"methodConfig": [{"name": [{"service": "shop.Orders"}], *}],
			"retryThrottling": {"maxTokens": 10, "tokenRatio": 0.1}}`, orders, ""},
		{`{"loadBalancingConfig": [{"least_request_experimental": {}}]}`, "",
			"loadBalancingConfig has no effect: no policy of the file is of kind service_config"},
		{`{"loadBalancingConfig": [{"least_request_experimental": {}}]}`, "kind = " +
			"\"service_config\"",
			""},
		{`{"healthCheckConfig": {"serviceName": ""}}`, "kind = \"pick_first\"",
			"healthCheckConfig has no effect: no policy that runs (p) listens to health"},
		{`{"healthCheckConfig": {"serviceName": ""}}`, "", ""},
		{`{"methodConfig": [{"name": [{}], "retryPolcy": {}}]}`, "",
			"methodConfig[0].retryPolcy has no effect: "},
		{`{"methodConfig": [{"name": [{}], "timeout": "0s"}]}`, "",
			"methodConfig[0].timeout is 0s, so all RPCs of clients.web are over at once"},
	} {
		text := withConfig(row.config, row.lines)
		said := spoken(t, text)
		if row.said == "" && said != "" || !strings.Contains(said, row.said) {
			t.Errorf("%s\n%s\nsaid: %s\nwant: %s", row.config, row.lines, said, row.said)
		}
	}
}

// A TXT record of which no choice can be taken fails all RPCs, as grpc-go does; one that some
// cannot take fails theirs until they look again, after 1.6 s, 2.56 s and so on: 0.4*1.6, 0.4²*2.56
// and so on are 1.8 s of 20 for the mean of 100 clients, that is 9 %. A later one changes nothing.
func TestChoicesThatNobodyCanTake(t *testing.T) {
	const good = `{"serviceConfig": {}}`
	for _, row := range []struct {
		first, later string
		ok           float64 // share of the RPCs, give or take 0.05
		said         string
	}{
		{`[{"percentage": 0, "serviceConfig": {}}, {"clientLanguage": ["java"],
			"serviceConfig": {}},
			{"clientHostName": ["far"], "serviceConfig": {}}]`, "", 0,
			"fails: resolver.txt from 0s: no client can use any of its choices, and all RPCs " +
				"fail (bad service config), as in grpc-go; [0] is never taken: its percentage " +
				"is 0; " +
				"[1] is never taken: it is for clients in java, and here they are in GO; " +
				"[2] is never taken: it is for hosts far, and here clients are on lbsim"},
		{`[{"serviceConfig": {"methodConfig": 5}}]`, "", 0,
			"fails: resolver.txt from 0s: no client can use any of its choices, and all RPCs " +
				"fail (bad service config), as in grpc-go; [0] is refused: methodConfig: must be"},
		{`[{"percentage": 50, "serviceConfig": {}}, {"percentage": 20, "serviceConfig": ` +
			`{}}]`, "", 0.91,
			"fails: resolver.txt from 0s: 40 % of the lookups find no choice that can be used, " +
				"and RPCs " +
				"of such a client fail until it looks again"},
		{`[` + good + `]`, `[{"percentage": 0, "serviceConfig": {}}]`, 1,
			"no_effect: resolver.txt from 5s: no client can use any of its choices, and then " +
				"the config before stays"},
		{`[` + good + `]`, `[` + good + `]`, 1, ""},
	} {
		text := strings.Replace(plain, "count = 2\n", "count = 100\n", 1) +
			"[resolver]\nkind = \"dns\"\n[resolver.txt]\n\"0s\" = '''" + row.first + "'''\n"
		if row.later != "" {
			text += "\"5s\" = '" + row.later + "'\n"
		}
		said := spoken(t, text)
		if !strings.HasPrefix(said, row.said) || row.said == "" && said != "" {
			t.Errorf("%s\nsaid: %s\nwant: %s", row.first, said, row.said)
		}
		if got := 1 - *measured(t, text)[0].Values["error_ratio"]; math.Abs(got-row.ok) > 0.05 {
			t.Errorf("%s: %.2f of the RPCs end OK, want %.2f", row.first, got, row.ok)
		}
	}
}

// Of the choices of a record check says which is never taken, and of the client's own config that
// one which name resolution always brings goes before it.
func TestChoicesNeverTaken(t *testing.T) {
	text := withConfig(`{"methodConfig": [{"name": [{}], "timeout": "1s"}]}`, "") +
		"[resolver]\nkind = \"dns\"\n[resolver.txt]\n\"0s\" = '''[" +
		`{"percentage": 0, "serviceConfig": {}}, {"serviceConfig": {}}, {"serviceConfig": {}}` +
		"]'''\n"
	var got []string
	for _, c := range findings.ServiceConfigs(load(t, text)) {
		got = append(got, fmt.Sprintf("%s: %s", c.Where, c.Never))
	}
	const want = "service_config: \n" +
		"resolver.txt from 0s [0] of the list: its percentage is 0\n" +
		"resolver.txt from 0s [1] of the list: \n" +
		"resolver.txt from 0s [2] of the list: all clients take one before it"
	if all := strings.Join(got, "\n"); all != want {
		t.Errorf("got:\n%s\nwant:\n%s", all, want)
	}
	const said = "service_config: all of it has no effect: name resolution brings another"
	if all := spoken(t, text); !strings.Contains(all, said) {
		t.Errorf("said: %s\nwant: %s", all, said)
	}
	// Where there is no record for a time, clients that begin then have their own.
	if all := spoken(t, text+"\"5s\" = ''\n"); strings.Contains(all, said) {
		t.Errorf("with no record from 5s on: said: %s", all)
	}
}
