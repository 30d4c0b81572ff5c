package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"strings"

	"lbsim/experiments/layout"
	"lbsim/internal/numtext"
)

const (
	maxFileBytes   = 4_000_000   // of an experiment
	maxDataBytes   = 256_000_000 // of all data files of an experiment
	maxNestingWork = 20_000_000  // squares of the depths of all keys
	maxDepth       = 32          // of nested tables or lists, and of parts of a key
)

// ErrFolder is the error about a folder in place of a file.
var ErrFolder = errors.New("is a folder, not a file")

// ReadFile reads the file of an experiment. With force it may have any size.
func ReadFile(dir fs.FS, name string, force bool) ([]byte, error) {
	if force {
		return readRegular(dir, name, math.MaxInt64-1)
	}
	return readRegular(dir, name, maxFileBytes)
}

// readRegular reads a regular file of at most most bytes. Other files, such as pipes, might have no
// end.
func readRegular(dir fs.FS, name string, most int64) ([]byte, error) {
	info, err := fs.Stat(dir, name)
	var pe *fs.PathError
	if errors.As(err, &pe) {
		pe.Op = "open" // what the user asked for
	}
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, ErrFolder
	case !info.Mode().IsRegular():
		return nil, errors.New("is no regular file (a pipe or a device): " +
			"write its content to one")
	}
	file, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if int64(len(data)) > most {
		return nil, errTooLarge(most)
	}
	return data, err
}

// errTooLarge returns the error about a file of more bytes than most.
func errTooLarge(most int64) error {
	return fmt.Errorf("has more than %s, which is too much; -force lifts the limit",
		numtext.Bytes(float64(most)))
}

// open reads a data file beside the experiment or below it, or at an absolute path. It reads each
// file once, so that all points have the same content.
func (s *source) open(name string) ([]byte, error) {
	dir, key := s.Dir, path.Clean(filepath.ToSlash(name))
	if filepath.IsAbs(name) {
		dir, key = s.Root, name
	} else if !fs.ValidPath(key) {
		return nil, fmt.Errorf("%s: a data file must lie beside the experiment or below it, "+
			"or be named by its absolute path", name)
	}
	if dir == nil {
		return nil, fmt.Errorf("%s: this experiment can name no such files", name)
	}
	if data, has := s.read[key]; has {
		return data, nil
	}
	if !filepath.IsAbs(name) { // the results folder gets a copy
		if err := layout.CheckDataName(key); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	left := s.maxData
	for _, data := range s.read {
		left -= int64(len(data))
	}
	data, err := readRegular(dir, key, left)
	var pe *fs.PathError
	if err != nil && !errors.As(err, &pe) {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err == nil {
		s.read[key] = data
		if !filepath.IsAbs(name) {
			s.data[key] = data
		}
	}
	return data, err
}

// nesting computes how deeply the keys of a TOML text are nested. Time and memory of the TOML
// package grow with the square of the depth.
type nesting struct {
	line      int
	outer     []int // by open bracket: parts of the enclosing keys
	enclosing int   // parts of the enclosing keys
	parts     int   // parts of the key that is being read
	header    int   // parts of the name of the table
	work      int   // sum of the squares of the depths of all keys
}

// checkNesting refuses a text that the TOML package would take very long to read.
func checkNesting(text string) error {
	n := nesting{line: 1, parts: 1}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '#':
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case '"', '\'':
			end := quotedEnd(text, i)
			n.line += strings.Count(text[i:end], "\n")
			i = end - 1
		default:
			n.sign(text[i])
		}
		if len(n.outer) > maxDepth || n.enclosing+n.parts > maxDepth {
			return fmt.Errorf("%d: more than %d tables, lists or parts of a key are in each other",
				n.line, maxDepth)
		}
	}
	if n.work > maxNestingWork {
		return fmt.Errorf("%d: has too many tables or keys in each other: nest them less", 1)
	}
	return nil
}

// sign reads a byte outside of texts and comments.
func (n *nesting) sign(b byte) {
	switch b {
	case '\n':
		n.line++
		if len(n.outer) == 0 {
			n.parts = 1
		}
	case '.':
		n.parts++
	case ',':
		n.parts = 1
	case '=':
		depth := n.header + n.enclosing + n.parts
		n.work += depth * depth
	case '[', '{':
		n.outer = append(n.outer, n.enclosing)
		n.enclosing, n.parts = n.enclosing+n.parts, 1
	case ']', '}':
		if last := len(n.outer) - 1; last >= 0 {
			if last == 0 {
				n.header = n.parts
			}
			n.enclosing, n.outer = n.outer[last], n.outer[:last]
		}
		n.parts = 1
	}
}

// quotedEnd returns the index after the closing quote of the text that begins at i.
func quotedEnd(text string, i int) int {
	quote := text[i : i+1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(text[i:], long) {
		quote = long
	}
	for k := i + len(quote); k < len(text); k++ {
		switch {
		case text[k] == '\\' && quote[0] == '"':
			k++
		case text[k] == '\n' && len(quote) == 1:
			return k // invalid; the TOML package reports it
		case strings.HasPrefix(text[k:], quote):
			k += len(quote)
			for len(quote) == 3 && k < len(text) && text[k] == quote[0] {
				k++ // quotes may precede the last three
			}
			return k
		}
	}
	return len(text)
}
