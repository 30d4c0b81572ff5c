package serviceconfig

import (
	"strings"
	"testing"
)

func TestGrpcGoRefuses(t *testing.T) {
	const retry = "methodConfig[0].retryPolicy"
	const throttle = `{"methodConfig":[],"retryThrottling":{"maxTokens":10,"tokenRatio":1}}`
	tests := []struct{ name, text, want string }{
		{"no text", ``, "no service config (the text is empty)"},
		{"no JSON", "{\n  oops}", "not JSON at line 2, column 3: invalid character 'o' looking " +
			"for beginning of object key string"},
		{"half a text", `{"a":`, "not JSON at line 1, column 5: unexpected end of JSON input"},
		{"a list", `[]`, "must be an object (is a list)"},
		{"a retryPolicy that tries once", retryOf(`:3`, `:1`),
			retry + ".maxAttempts: must be at least 2 (is 1)"},
		{"no attempts", retryOf(`"maxAttempts":3,`, ``),
			retry + ".maxAttempts: must be at least 2 (is missing)"},
		{"attempts with a point", retryOf(`:3`, `:3.0`), retry + ".maxAttempts: must be a whole " +
			"number without point, exponent and quotes (is 3.0)"},
		{"attempts in quotes", retryOf(`:3`, `:"3"`), retry + ".maxAttempts: must be a whole " +
			`number without point, exponent and quotes (is "3")`},
		{"no backoff", retryOf(`"1s"`, `"0s"`), retry + ".initialBackoff: must be above 0 (is 0s)"},
		{"a negative backoff", retryOf(`"2s"`, `"-2s"`),
			retry + ".maxBackoff: must be above 0 (is -2s)"},
		{"a backoff that is null", retryOf(`"1s"`, `null`),
			retry + `.initialBackoff: must be seconds as text, such as "1.5s" (is null)`},
		{"no multiplier", retryOf(`"backoffMultiplier":2,`, ``),
			retry + ".backoffMultiplier: must be above 0 (is missing)"},
		{"no codes", retryOf(`["UNAVAILABLE"]`, `[]`),
			retry + ".retryableStatusCodes: must have at least one code (is empty)"},
		{"codes in small letters", retryOf(`UNAVAILABLE`, `unavailable`),
			retry + ".retryableStatusCodes[0]: must be a status code in capitals or its number " +
				`(is "unavailable"); did you mean UNAVAILABLE?`},
		{"code 17", retryOf(`"UNAVAILABLE"`, `14,17`),
			retry + ".retryableStatusCodes[1]: must be a status code of 0 to 16 (is 17)"},
		{"an empty retryPolicy", entryOf(`"retryPolicy":{}`),
			retry + ".maxAttempts: must be at least 2 (is missing)"},
		{"a retryPolicy of another kind", entryOf(`"retryPolicy":[]`),
			retry + ": must be an object (is a list)"},
		{"a retryPolicy for nobody", `{"methodConfig":[{"name":[],"retryPolicy":{}}]}`,
			retry + ".maxAttempts: must be at least 2 (is missing)"},
		{"a timeout of another kind", entryOf(`"timeout":5`),
			`methodConfig[0].timeout: must be seconds as text, such as "1.5s" (is 5)`},
		{"the kind, even where the entry is skipped", `{"methodConfig":[{"timeout":5}]}`,
			`methodConfig[0].timeout: must be seconds as text, such as "1.5s" (is 5)`},
		{"wrong first, right later", entryOf(`"timeout":5,"timeout":"5s"`),
			`methodConfig[0].timeout: must be seconds as text, such as "1.5s" (is 5)`},
		{"waitForReady in quotes", entryOf(`"waitForReady":"true"`),
			`methodConfig[0].waitForReady: must be true or false (is "true")`},
		{"a limit with a point", entryOf(`"maxRequestMessageBytes":1.5`), "methodConfig[0]." +
			"maxRequestMessageBytes: must be a whole number without point, exponent and quotes " +
			"(is 1.5)"},
		{"a method without service", `{"methodConfig":[{"name":[{"method":"m"}]}]}`,
			`methodConfig[0].name[0]: has a method ("m") but no service`},
		{"a name twice", `{"methodConfig":[{"name":[{"service":"s"}]},{"name":[{"service":"s"}]}]}`,
			`methodConfig[1].name[0]: "/s/" is in methodConfig[0].name[0] already`},
		{"the default twice", `{"methodConfig":[{"name":[{},{"service":""}]}]}`, "methodConfig" +
			"[0].name[1]: the default for all methods, {}, is in methodConfig[0].name[0] already"},
		{"a service that is a number", `{"methodConfig":[{"name":[{"service":5}]}]}`,
			"methodConfig[0].name[0].service: must be text in quotes (is 5)"},
		{"no tokens", strings.Replace(throttle, "10", "0", 1),
			"retryThrottling.maxTokens: must be above 0 and at most 1000 (is 0)"},
		{"too many tokens", strings.Replace(throttle, "10", "1000.5", 1),
			"retryThrottling.maxTokens: must be above 0 and at most 1000 (is 1000.5)"},
		{"no ratio", strings.Replace(throttle, `,"tokenRatio":1`, "", 1),
			"retryThrottling.tokenRatio: must be above 0 (is missing)"},
		{"a health service that is a number", `{"healthCheckConfig":{"serviceName":1}}`,
			"healthCheckConfig.serviceName: must be text in quotes (is 1)"},
		{"a policy that is a number", `{"loadBalancingPolicy":5}`,
			"loadBalancingPolicy: must be text in quotes (is 5)"},
		{"a wrong field before a policy that lbsim lacks",
			`{"loadBalancingPolicy":"cds_experimental","healthCheckConfig":5}`,
			"healthCheckConfig: must be an object (is 5)"},
	}
	for _, test := range tests {
		_, err := Parse([]byte(test.text), catalog)
		want := test.want + "; grpc-go refuses the whole config"
		bad, ok := err.(*Error)
		if !ok || err.Error() != want || bad.Valid {
			t.Errorf("%s: %s:\ngot  %v\nwant %s", test.name, test.text, err, want)
		}
	}
}

func TestGrpcGoChecksTheThrottleOnlyBesideMethods(t *testing.T) {
	c := mustParse(t, `{"retryThrottling":{"maxTokens":-1,"tokenRatio":5000}}`)
	if !equal(c.Throttle, &Throttle{-1, 5000}) {
		t.Errorf("got %s", show(c.Throttle))
	}
}

func TestLongTextsAreRefused(t *testing.T) {
	text := `{"x":"` + strings.Repeat("x", maxText) + `"}`
	_, err := Parse([]byte(text), catalog)
	if bad, ok := err.(*Error); !ok || !bad.Valid || bad.Path != "" {
		t.Errorf("got %v", err)
	}
}

func TestManyRefusalsAreNotAllListed(t *testing.T) {
	c, err := Parse([]byte(retryOf(`"UNAVAILABLE"`, `99`+strings.Repeat(`,99`, 10*maxRefusals))),
		catalog)
	if err == nil || len(c.Fields) > maxRefusals+10 {
		t.Errorf("got %d fields, %v", len(c.Fields), err)
	}
}
