package policytest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"lbsim/options"
	"lbsim/policies"
)

// RunStories plays the stories of a folder, FOLDER/KIND.txt, one for each kind of the catalog. A
// kind without a story is an error, and so is a story of no kind. A story is commands, each
// followed by a line "----" and the answer, with an empty line before the next command. A line that
// begins with # is a comment. See [Script] for the commands.
//
// After an intended change, "go test -rewrite" writes the answers again: read the difference and
// keep only what you can explain.
func RunStories(t *testing.T, folder string, catalog options.Catalog[policies.Policy]) {
	for _, kind := range catalog.Names() {
		t.Run(kind, func(t *testing.T) {
			path := filepath.Join(folder, kind+".txt")
			if found, _ := filepath.Glob(path); found == nil {
				t.Fatalf("policy %s is in the catalog but has no story %s", kind, path)
			}
			s := NewScript(catalog)
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				answer, err := s.play(d.Cmd, d.CmdArgs, d.Input)
				if err != nil {
					d.Fatalf(t, "%v", err)
				}
				return answer
			})
		})
	}
	stories, _ := filepath.Glob(filepath.Join(folder, "*.txt"))
	for _, path := range stories {
		kind := strings.TrimSuffix(filepath.Base(path), ".txt")
		if catalog[kind] == nil {
			t.Errorf("%s tells of %s, which is not in the catalog", path, kind)
		}
	}
}

// Step is a command, with options in further lines, and the answer that is wanted, with "; "
// between its lines.
type Step [2]string

// PlaySteps plays steps to a new balancer, built with the words that follow "build policy=".
func PlaySteps(
	t *testing.T, catalog options.Catalog[policies.Policy], policy string, steps []Step,
) {
	t.Helper()
	s := NewScript(catalog)
	for i, st := range append([]Step{{"build policy=" + policy}}, steps...) {
		do, want := st[0], st[1]
		answer, err := s.Play(do)
		if err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		if got := strings.ReplaceAll(answer, "\n", "; "); got != want {
			t.Fatalf("step %d, %s:\ngot  %s\nwant %s", i, do, got, want)
		}
	}
}
