package config

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lbsim/options"
)

const (
	maxNameLength  = 64  // in characters
	maxValueLength = 60  // of a value in an error, in characters
	maxErrorLength = 600 // in characters
)

// namedTables are the tables whose keys are names in results.
var namedTables = []string{"clients", "backends", "l4", "failures", "policies"}

// checkNames refuses names that a terminal, a table or a plot would show differently, and control
// characters in all texts.
func checkNames(tree map[string]any) error {
	for _, table := range namedTables {
		there, _ := tree[table].(map[string]any)
		for _, name := range sortedKeys(there) {
			if err := checkName(name); err != nil {
				return &options.KeyError{Key: []string{table, name}, Err: err}
			}
			group, _ := there[name].(map[string]any)
			if err := checkZoneNames([]string{table, name}, group); err != nil {
				return err
			}
		}
	}
	return checkTexts(nil, tree)
}

// checkZoneNames checks the names of zones and methods in a group.
func checkZoneNames(at []string, group map[string]any) error {
	for _, key := range []string{"zone", "method"} {
		if text, is := group[key].(string); is && text != "" {
			if err := checkName(text); err != nil {
				return &options.KeyError{Key: options.Sub(at, key), Err: err}
			}
		}
	}
	zones, _ := group["zone_weights"].(map[string]any)
	for _, zone := range sortedKeys(zones) {
		if err := checkName(zone); err != nil {
			return &options.KeyError{
				Key: append(options.Sub(at, "zone_weights"), zone), Err: err}
		}
	}
	return nil
}

// checkName returns what is wrong with a name, or nil. To a spreadsheet that opens table.csv a name
// that begins with one of =+-@ would be a formula.
func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("a name must not be empty")
	case utf8.RuneCountInString(name) > maxNameLength:
		return fmt.Errorf("a name may have at most %d letters (has %d)",
			maxNameLength, utf8.RuneCountInString(name))
	case strings.ContainsAny(name[:1], "=+-@"):
		return errors.New("a name must not begin with one of =+-@, " +
			"which a spreadsheet takes for a formula")
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return errors.New("a name must be of letters, digits, spaces and signs that can be seen")
	case strings.TrimSpace(name) != name:
		return errors.New("a name must not begin or end with a space")
	}
	return nil
}

// checkTexts refuses control characters other than tabs and ends of lines in every key and value.
func checkTexts(at []string, value any) error {
	switch v := value.(type) {
	case string:
		for _, r := range v {
			if unicode.IsControl(r) && !strings.ContainsRune("\t\r\n", r) {
				return options.Errorf(at, "must not have the control character %U", r)
			}
		}
	case map[string]any:
		for _, key := range sortedKeys(v) {
			if strings.ContainsFunc(key, unicode.IsControl) {
				return options.Errorf(options.Sub(at, key), "a key must have no control characters")
			}
			if err := checkTexts(options.Sub(at, key), v[key]); err != nil {
				return err
			}
		}
	case []any:
		for _, part := range v {
			if err := checkTexts(at, part); err != nil {
				return err
			}
		}
	case []map[string]any:
		for _, part := range v {
			if err := checkTexts(at, part); err != nil {
				return err
			}
		}
	}
	return nil
}

// shorten cuts a value to maxValueLength.
func shorten(value string) string {
	if n := 0; utf8.RuneCountInString(value) > maxValueLength {
		for i := range value {
			if n == maxValueLength {
				return value[:i] + "…"
			}
			n++
		}
	}
	return value
}

var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// OneLine returns an error that wraps err and has its text as one printable line.
func OneLine(err error) error { return &lineError{readable(err.Error()), err} }

type lineError struct {
	text  string
	cause error
}

func (e *lineError) Error() string { return e.text }
func (e *lineError) Unwrap() error { return e.cause }

// readable makes one line of the text of an error: it cuts long values, and escapes what a terminal
// would interpret.
func readable(text string) string {
	text = quoted.ReplaceAllStringFunc(text, func(q string) string {
		if utf8.RuneCountInString(q) <= maxValueLength+2 {
			return q
		}
		return strings.TrimRight(shorten(q), "\\…") + "…\""
	})
	if r := []rune(text); len(r) > maxErrorLength {
		text = string(r[:maxErrorLength*2/3]) + " … " + string(r[len(r)-maxErrorLength/3:])
	}
	var line strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			line.WriteRune(r)
			continue
		}
		line.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
	}
	return line.String()
}
