package serviceconfig

import (
	"strings"
	"testing"
)

func TestChooseFromTheFile(t *testing.T) {
	drawn := 0
	list := readFile(t, "grpc-go-dns-txt-choices.json")
	text, place, err := choose(list, "some-host", func() int {
		drawn++
		return 100
	})
	if err != nil || drawn != 2 || place != 3 {
		t.Fatalf("got number %d, %v after %d draws, want number 3 after 2: "+
			"one for 0 percent, one for 100", place, err, drawn)
	}
	c := mustParse(t, string(text))
	foo, bar := Method{Timeout: ptr(s), WaitForReady: ptr(true)}, Method{WaitForReady: ptr(false)}
	if c.PolicyName != "round_robin" || !equal(c.Method("/foo/any"), &foo) ||
		!equal(c.Method("/bar/any"), &bar) {
		t.Errorf("got %s, foo %s, bar %s", c.PolicyName, show(c.Method("/foo/any")),
			show(c.Method("/bar/any")))
	}
}

func TestChoose(t *testing.T) {
	const none = "none of the 1 choices is for a client in Go on host \"h\"; grpc-go refuses the " +
		"whole config"
	tests := []struct{ name, text, want, err string }{
		{"no conditions", `[{"serviceConfig":{"a": 1}}]`, `{"a": 1}`, ""},
		{"the first that fits", `[{"serviceConfig":1},{"serviceConfig":2}]`, `1`, ""},
		{"the language among others", `[{"clientLanguage":["JAVA","GO"],"serviceConfig":1}]`,
			`1`, ""},
		{"the language in another case", `[{"clientLanguage":["go"],"serviceConfig":1}]`, ``, none},
		{"no language at all", `[{"clientLanguage":[],"serviceConfig":1}]`, ``, none},
		{"languages that are null", `[{"clientLanguage":null,"serviceConfig":1}]`, `1`, ""},
		{"the host", `[{"clientHostName":["g","h"],"serviceConfig":1}]`, `1`, ""},
		{"another host", `[{"clientHostName":["H"],"serviceConfig":1}]`, ``, none},
		{"in the share", `[{"percentage":50,"serviceConfig":1}]`, `1`, ""},
		{"out of the share", `[{"percentage":49,"serviceConfig":1}]`, ``, none},
		{"no config in it", `[{"serviceConfig":null}]`, ``, none},
		{"names in any case", `[{"ServiceConfig":1,"PERCENTAGE":100}]`, `1`, ""},
		{"a later one of another kind", `[{"serviceConfig":1},5]`, ``,
			"[1]: must be an object (is 5); grpc-go refuses the whole config"},
		{"a percentage with a point", `[{"percentage":50.0,"serviceConfig":1}]`, ``,
			"[0].percentage: must be a whole number without point, exponent and quotes " +
				"(is 50.0); grpc-go refuses the whole config"},
		{"no list", `{}`, ``, "must be a list (is an object); grpc-go refuses the whole config"},
		{"nothing", ``, ``,
			"no service config (the text is empty); grpc-go refuses the whole config"},
		{"an empty list", `[]`, ``, strings.Replace(none, "1", "0", 1)},
	}
	for _, test := range tests {
		got, _, err := choose([]byte(test.text), "h", func() int { return 50 })
		failure := ""
		if err != nil {
			failure = err.Error()
		}
		if string(got) != test.want || failure != test.err {
			t.Errorf("%s: %s: got %q, %q, want %q, %q",
				test.name, test.text, got, failure, test.want, test.err)
		}
	}
}

func TestChooseAsksForANumberOnlyForGoAndAShare(t *testing.T) {
	drawn := 0
	_, _, err := choose([]byte(`[
		{"clientLanguage":["JAVA"],"percentage":1},{"clientLanguage":["GO"]},
		{"percentage":1,"clientHostName":["x"]},{"percentage":1},{"serviceConfig":1}]`), "h",
		func() int { drawn++; return 2 })
	if err != nil || drawn != 2 {
		t.Errorf("got %d draws, %v, want 2", drawn, err)
	}
}
