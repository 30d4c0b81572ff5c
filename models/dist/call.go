package dist

import (
	"fmt"
	"strings"
)

// Call is a text taken apart as kind(inner). A [Kind] makes a distribution of it.
type Call struct {
	// Kind is the name of the kind, also where the text has an alias.
	Kind string
	// Inner is the text between the parentheses, without spaces at its ends.
	Inner string

	forms  []string
	parser Parser
	depth  int // how many distributions are around it
}

// Errorf returns an error that begins with the kind.
func (c Call) Errorf(format string, values ...any) error {
	return fmt.Errorf("%s: "+format, append([]any{c.Kind}, values...)...)
}

// Nested reads a distribution inside this one, whose text is a part of Inner.
func (c Call) Nested(text string) (Distribution, error) {
	if c.depth >= maxDepth {
		return nil, fmt.Errorf("distributions are nested more than %d deep", maxDepth)
	}
	return c.parser.parse(text, c.depth+1)
}

// Open reads a data file.
func (c Call) Open(name string) ([]byte, error) {
	if c.parser.Open == nil {
		return nil, fmt.Errorf("no file can be read here (%s)", quote(name))
	}
	return c.parser.Open(name)
}

// Parts returns the parts of Inner between commas, except commas in parentheses. There is at least
// one part, maybe an empty one.
func (c Call) Parts() []string { return splitTop(c.Inner) }

// formsText shows how the kind is written.
func (c Call) formsText() string { return strings.Join(c.forms, " or ") }
