package command

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"lbsim/internal/validation"
)

// validate compares lbsim with theory and writes a page about it.
func (a *app) validate(ctx context.Context, args []string) error {
	var quick bool
	var jobs int
	var out string
	fs := flag.NewFlagSet("lbsim validate", flag.ContinueOnError)
	fs.BoolVar(&quick, "quick", false, "only the quick part, a minute's work")
	fs.IntVar(&jobs, "jobs", a.jobs, "how many `runs` at a time")
	fs.StringVar(&out, "out", "",
		"the `file` to write (default docs/accuracy.md, with -quick docs/accuracy-quick.md)")
	names, err := a.parse(fs, args)
	if err != nil {
		return err
	}
	switch {
	case len(names) > 0:
		return usagef("unexpected %q", names[0])
	case jobs < 1:
		return usagef("-jobs must be at least 1 (is %d)", jobs)
	case out == "" && quick:
		out = filepath.Join("docs", "accuracy-quick.md")
	case out == "":
		out = filepath.Join("docs", "accuracy.md")
	}
	f, err := os.CreateTemp(filepath.Dir(out), ".accuracy-*")
	if err != nil {
		return usageError{err}
	}
	defer os.Remove(f.Name()) // unless it has got its name
	defer f.Close()
	s := validation.New(quick)
	if err := a.runSuite(ctx, s, jobs); err != nil {
		return err
	}
	if err := s.WriteMarkdown(f); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), out); err != nil {
		return err
	}
	return a.verdict(s, out)
}

// runSuite makes the runs, with a progress bar.
func (a *app) runSuite(ctx context.Context, s *validation.Suite, jobs int) error {
	bar := a.progress(len(s.Experiments)*validation.Replications, "validate", "runs", false)
	err := s.Run(ctx, jobs, bar.Add)
	bar.Finish()
	return err
}

// verdict prints the rows that fail and how many hold. Rows that fail are an error.
func (a *app) verdict(s *validation.Suite, out string) error {
	for i := range s.Experiments {
		e := &s.Experiments[i]
		for _, r := range e.Rows {
			if !r.Holds {
				fmt.Fprintf(a.stdout, "%s: %s: %s: %.5g to %.5g, exactly %.5g\n",
					e.Family, e.Name(), r.Metric, r.Low, r.High, r.Exact)
			}
		}
	}
	rows, failed := s.Count()
	fmt.Fprintf(a.stdout, "%d of %d values hold; see %s\n", rows-failed, rows, out)
	if failed > 0 {
		return fmt.Errorf("%d values do not agree with theory", failed)
	}
	return nil
}
