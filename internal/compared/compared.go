// Package compared keeps how much tests have compared of each policy with its original, for
// docs/policies.md to tell.
package compared

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lbsim/internal/golden"
)

// counts holds, by what was compared ("picks"), how many of it.
type counts map[string]int

// notes are those of the tests that are running, by test and policy.
var notes = make(map[string]map[string]counts)

// noted are the tests that have taken something down, by the name of their file.
var noted = make(map[string]bool)

func fileName(test string) string { return strings.ReplaceAll(test, "/", "-") }

// Noted reports whether a test has noted something in this process.
func (k Kept) Noted() bool { return noted[k.Test] }

// Note takes down that a test has compared n more of a policy with its original, without a mismatch
// if it passes. When it ends this must be what testdata/compared keeps of it.
func Note(t *testing.T, policy string, n int, what string) {
	t.Helper()
	name := t.Name()
	noted[fileName(name)] = true
	if notes[name] == nil {
		notes[name] = make(map[string]counts)
		t.Cleanup(func() {
			if !t.Failed() {
				check(t, notes[name])
			}
			delete(notes, name)
		})
	}
	if notes[name][policy] == nil {
		notes[name][policy] = make(counts)
	}
	notes[name][policy][what] += n
}

func check(t *testing.T, noted map[string]counts) {
	var text bytes.Buffer
	for _, policy := range slices.Sorted(maps.Keys(noted)) {
		for _, what := range slices.Sorted(maps.Keys(noted[policy])) {
			fmt.Fprintln(&text, policy, noted[policy][what], what)
		}
	}
	file := filepath.Join("testdata", "compared", fileName(t.Name())+".txt")
	if kept := golden.Kept(t, file, text.Bytes()); !bytes.Equal(kept, text.Bytes()) {
		t.Errorf("compared\n%s%s has\n%s; -update rewrites it", text.Bytes(), file, kept)
	}
}

// Kept is how much a test has compared of a policy. Test is its name, with - for /.
type Kept struct {
	Test, Policy string
	N            int
	What         string
}

// In returns what the tests of a package have compared.
func In(folder string) (all []Kept, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "testdata", "compared", "*.txt"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s: nothing is kept of what was compared (%v)", folder, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(text) {
			k := Kept{Test: strings.TrimSuffix(filepath.Base(file), ".txt")}
			if _, err := fmt.Sscan(string(line), &k.Policy, &k.N, &k.What); err != nil {
				return nil, fmt.Errorf("%s: %q: %w", file, line, err)
			}
			all = append(all, k)
		}
	}
	return all, nil
}
