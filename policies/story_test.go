package policies

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// names lists the catalog.
func names() []string { return slices.Sorted(maps.Keys(Catalog)) }

// Every policy has a story, testdata/NAME.txt. After a change that is meant, -rewrite writes the
// answers anew: read the difference and keep only what you can explain.
func TestStories(t *testing.T) {
	for _, name := range names() {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", name+".txt")
			if found, _ := filepath.Glob(path); found == nil {
				t.Fatalf("policy %s is in the catalog but has no story %s", name, path)
			}
			s := new(script)
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				s.input = d.Input
				return s.play(d.Cmd, d.CmdArgs)
			})
		})
	}
}

func TestEveryStoryIsOfAPolicy(t *testing.T) {
	stories, _ := filepath.Glob("testdata/*.txt")
	for _, path := range stories {
		name := filepath.Base(path[:len(path)-len(".txt")])
		if Catalog[name] == nil {
			t.Errorf("%s tells of %s, which is not in the catalog", path, name)
		}
	}
}
