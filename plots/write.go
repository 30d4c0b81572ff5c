package plots

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Write draws every kind of plot for which the table was read and has rows, once for each sweep
// point, as SVG and PNG, into a folder (made if need be). It returns the names of the files in the
// order in which they were written. A file appears whole or not at all. The caption stands under
// each. Before each picture it asks goOn, if that is not nil, with how many of all that there may
// be are done; an error ends it.
func Write(
	dir string, t *Table, about Caption, goOn func(done, all int) error,
) ([]string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("plots: %w", err)
	}
	var written []string
	taken := map[string]bool{}
	points, kinds := t.points(), slices.Sorted(maps.Keys(t.kinds))
	for i, p := range points {
		for j, kind := range kinds {
			if goOn != nil {
				if err := goOn(i*len(kinds)+j, len(points)*len(kinds)); err != nil {
					return written, err
				}
			}
			f := t.kinds[kind].Draw(p)
			if f == nil {
				continue
			}
			f.foot = about.lines(p)
			svg, pixels, err := encode(f)
			if err != nil {
				return written, fmt.Errorf("plots: %s: %w", kind, err)
			}
			stem := fileStem(kind, t.sweep, p.swept, taken)
			for _, file := range []struct {
				name string
				data []byte
			}{{stem + ".svg", svg}, {stem + ".png", pixels}} {
				if err := writeWhole(dir, file.name, file.data); err != nil {
					return written, fmt.Errorf("plots: %w", err)
				}
				written = append(written, file.name)
			}
		}
	}
	return written, nil
}

// maxStem keeps file names below the 255 bytes that file systems allow.
const maxStem = 200

// fileStem names a picture: the kind, and behind an @ the sweep point. What a file system might
// refuse becomes _; a name that is taken already gets a number.
func fileStem(kind string, keys, values []string, taken map[string]bool) string {
	stem := kind
	for i, k := range keys {
		sep := ","
		if i == 0 {
			sep = "@"
		}
		stem += sep + safe(k) + "=" + safe(values[i])
	}
	stem = stem[:min(len(stem), maxStem)]
	name := stem
	for n := 2; taken[strings.ToLower(name)]; n++ { // some file systems ignore case
		name = fmt.Sprintf("%s~%d", stem, n)
	}
	taken[strings.ToLower(name)] = true
	return name
}

// safe keeps letters, digits and a few signs of ASCII.
func safe(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9',
			strings.ContainsRune("._+-", r):
			return r
		}
		return '_'
	}, s)
}

// writeWhole writes under another name first and renames.
func writeWhole(dir, name string, data []byte) (err error) {
	f, err := os.CreateTemp(dir, "."+name+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644) // CreateTemp lets nobody else read
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(dir, name))
}
