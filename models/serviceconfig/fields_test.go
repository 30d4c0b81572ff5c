package serviceconfig

import (
	"fmt"
	"strings"
	"testing"
)

func TestFieldsInTheOrderOfTheText(t *testing.T) {
	const text = `{
		"healthCheckConfig": {"serviceName": "x"},
		"retryThrottling": {"maxTokens": 10, "tokenRatio": 0.5},
		"methodConfig": [
			{"name": [{"service": "s", "metod": "m"}], "Timeout": "-1s",
			 "maxRequestMessageBytes": 5,
			 "retryPolicy": {"maxAttempts": 9, "initialBackoff": "1s", "maxBackoff": "1s",
			                 "backoffMultiplier": 1, "retryableStatusCodes": ["UNAVAILABLE", 8]},
			 "hedgingPolicy": {"maxAttempts": 3}},
			{"timeout": "1s"},
			{"name": [{"service": "t"}], "waitForReady": true, "waitForReady": false,
			 "hedgingPolicy": {"maxAttempts": 3, "nonFatalStatusCodes": [14]}},
			{"name": [{"service": "u"}], "hedgingPolicy": {"maxAttempts": 1, "hedgingDelay": "-1s"},
			 "retryPolicy": null}
		],
		"loadBalancingPolicy": "round_robin",
		"loadBalancingConfig": [{"random": {}},
			{"pick_first": {"shuffleAddressList": true, "x\n": 1}}, {"round_robin": {}}],
		"odd one": {"a": {"b": 1}}
	}`
	want := string(readFile(t, "fields.golden"))
	if got := listed(mustParse(t, text).Fields); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func listed(fields []Field) string {
	var b strings.Builder
	for _, f := range fields {
		fmt.Fprintln(&b, strings.TrimSuffix(fmt.Sprintf("%s: %s: %s", f.Path, f.Verdict, f.Reason),
			": "))
	}
	return b.String()
}

func TestFieldsSayWhy(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a throttle of nothing", `{"methodConfig":[],"retryThrottling":{"maxTokens":1,` +
			`"tokenRatio":1}}`, "methodConfig: simulated\n" +
			"retryThrottling.maxTokens: no effect: nothing is retried or hedged\n" +
			"retryThrottling.tokenRatio: no effect: nothing is retried or hedged\n"},
		{"a throttle without methods", `{"retryThrottling":{"maxTokens":-1}}`,
			"retryThrottling.maxTokens: no effect: there is no methodConfig, so nothing is " +
				"retried\n"},
		{"an empty health check", `{"healthCheckConfig":{}}`,
			"healthCheckConfig: simulated\n"},
		{"a policy misspelt", `{"loadBalancingPolicy":"round_robn"}`, "loadBalancingPolicy: no " +
			`effect: grpc-go knows no policy "round_robn"; did you mean round_robin?; it takes ` +
			"pick_first and does not say so\n"},
		{"a policy by lbsim's name", `{"loadBalancingPolicy":"least_request"}`,
			"loadBalancingPolicy: no effect: grpc-go knows no policy least_request, it has " +
				"least_request_experimental; it takes pick_first and does not say so\n"},
		{"a policy whose options nobody reads", `{"loadBalancingConfig":[{"round_robin":{"a":1}}]}`,
			"loadBalancingConfig[0].round_robin: simulated: grpc-go does not read its options\n"},
		{"another case", `{"LoadBalancingPolicy":"round_robin"}`, "loadBalancingPolicy: " +
			`simulated: written "LoadBalancingPolicy": grpc-go takes any case, other ` +
			"languages only loadBalancingPolicy\n"},
		{"nothing to say", `{}`, ": simulated\n"},
		{"refused", `{"methodConfig":[{"name":[{"method":"m"}],"timeout":"5"}]}`,
			"methodConfig[0].name: simulated\nmethodConfig[0].name[0]: refused: has a method " +
				"(\"m\") but no service; grpc-go refuses the whole config\n" +
				"methodConfig[0].timeout: refused: must be seconds as text, such as \"1.5s\" " +
				"(is \"5\"); grpc-go refuses the whole config\n"},
	}
	for _, test := range tests {
		c, _ := Parse([]byte(test.text), catalog)
		if got := listed(c.Fields); got != test.want {
			t.Errorf("%s: %s:\ngot  %swant %s", test.name, test.text, got, test.want)
		}
	}
}

// An entry whose list of names is empty is for no method, whatever it holds, in grpc-go too. What
// is wrong in it is refused all the same.
func TestEmptyListOfNames(t *testing.T) {
	const retry = `"retryPolicy":{"maxAttempts":3,"initialBackoff":"1s","maxBackoff":"2s",` +
		`"backoffMultiplier":2,"retryableStatusCodes":["UNAVAILABLE"]}`
	for _, field := range []string{
		`"timeout":"1s"`, `"waitForReady":true`, retry, `"hedgingPolicy":{"maxAttempts":3}`,
	} {
		c := mustParse(t, `{"methodConfig":[{"name":[],`+field+
			`}],"retryThrottling":{"maxTokens":10,"tokenRatio":0.1}}`)
		if m := c.Method("/s/m"); !equal(m, &Method{}) || len(c.Entries) > 0 {
			t.Errorf("%s: method %s, %d entries; want nothing", field, show(m), len(c.Entries))
		}
		for _, f := range c.Fields {
			if f.Verdict != NoEffect {
				t.Errorf("%s: %s is %v, want no effect", field, f.Path, f.Verdict)
			}
		}
	}
	_, err := Parse([]byte(`{"methodConfig":[{"name":[],"timeout":"soon"}]}`), catalog)
	if err == nil {
		t.Error("a timeout that is none is taken where the list of names is empty")
	}
}
