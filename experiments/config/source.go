package config

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"lbsim/options"
)

// File is the text of an experiment, and the file systems with its data files.
type File struct {
	Name string // as the user wrote it
	Text []byte
	// Dir has the files beside this file and below; nil for none.
	Dir fs.FS
	// Root has the files at absolute paths; nil for none.
	Root fs.FS
	// Shipped reports whether the file ships with lbsim.
	Shipped bool
}

// source is the text of an experiment, parsed, with the lines of its keys.
type source struct {
	File
	text string

	read map[string][]byte // data files that were read, by their names in the text
	data map[string][]byte // those of them with relative paths

	memo memo // shared by the points

	maxData int64 // bytes

	meta  toml.MetaData
	top   map[string]toml.Primitive
	tree  map[string]any
	names map[string][]string // by top-level table: its keys in the order of the file
	set   []assignment        // changes to tree by the command line

	kinds Kinds // the shipped ones included
	codec *options.Codec
}

// newSource parses the text of an experiment.
func newSource(f File, force bool) (*source, error) {
	s := &source{
		File: f, text: string(f.Text), read: map[string][]byte{}, data: map[string][]byte{},
		maxData: maxDataBytes,
	}
	if force {
		s.maxData = math.MaxInt64 - 1
	}
	return s, s.parse()
}

// parse parses the text, whose syntax errors have the line.
func (s *source) parse() error {
	if err := checkNesting(s.text); err != nil {
		return fmt.Errorf("%s:%w", s.Name, err)
	}
	if _, err := toml.Decode(s.text, &s.tree); err != nil {
		var pe toml.ParseError
		if errors.As(err, &pe) {
			return fmt.Errorf("%s:%d: %s", s.Name, pe.Position.Line, cleanMessage(pe.Message))
		}
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	meta, err := toml.Decode(s.text, &s.top)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	s.meta, s.names = meta, map[string][]string{}
	for _, k := range meta.Keys() {
		if len(k) == 1 {
			continue
		}
		if of := s.names[k[0]]; len(of) == 0 || of[len(of)-1] != k[1] {
			s.names[k[0]] = append(of, k[1])
		}
	}
	return nil
}

// cleanMessage adapts a message of the TOML package to the middle of a line.
func cleanMessage(message string) string {
	message = strings.TrimSuffix(message, ".")
	if strings.HasPrefix(message, "Key ") {
		return "k" + message[1:]
	}
	return message
}

// lineProbe fails to decode, to learn the line of a value from the error.
type lineProbe struct{}

func (*lineProbe) UnmarshalTOML(any) error { return errors.New("here") }

// line returns the line of a key, or of its nearest enclosing table in the file.
func (s *source) line(key []string) int {
	for ; len(key) > 0; key = key[:len(key)-1] {
		if line := s.exactLine(key); line > 0 {
			return line
		}
	}
	return 1
}

// exactLine returns the line of a key, or 0 if the file does not have it.
func (s *source) exactLine(key []string) int {
	table := s.top
	for i, part := range key {
		value, found := table[part]
		if !found {
			return 0
		}
		if i == len(key)-1 {
			var pe toml.ParseError
			if errors.As(s.meta.PrimitiveDecode(value, &lineProbe{}), &pe) {
				return s.firstLine(pe.Position.Line, part)
			}
			return 0
		}
		table = nil
		if s.meta.PrimitiveDecode(value, &table) != nil {
			return 0
		}
	}
	return 0
}

// firstLine returns the first line of a text of several lines, for which the TOML package reports
// the last line: the nearest line above that assigns to its key.
func (s *source) firstLine(last int, key string) int {
	lines := strings.Split(s.text, "\n")
	if last < 1 || last > len(lines) ||
		!strings.HasSuffix(strings.TrimSpace(lines[last-1]), "'''") {
		return last
	}
	for n := last; n > 0; n-- {
		name, _, assigns := strings.Cut(lines[n-1], "=")
		if assigns && strings.TrimSpace(name) == key {
			return n
		}
	}
	return last
}

// order returns the keys of a top-level table of a tree, in the order of the file. Keys that are
// not in the file come last.
func (s *source) order(tree map[string]any, table string) []string {
	there, _ := tree[table].(map[string]any)
	var names []string
	placed := map[string]bool{}
	for _, name := range append(slices.Clip(s.names[table]), sortedKeys(there)...) {
		if _, is := there[name]; is && !placed[name] {
			names = append(names, name)
			placed[name] = true
		}
	}
	return names
}

// locate puts the file and line before an error about a key, or the assignment that set the key.
func (s *source) locate(err error) error {
	var ke *options.KeyError
	if !errors.As(err, &ke) {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	for _, a := range s.set {
		if slices.Equal(a.path, ke.Key) {
			return fmt.Errorf("-set %s: %w", a.text, ke.Err)
		}
	}
	return fmt.Errorf("%s:%d: %w", s.Name, s.line(ke.Key), err)
}

// BaseName returns the name of the experiment in a file.
func BaseName(file string) string {
	return strings.TrimSuffix(filepath.Base(file), ".toml")
}
