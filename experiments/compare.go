package experiments

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// readSummary reads the summary of a results folder.
func readSummary(dir string) (*Summary, error) {
	data, err := os.ReadFile(filepath.Join(dir, summaryFile))
	if err != nil {
		return nil, fmt.Errorf("%s: no results folder: %w", dir, err)
	}
	s := &Summary{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("%s: summary.json is damaged: %w; run the experiment again",
			dir, err)
	}
	switch {
	case s.SchemaVersion != SchemaVersion:
		return nil, fmt.Errorf("%s: summary.json has schema version %d, this lbsim reads %d; run "+
			"the experiment again", dir, s.SchemaVersion, SchemaVersion)
	case len(s.Runs) == 0 || slices.Contains(s.Runs, nil):
		return nil, fmt.Errorf("%s: summary.json has no finished run", dir)
	}
	return s, nil
}

// Compare writes how the results in a second folder differ from those in a first, of the same
// experiment run with another version or configuration: each policy with itself, point by point.
// Runs of one seed are paired.
func Compare(w io.Writer, dirA, dirB string) error {
	a, err := readSummary(dirA)
	if err != nil {
		return err
	}
	b, err := readSummary(dirB)
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
	a.conclude()
	b.conclude()
	resolvedA, err := readResolved(dirA)
	if err != nil {
		return err
	}
	resolvedB, err := readResolved(dirB)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "first:  %s\nsecond: %s\n", dirA, dirB)
	writeConfigs(w, resolvedA, resolvedB)
	writeVersions(w, dirA, dirB, a, b)
	s := &Summary{Baseline: "the first"}
	found := false
	for _, pb := range b.Points {
		for _, pa := range a.Points {
			if p := pb.against(pa); maps.Equal(pa.Point, pb.Point) && len(p.Policies) > 0 {
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
The second less the first, over the seeds that both have, and what that says of the second.
?: cannot tell; ?+12: with 12 more seeds one could, if the difference is real. identical: the same
in each run.`)
	return nil
}
