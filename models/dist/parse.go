package dist

import (
	"errors"
	"fmt"
	"strings"

	"lbsim/internal/nearest"
)

const (
	maxDepth = 4    // of mixtures in mixtures
	maxText  = 4096 // bytes; a table of numbers belongs in a file
)

// Parse reads a distribution from its text. See [Catalog] for the forms; parameters stand in any
// order, spaces are free, and a bare duration such as 10ms is constant(10ms). Files are read by
// open; where it is nil they are refused.
//
// An error is one line that begins with the kind, for instance
//
//	lognormal: p99 (3ms) must be greater than p50 (5ms)
func Parse(text string, open func(name string) ([]byte, error)) (Distribution, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("a distribution's text has at most %d bytes (has %d)",
			maxText, len(text))
	}
	return parse(text, open, 0)
}

// call is a text taken apart as kind(inner).
type call struct {
	kind  string // the full name
	inner string
	forms []string
	open  func(name string) ([]byte, error)
	depth int // how many mixtures are around it
}

func (c call) errorf(format string, values ...any) error {
	return fmt.Errorf(c.kind+": "+format, values...)
}

func parse(text string, open func(string) ([]byte, error), depth int) (Distribution, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, errors.New("no distribution (write e.g. 10ms or exponential(mean=10ms))")
	}
	if strings.ContainsRune("0123456789.+-", rune(text[0])) {
		return parseConstant(call{kind: "constant", inner: text})
	}
	name, rest, hasParameters := strings.Cut(text, "(")
	name = strings.TrimSpace(name)
	entry, ok := find(name)
	if !ok {
		return nil, fmt.Errorf("unknown distribution %s%s", quote(name), knownNames(name))
	}
	c := call{kind: entry.Name, forms: entry.Forms, open: open, depth: depth}
	if !hasParameters {
		return nil, c.errorf("no parameters (write %s)", strings.Join(c.forms, " or "))
	}
	end := closing(rest)
	if end < 0 {
		return nil, c.errorf("missing ) in %s", quote(text))
	}
	if after := strings.TrimSpace(rest[end+1:]); after != "" {
		return nil, c.errorf("unexpected %s after the closing )", quote(after))
	}
	c.inner = strings.TrimSpace(rest[:end])
	d, err := entry.parse(c)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// knownNames names the nearest kind to the unknown one, and all there are.
func knownNames(name string) string {
	var known []string
	for _, e := range Catalog() {
		known = append(known, e.Name)
	}
	return nearest.Hint(name, known)
}

// closing returns where the parenthesis that stands before s is closed, or -1.
func closing(s string) int {
	depth := 1
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}

// splitTop splits s at the commas outside parentheses. It has at least one, maybe empty, element.
func splitTop(s string) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(s) {
		switch {
		case s[i] == '(':
			depth++
		case s[i] == ')':
			depth--
		case s[i] == ',' && depth == 0:
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}

// quote puts s, shortened, in quotes with nothing unprintable inside.
func quote(s string) string { return fmt.Sprintf("%q", shorten(s)) }

// shorten cuts s to what an error line can hold.
func shorten(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}
