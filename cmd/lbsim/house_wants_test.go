package main_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// expectWants compares breaches in one of the snippets with its comments: a line that ends in
// "// want TEXT" must be a breach which says TEXT, each other line none.
func expectWants(t *testing.T, bad *packages.Package, file string, breaches []string) {
	t.Helper()
	wants := make(map[int]string)
	for _, f := range bad.Syntax {
		if filepath.Base(bad.Fset.Position(f.Pos()).Filename) != file {
			continue
		}
		for _, group := range f.Comments {
			for _, c := range group.List {
				if text, ok := strings.CutPrefix(c.Text, "// want "); ok {
					wants[bad.Fset.Position(c.Pos()).Line] = text
				}
			}
		}
	}
	if len(wants) == 0 {
		t.Fatalf("%s has no comment that says what is wanted", file)
	}
	got := make(map[int][]string)
	for _, b := range breaches {
		name, rest, _ := strings.Cut(b, ".go:")
		var line int
		if _, err := fmt.Sscanf(rest, "%d:", &line); err != nil {
			t.Fatalf("breach without a line: %q", b)
		}
		if filepath.Base(name)+".go" == file {
			got[line] = append(got[line], rest)
		}
	}
	for line, want := range wants {
		if !strings.Contains(strings.Join(got[line], "\n"), want) {
			t.Errorf("%s:%d: got breaches %q, want one that says %q", file, line, got[line], want)
		}
	}
	for line, b := range got {
		if _, ok := wants[line]; !ok {
			t.Errorf("%s:%d: got breaches %q, want none", file, line, b)
		}
	}
}
