package options

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// KeyError is something wrong with one key.
type KeyError struct {
	Key []string // the tables on the way to it, and its name
	Err error    // what is wrong, and what would be right
}

// Error returns "backends.b.speed: must be greater than 0 (is 0)".
func (e *KeyError) Error() string { return Path(e.Key) + ": " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *KeyError) Unwrap() error { return e.Err }

// Errorf returns a [KeyError] with a text as of [fmt.Errorf].
func Errorf(key []string, format string, values ...any) error {
	return &KeyError{key, fmt.Errorf(format, values...)}
}

// Under returns an error about the options of what stands under a key as one about that option: a
// [KeyError], or a text that begins with the name of an option and a colon ("child.interval: must
// be ..."), as packages write it that have no KeyErrors. Other errors are about the key itself.
func Under(key []string, err error) error {
	if err == nil {
		return nil
	}
	if ke, is := err.(*KeyError); is {
		return &KeyError{slices.Concat(key, ke.Key), ke.Err}
	}
	option, what, found := strings.Cut(err.Error(), ": ")
	if !found || strings.ContainsAny(option, " \"'(") {
		return &KeyError{key, err}
	}
	return &KeyError{slices.Concat(key, strings.Split(option, ".")), errors.New(what)}
}

// Path returns a key as it stands in a file: its parts with dots between them, in quotes where they
// need some.
func Path(key []string) string {
	parts := make([]string, len(key))
	for i, part := range key {
		parts[i] = part
		if part == "" || strings.ContainsFunc(part, needsQuotes) {
			parts[i] = Quote(part)
		}
	}
	return strings.Join(parts, ".")
}

func needsQuotes(r rune) bool {
	return !('A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' ||
		r == '_' || r == '-')
}

// Wrong returns the error that a value is of another sort than is wanted: "must be a table (is
// 5)".
func Wrong(key []string, want string, got any) error {
	is := fmt.Sprintf("%v", got)
	switch v := got.(type) {
	case string:
		is = fmt.Sprintf("the text %q", v)
	case map[string]any:
		is = "a table"
	case []map[string]any:
		is = "a list of tables; name them [" + strings.Join(key, ".") + ".NAME]"
	case []any:
		is = "a list"
	}
	return Errorf(key, "must be %s (is %s)", want, is)
}

// Sub returns the key of an option of what stands under a key.
func Sub(key []string, name string) []string { return append(slices.Clone(key), name) }
