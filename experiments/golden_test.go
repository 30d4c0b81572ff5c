package experiments_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/internal/golden"
)

// kept are the experiments whose goldens are kept.
func kept() []string { return append(experiments.Questions(), "bench-w", "bench-w2") }

// Of every shipped experiment the comparison and the digests are kept. A golden that
// changes is a changed result: the commit says why.
func TestShippedExperimentsGiveTheirGoldens(t *testing.T) {
	for _, name := range kept() {
		t.Run(name, func(t *testing.T) {
			e, err := experiments.Load(name, experiments.Options{})
			if err != nil {
				t.Fatal(err)
			}
			files := results(t, e, 2)
			var got bytes.Buffer
			got.Write(files["summary.txt"])
			for line := range strings.Lines(string(files["summary.json"])) {
				if strings.Contains(line, `"digest"`) {
					fmt.Fprintln(&got, strings.TrimSpace(line))
				}
			}
			file := filepath.Join("testdata", name+".golden")
			want := golden.Kept(t, file, got.Bytes())
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("got:\n%s\nwant:\n%s", got.Bytes(), want)
			}
		})
	}
}

func TestShippedExperimentsOpenWithTheirQuestion(t *testing.T) {
	for _, name := range experiments.ShippedNames() {
		if q := experiments.ShippedQuestion(name); !strings.Contains(q, "?") {
			t.Errorf("%s: its first line %q asks nothing", name, q)
		}
	}
}
