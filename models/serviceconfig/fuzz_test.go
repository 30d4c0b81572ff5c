package serviceconfig

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"lbsim/policies"
)

// Whatever the text: no panic, twice the same, and either a config in which every method has an
// entry, or an error of one line that is among the fields.
func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) { checkParse(t, text) })
}

func checkParse(t *testing.T, text []byte) {
	t.Helper()
	c, err := Parse(text, catalog)
	again, errAgain := Parse(text, catalog)
	if !reflect.DeepEqual(c, again) || !reflect.DeepEqual(err, errAgain) {
		t.Fatalf("Parse(%q) is one time %v, %v and one time %v, %v", text, c, err, again, errAgain)
	}
	for _, field := range c.Fields {
		if line := fmt.Sprint(field); strings.ContainsAny(line, "\n\r") || line == "" {
			t.Fatalf("Parse(%q): field %q is no line", text, line)
		}
	}
	if err != nil {
		bad := err.(*Error)
		for _, field := range c.Fields {
			if field == (Field{bad.Path, Refused, bad.Reason}) {
				return
			}
		}
		t.Fatalf("Parse(%q): error %q is not among the fields %v", text, err, c.Fields)
	}
	if _, ok := registrationOf(c.PolicyName); !ok || c.Policy == nil {
		t.Fatalf("Parse(%q): policy %q, %v", text, c.PolicyName, c.Policy)
	}
	for _, name := range []string{"", "/", "//", "s", "/s", "/s/", "/s/m", "/s/m/n", "/\xff/m"} {
		m := c.Method(name)
		if m.Retry != nil && (m.Retry.MaxAttempts < 2 || m.Retry.MaxAttempts > MaxAttempts ||
			m.Retry.InitialBackoff <= 0 || m.Retry.MaxBackoff <= 0 || m.Retry.Multiplier <= 0 ||
			m.Retry.Codes == 0 || m.Hedging != nil) {
			t.Fatalf("Parse(%q): %s may retry as %+v, hedging %v", text, name, m.Retry, m.Hedging)
		}
		if h := m.Hedging; h != nil && (h.MaxAttempts < 2 || h.MaxAttempts > MaxAttempts ||
			h.Delay < 0) {
			t.Fatalf("Parse(%q): %s may hedge as %+v", text, name, h)
		}
	}
}

// FuzzChoose checks that a choice is part of the text, or an error of one line.
func FuzzChoose(f *testing.F) {
	f.Add(readFile(f, "grpc-go-dns-txt-choices.json"))
	f.Add([]byte(`[{"clientHostName":["h"],"serviceConfig":{}}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, _, err := choose(text, "h", func() int { return 50 })
		if err != nil && (got != nil || strings.ContainsAny(err.Error(), "\n\r")) ||
			!strings.Contains(string(text), string(got)) {
			t.Fatalf("choose(%q) = %q, %v", text, got, err)
		}
	})
}

// corpus returns the texts kept in testdata/fuzz/FuzzParse by name.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/fuzz/FuzzParse/*")
	if err != nil || len(files) < 200 {
		t.Fatalf("read %d files of the corpus: %v", len(files), err)
	}
	texts := make(map[string][]byte)
	for _, file := range files {
		kept, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		literal, ok := strings.CutPrefix(string(kept), "go test fuzz v1\n[]byte(")
		text, err := strconv.Unquote(strings.TrimSuffix(literal, ")\n"))
		if !ok || err != nil {
			t.Fatalf("%s is not in the format of a corpus: %v", file, err)
		}
		texts[filepath.Base(file)] = []byte(text)
	}
	return texts
}

// list returns the codes of a set in order.
func (c Codes) list() []policies.Code {
	var all []policies.Code
	for code := range policies.Codes {
		if c.Has(code) {
			all = append(all, code)
		}
	}
	return all
}
