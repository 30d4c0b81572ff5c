package report

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"lbsim/experiments/analysis"
	"lbsim/experiments/layout"
)

// ReadSummary reads the summary of a results folder.
func ReadSummary(dir string) (*analysis.Summary, error) {
	data, err := os.ReadFile(filepath.Join(dir, layout.SummaryFile))
	if err != nil {
		return nil, fmt.Errorf("%s: no results folder: %w", dir, err)
	}
	s := &analysis.Summary{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("%s: summary.json is damaged: %w; run the experiment again",
			dir, err)
	}
	switch {
	case s.SchemaVersion != analysis.SchemaVersion:
		return nil, fmt.Errorf("%s: summary.json has schema version %d, this lbsim reads %d; run "+
			"the experiment again", dir, s.SchemaVersion, analysis.SchemaVersion)
	case len(s.Runs) == 0 || slices.Contains(s.Runs, nil):
		return nil, fmt.Errorf("%s: summary.json has no finished run", dir)
	}
	return s, nil
}

// Compare writes paired differences between two results folders of one experiment, which was run
// with two versions or configurations: each policy with itself, point by point, seed by seed.
func Compare(w io.Writer, dirA, dirB string) error {
	a, err := ReadSummary(dirA)
	if err != nil {
		return err
	}
	b, err := ReadSummary(dirB)
	if err != nil {
		return err
	}
	switch {
	case a.Name != b.Name && a.Question != b.Question:
		return fmt.Errorf("%s is of experiment %s, %s of %s: they ask different questions",
			dirA, a.Name, dirB, b.Name)
	case !slices.Equal(a.SweepKeys, b.SweepKeys):
		return fmt.Errorf("%s sweeps %q, %s %q: no point is the same",
			dirA, a.SweepKeys, dirB, b.SweepKeys)
	}
	a.Conclude()
	b.Conclude()
	resolvedA, err := ReadResolved(dirA)
	if err != nil {
		return err
	}
	resolvedB, err := ReadResolved(dirB)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "first:  %s\nsecond: %s\n", dirA, dirB)
	WriteConfigs(w, resolvedA, resolvedB)
	WriteVersions(w, dirA, dirB, a, b)
	s := &analysis.Summary{Baseline: "the first"}
	found := false
	for _, pb := range b.Points {
		for _, pa := range a.Points {
			if p := pb.Against(pa); maps.Equal(pa.Point, pb.Point) && len(p.Policies) > 0 {
				found = true
				for _, key := range a.SweepKeys {
					fmt.Fprintf(w, "\n%s = %s", key, p.Point[key])
				}
				writeDifferences(w, s, p)
			}
		}
	}
	if !found {
		return fmt.Errorf("%s and %s have no policy with two seeds at the same point in common",
			dirA, dirB)
	}
	fmt.Fprintln(w, `
Paired differences, second minus first, over the common seeds, with a verdict on the second.
?: cannot tell; ?+12: 12 more seeds would tell if the difference is real. identical: the same in
each run.`)
	return nil
}
