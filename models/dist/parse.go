package dist

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lbsim/internal/nearest"
)

const (
	maxDepth = 4    // of distributions in distributions
	maxText  = 4096 // bytes; a table of numbers belongs in a file
)

// Parse reads a distribution of the kinds that lbsim ships. See [Parser.Parse].
func Parse(text string, open func(name string) ([]byte, error)) (Distribution, error) {
	return Parser{Kinds: Catalog, Open: open}.Parse(text)
}

// Parser reads distributions from texts.
type Parser struct {
	// Kinds are the kinds that a text may name, by name: [Catalog], or more.
	Kinds map[string]Kind
	// Open reads a data file. Where it is nil, files are refused.
	Open func(name string) ([]byte, error)
}

// Parse reads a distribution from its text. The Forms of a kind show how to write it; parameters
// stand in any order, spaces are free, and a bare duration such as 10ms is constant(10ms).
//
// An error is one line that begins with the kind, for instance
//
//	lognormal: p99 (3ms) must be greater than p50 (5ms)
func (p Parser) Parse(text string) (Distribution, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("a distribution's text has at most %d bytes (has %d)",
			maxText, len(text))
	}
	return p.parse(text, 0)
}

func (p Parser) parse(text string, depth int) (Distribution, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, errors.New("no distribution (write e.g. 10ms or exponential(mean=10ms))")
	}
	if strings.ContainsRune("0123456789.+-", rune(text[0])) {
		return parseConstant(Call{Kind: "constant", Inner: text})
	}
	name, rest, hasParameters := strings.Cut(text, "(")
	name = strings.TrimSpace(name)
	full, known := p.find(name)
	if !known {
		hint := nearest.Hint(name, slices.Sorted(maps.Keys(p.Kinds)))
		return nil, fmt.Errorf("unknown distribution %s%s", quote(name), hint)
	}
	kind := p.Kinds[full]
	c := Call{Kind: full, forms: kind.Forms, parser: p, depth: depth}
	if !hasParameters {
		return nil, c.Errorf("no parameters (write %s)", c.formsText())
	}
	end := closing(rest)
	if end < 0 {
		return nil, c.Errorf("missing ) in %s", quote(text))
	}
	if after := strings.TrimSpace(rest[end+1:]); after != "" {
		return nil, c.Errorf("unexpected %s after the closing )", quote(after))
	}
	c.Inner = strings.TrimSpace(rest[:end])
	d, err := kind.Parse(c)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// find returns the full name of the kind that is called by its name or by an alias.
func (p Parser) find(name string) (full string, known bool) {
	if _, known := p.Kinds[name]; known {
		return name, true
	}
	for _, full := range slices.Sorted(maps.Keys(p.Kinds)) {
		if slices.Contains(p.Kinds[full].Aliases, name) {
			return full, true
		}
	}
	return "", false
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
