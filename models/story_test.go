package models_test

import (
	"path/filepath"
	"strings"
	"testing"

	"lbsim/models"
	"lbsim/options"
	"lbsim/sim"

	"github.com/cockroachdb/datadriven"
)

// The stories in testdata tell every path that an RPC can take, event by event:
//
//	world         a new world, described below in lines "WORD [NAME] KEY=VALUE..." (see world.add)
//	run 10ms      all up to and including that moment of the run
//
// The answer of run is a line for each event that changed something that can be seen. Events at one
// moment stand in their order. After a change that is meant, -rewrite writes the answers anew: read
// the difference and keep only what you can explain.
func TestStories(t *testing.T) {
	stories, _ := filepath.Glob("testdata/*.txt")
	if len(stories) < 5 {
		t.Fatalf("found the stories %q only", stories)
	}
	for _, path := range stories {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) {
			var j *models.Journal
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				switch d.Cmd {
				case "world":
					j = models.NewJournal(readWorld(t, d.Input))
					return ""
				case "run":
					until, err := options.ParseDuration(d.CmdArgs[0].Key)
					if err != nil {
						t.Fatal(err)
					}
					j.Run(sim.Time(until))
					return strings.Join(j.Take(), "\n")
				}
				t.Fatalf("unknown command %q", d.Cmd)
				return ""
			})
		})
	}
}
