package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"lbsim/options"
)

// small is an experiment that is soon run.
const small = `duration = "1s"
[clients.c]
rate = "10/s"
[backends.b]
service = "1ms"
[policies.random]
`

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// Names that would not stay what they are in a terminal, a table or a plot are refused.
func TestNamesThatCannotBeShownAreRefused(t *testing.T) {
	long := strings.Repeat("n", 65)
	for _, table := range []string{
		"[clients.%s]\nrate = \"1/s\"", "[backends.%s]\nservice = \"1ms\"",
		"[l4.%s]\nbackends = [\"b\"]", "[failures.%s]\nkind = \"crash\"\nbackends = [\"b\"]",
		"[policies.%s]\nkind = \"random\"", "[backends.x]\nservice = \"1ms\"\nzone = %s",
		"[clients.x]\nrate = \"1/s\"\nmethod = %s",
		"[clients.x]\nrate = \"1/s\"\n[clients.x.zone_weights]\n%s = 3",
	} {
		isName := !strings.Contains(table, "= %s")
		for _, row := range []struct{ name, want string }{
			{"", "a name must not be empty"},
			{"=cmd|calc", "a name must not begin with one of =+-@, which a spreadsheet takes"},
			{"+1", "a name must not begin with one of =+-@"},
			{"-1", "a name must not begin with one of =+-@"},
			{"@x", "a name must not begin with one of =+-@"},
			{"\x1b[31mred", "a name must be of letters, digits, spaces and signs"},
			{"two\nlines", "a name must be of letters"},
			{"\u202eback", "a name must be of letters"},
			{"bell\a", "a name must be of letters"},
			{long, "a name may have at most 64 letters (has 65)"},
			{" x", "a name must not begin or end with a space"},
		} {
			if row.name == "" && !isName {
				continue // for none
			}
			text := small + fmt.Sprintf(table, options.Quote(row.name)) + "\n"
			_, err := Read(File{Name: "x.toml", Text: []byte(text)}, Options{})
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%q in %s: got %v, want %s", row.name, table, err, row.want)
				continue
			}
			if strings.ContainsFunc(err.Error(), unprintable) {
				t.Errorf("%q in %s: the error is not printable: %q", row.name, table, err)
			}
		}
		for _, name := range []string{"a b", "größer", "日本", "x=y", "<script>", long[1:]} {
			text := small + fmt.Sprintf(table, options.Quote(name)) + "\n"
			_, err := Read(File{Name: "x.toml", Text: []byte(text)}, Options{})
			if err != nil && strings.Contains(err.Error(), "a name") {
				t.Errorf("%q in %s is refused: %v", name, table, err)
			}
		}
	}
}

// No error repeats a value of 256 kB, or moves the cursor, wherever the value stands.
func TestErrorsAreShortAndPrintable(t *testing.T) {
	for _, value := range []string{
		strings.Repeat("x", 1<<18), "\x1b]0;title\a\x1b[2J", "a\u009bb",
	} {
		q := options.Quote(value)
		for _, line := range []string{
			"duration = " + q, "warmup = " + q, "precision = " + q, "baseline = " + q,
			"service_config = " + q, q + " = 1", "seeds = " + q,
			"[network]\ndelay = " + q, "[backoff]\n" + q + " = 1", "[resolver]\nkind = " + q,
			"[failures.f]\nkind = " + q,
			"[failures.f]\nkind = \"crash\"\nbackends = [" + q + "]",
			"[policies.p]\nkind = " + q, "[policies.p]\nkind = \"ring_hash\"\n" + q + " = 1",
			"[policies.p]\nkind = \"priority\"\nchildren = { a = { child = " + q + " } }",
			"[clients.d]\nrate = " + q, "[clients.d]\nrate = \"1/s\"\narrivals = " + q,
			"[clients.d]\nrate = \"1/s\"\nkey = " + q, "[backends.d]\nservice = " + q,
			"[sweep]\n" + q + " = [1]", "[sweep]\nbin = [" + q + ", " + q + "]", "[" + q + "]",
		} {
			text := line + "\n" + small
			if strings.HasPrefix(line, "[") {
				text = small + line + "\n"
			} else if strings.HasPrefix(line, "duration") {
				text = strings.Replace(small, `duration = "1s"`, line, 1)
			}
			_, err := Read(File{Name: "x.toml", Text: []byte(text)}, Options{})
			if err == nil {
				t.Errorf("%.40q is accepted", line)
				continue
			}
			if got := err.Error(); utf8.RuneCountInString(got) > 700 ||
				strings.ContainsFunc(got, unprintable) {
				t.Errorf("%.40q: %d letters: %.300q", line, len(got), got)
			}
		}
		_, err := Read(File{Name: "x.toml", Text: []byte(small)}, Options{Set: []string{"x." +
			value + "=1"}})
		if err == nil || utf8.RuneCountInString(err.Error()) > 700 {
			t.Errorf("-set %.40q: %.300q", value, err)
		}
	}
}

// Every text reads back from how it is quoted.
func TestQuotedTextsReadBack(t *testing.T) {
	var text strings.Builder
	for r := rune(0); r < 0x2100; r++ {
		text.WriteRune(r)
	}
	text.WriteString("\U000e0001\U0001f600\ufeff\\\"")
	var back struct{ V string }
	_, err := toml.Decode("V = "+options.Quote(text.String()), &back)
	if err != nil || back.V != text.String() {
		t.Errorf("%v: %q", err, back.V)
	}
}

// The names under a table are put in order in a time that grows with their number alone: a million
// takes about a second of CPU time, where 40,000 took 11 s when each was sought among all before.
func TestNamesArePutInOrderFast(t *testing.T) {
	there := map[string]any{}
	var names []string
	for i := range 1_000_000 {
		names = append(names, strconv.Itoa(-i))
		there[names[i]] = nil
	}
	s, start := &source{names: map[string][]string{"policies": names}}, time.Now()
	got := s.order(map[string]any{"policies": there}, "policies")
	if took := time.Since(start); !slices.Equal(got, names) || took > time.Minute {
		t.Errorf("%d names in %v, want %d in the order of the file in less than a minute",
			len(got), took, len(names))
	}
}
