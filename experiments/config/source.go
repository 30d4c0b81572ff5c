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

// File is the text of an experiment, and where the files are that it names.
type File struct {
	Name string // as the user knows it
	Text []byte
	// Dir has the files beside this one and below; nil for none.
	Dir fs.FS
	// Root has the files that are named by absolute paths; nil for none.
	Root fs.FS
	// Shipped: the file comes with lbsim.
	Shipped bool
}

// source is the text of an experiment and what its keys say about places in it.
type source struct {
	File
	text string

	read map[string][]byte // those that were read, by the name that it has for them
	data map[string][]byte // those of them that lie beside it or below

	made memo // of texts, for the points

	mostData int64 // bytes

	meta  toml.MetaData
	top   map[string]toml.Primitive
	tree  map[string]any
	names map[string][]string // under each table at the top, in the order of the file
	set   []assignment        // what the command line has changed in tree

	kinds Kinds // all
	codec *options.Codec
}

// newSource takes the text of an experiment apart.
func newSource(f File, force bool) (*source, error) {
	s := &source{
		File: f, text: string(f.Text), read: map[string][]byte{}, data: map[string][]byte{},
		mostData: mostData,
	}
	if force {
		s.mostData = math.MaxInt64 - 1
	}
	return s, s.parse()
}

func (s *source) parse() error {
	if err := checkNesting(s.text); err != nil {
		return fmt.Errorf("%s:%w", s.Name, err)
	}
	if _, err := toml.Decode(s.text, &s.tree); err != nil {
		var pe toml.ParseError
		if errors.As(err, &pe) {
			return fmt.Errorf("%s:%d: %s", s.Name, pe.Position.Line, plain(pe.Message))
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

// plain makes a message of the TOML package fit for the middle of a line.
func plain(message string) string {
	message = strings.TrimSuffix(message, ".")
	if strings.HasPrefix(message, "Key ") {
		return "k" + message[1:]
	}
	return message
}

// probe is decoded into only to learn where a value stands.
type probe struct{}

func (*probe) UnmarshalTOML(any) error { return errors.New("here") }

// line returns the line of a key, or of the nearest table around it that the file has.
func (s *source) line(key []string) int {
	for ; len(key) > 0; key = key[:len(key)-1] {
		if line := s.exactLine(key); line > 0 {
			return line
		}
	}
	return 1
}

func (s *source) exactLine(key []string) int {
	table := s.top
	for i, part := range key {
		value, found := table[part]
		if !found {
			return 0
		}
		if i == len(key)-1 {
			var pe toml.ParseError
			if errors.As(s.meta.PrimitiveDecode(value, &probe{}), &pe) {
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

// firstLine returns the line in which a text of several lines begins that ends in line last, where
// the TOML package places it: the nearest one above that assigns to its key.
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

// order returns the names under a table of a tree, in the order of the file; those that are not in
// the file come last.
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

// locate puts file and line before an error about a key, or the assignment that set it.
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

// BaseName is the name of the experiment in a file.
func BaseName(file string) string {
	return strings.TrimSuffix(filepath.Base(file), ".toml")
}
