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

// Counts holds, by what was compared ("picks"), how many of it.
type Counts map[string]int

// notes are those of the tests that are running, by test and policy.
var notes = make(map[string]map[string]Counts)

// Note takes down that a test has compared n more of a policy with its original, without a mismatch
// if it passes. When it ends this must be what testdata/compared keeps of it.
func Note(t *testing.T, policy string, n int, what string) {
	t.Helper()
	name := t.Name()
	if notes[name] == nil {
		notes[name] = make(map[string]Counts)
		t.Cleanup(func() {
			if !t.Failed() {
				check(t, notes[name])
			}
			delete(notes, name)
		})
	}
	if notes[name][policy] == nil {
		notes[name][policy] = make(Counts)
	}
	notes[name][policy][what] += n
}

func check(t *testing.T, noted map[string]Counts) {
	var text bytes.Buffer
	for _, policy := range slices.Sorted(maps.Keys(noted)) {
		for _, what := range slices.Sorted(maps.Keys(noted[policy])) {
			fmt.Fprintln(&text, policy, noted[policy][what], what)
		}
	}
	file := filepath.Join("testdata", "compared", strings.ReplaceAll(t.Name(), "/", "-")+".txt")
	if kept := golden.Kept(t, file, text.Bytes()); !bytes.Equal(kept, text.Bytes()) {
		t.Errorf("compared\n%s%s has\n%s; -update rewrites it", text.Bytes(), file, kept)
	}
}

// In adds up what the tests of a package have compared, by policy.
func In(folder string) (map[string]Counts, error) {
	files, err := filepath.Glob(filepath.Join(folder, "testdata", "compared", "*.txt"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s: nothing is kept of what was compared (%v)", folder, err)
	}
	sum := make(map[string]Counts)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(text) {
			var policy, what string
			var n int
			if _, err := fmt.Sscan(string(line), &policy, &n, &what); err != nil {
				return nil, fmt.Errorf("%s: %q: %w", file, line, err)
			}
			if sum[policy] == nil {
				sum[policy] = make(Counts)
			}
			sum[policy][what] += n
		}
	}
	return sum, nil
}
