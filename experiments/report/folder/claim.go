package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lbsim/experiments/layout"
)

// Claim refuses a folder with files that lbsim has not written under names that are taken.
func (f *Folder) Claim(taken func(name string) bool) error {
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return CannotWrite(f.Dir, err)
	}
	for _, e := range entries {
		if name := e.Name(); !f.force && taken(name) && !f.ours[name] {
			return f.foreignFile(name)
		}
	}
	return nil
}

// ClaimData refuses to replace a file that lbsim has not written by the copy of a data file, unless
// the two have the same content.
func (f *Folder) ClaimData(name string, content []byte) error {
	there, err := os.ReadFile(filepath.Join(f.Dir, filepath.FromSlash(name)))
	switch {
	case f.force, f.ours[name], errors.Is(err, fs.ErrNotExist), string(there) == string(content):
		return nil
	}
	return f.foreignFile(name)
}

// foreignFile returns the error about a file that lbsim has not written.
func (f *Folder) foreignFile(name string) error {
	return fmt.Errorf("%s: %s is in the way, which no lbsim has written: move it elsewhere, "+
		"choose another folder, or replace it with -force", f.Dir, name)
}

// ClaimFor refuses to replace results of another experiment: one from another file whose resolved
// text differs.
func (f *Folder) ClaimFor(source, resolved string) error {
	if f.force || f.Earlier.Source == "" || f.Earlier.Source == source {
		return nil
	}
	kept, err := os.ReadFile(filepath.Join(f.Dir, layout.ResolvedFile))
	if err == nil && string(kept) == resolved {
		return nil
	}
	return fmt.Errorf("%s holds results of another experiment, %s: choose another folder with "+
		"-out, or replace them with -force", f.Dir, f.shown(f.Earlier.Source))
}

const shippedPrefix = "shipped "

// SourceOf returns the source of an experiment, as in [Contents].
func (f *Folder) SourceOf(name, file string, shipped bool) string {
	if shipped {
		return shippedPrefix + name
	}
	return seenFrom(f.Dir, file)
}

// shown returns a source for a message: a file by its path from the working directory.
func (f *Folder) shown(source string) string {
	if strings.HasPrefix(source, shippedPrefix) || filepath.IsAbs(source) {
		return source
	}
	file := filepath.Join(f.Dir, source)
	if here, err := os.Getwd(); err == nil {
		if rel := seenFrom(here, file); filepath.IsLocal(rel) {
			return rel
		}
	}
	return file
}

// seenFrom returns the path of a file relative to a folder.
func seenFrom(dir, file string) string {
	real := func(name string) string {
		if full, err := filepath.Abs(name); err == nil {
			name = full
		}
		if full, err := filepath.EvalSymlinks(name); err == nil {
			name = full
		}
		return name
	}
	file = real(file)
	if rel, err := filepath.Rel(real(dir), file); err == nil {
		return filepath.ToSlash(rel)
	}
	return file
}
