package command

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/schollz/progressbar/v3"

	"lbsim/experiments"
	"lbsim/internal/nearest"
)

// runFlags are the flags of lbsim run.
type runFlags struct {
	config, out, format string
	set, policies       texts
	seed                seed
	jobs                int
	quiet               bool
}

// texts is a flag that may be repeated.
type texts []string

func (t *texts) String() string     { return strings.Join(*t, ",") }
func (t *texts) Set(s string) error { *t = append(*t, s); return nil }

// seed is a flag that may be absent.
type seed struct{ value *uint64 }

func (s *seed) String() string { return "" }
func (s *seed) Set(text string) error {
	v, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return errors.New("must be a whole number from 0 on")
	}
	s.value = &v
	return nil
}

var formats = []string{"text", "csv", "json"}

func (a *app) runFlags(args []string) (*runFlags, error) {
	f := &runFlags{}
	fs := flag.NewFlagSet("lbsim run", flag.ContinueOnError)
	fs.StringVar(&f.config, "config", "", "the experiment: a `file`, or the name of a shipped one")
	fs.StringVar(&f.out, "out", "", "the `folder` for results (default results/NAME)")
	fs.Var(&f.seed, "seed", "the first `seed`, in place of the file's")
	fs.Var(&f.set, "set", "change a `key=value` of the file; may be repeated")
	fs.Var(&f.policies, "policies", "run only these policies of the file, `a,b`; may be repeated")
	fs.IntVar(&f.jobs, "jobs", a.jobs, "how many `runs` at a time")
	fs.StringVar(&f.format, "format", "text", "what goes to stdout: `text`, csv or json")
	fs.BoolVar(&f.quiet, "quiet", false, "print neither comparison nor progress")
	if err := a.parse(fs, args); err != nil {
		return nil, err
	}
	if f.config == "" && fs.NArg() == 1 {
		f.config = fs.Arg(0)
	} else if fs.NArg() > 0 {
		return nil, usagef("unexpected %q", fs.Arg(0))
	}
	switch {
	case f.config == "":
		return nil, usagef("which experiment? name a file or a shipped one with -config%s",
			nearest.Hint("", experiments.ShippedNames()))
	case f.jobs < 1:
		return nil, usagef("-jobs must be at least 1 (is %d)", f.jobs)
	case f.format != "text" && f.format != "csv" && f.format != "json":
		return nil, usagef("-format: unknown %q%s", f.format, nearest.Hint(f.format, formats))
	}
	return f, nil
}

// run runs an experiment and leaves its results in a folder.
func (a *app) run(ctx context.Context, args []string) error {
	f, err := a.runFlags(args)
	if err != nil {
		return err
	}
	opt := f.options()
	opt.Kinds = a.kinds
	e, err := experiments.Load(f.config, opt)
	if err != nil {
		return usageError{err}
	}
	if f.out == "" {
		f.out = filepath.Join("results", e.Name)
	}
	r, err := experiments.NewResults(f.out, e)
	if err != nil {
		return usageError{err}
	}
	runErr := a.runAll(ctx, e, r, f)
	if runErr != nil && !errors.Is(runErr, context.Canceled) {
		r.Discard()
		return runErr
	}
	if err := r.Close(); err != nil {
		return err
	}
	plots, err := drawPlots(f.out)
	if err != nil {
		return err
	}
	if err := a.show(f, r, plots); err != nil {
		return err
	}
	if runErr != nil {
		return fmt.Errorf("stopped after %d of %d runs; %s holds what was finished",
			len(r.Summary.Runs), e.Runs(), f.out)
	}
	if failed := r.Summary.Failed; len(failed) > 0 {
		return fmt.Errorf("%d of %d runs failed; %s holds the others. The first: %v",
			len(failed), e.Runs(), f.out, failed[0])
	}
	if n := r.Summary.Buggy(); n > 0 {
		return fmt.Errorf("a bug of lbsim: %d of %d runs broke a law that holds for all; "+
			"%s/summary.txt says which", n, e.Runs(), f.out)
	}
	return nil
}

func (f *runFlags) options() experiments.Options {
	return experiments.Options{Set: f.set, Seed: f.seed.value, Policies: f.policies.names()}
}

// runAll makes the runs, with a progress bar if somebody can see it.
func (a *app) runAll(
	ctx context.Context, e *experiments.Experiment, r *experiments.Results, f *runFlags,
) error {
	bar := a.progress(e.Runs(), e.Name, f.quiet)
	e.Ended = func() { _ = bar.Add(1) }
	err := e.Run(ctx, f.jobs, r.Add)
	_ = bar.Finish()
	return err
}

// progress is a bar for so many runs, which shows if somebody can see it and wants to.
func (a *app) progress(runs int, of string, quiet bool) *progressbar.ProgressBar {
	if !a.terminal || quiet {
		return progressbar.DefaultSilent(int64(runs))
	}
	bar := progressbar.NewOptions(runs, progressbar.OptionSetWriter(a.stderr),
		progressbar.OptionSetDescription(of), progressbar.OptionShowCount(),
		progressbar.OptionSetItsString("runs"), progressbar.OptionClearOnFinish())
	_ = bar.RenderBlank()
	return bar
}

// show prints what was asked for.
func (a *app) show(f *runFlags, r *experiments.Results, plots []string) error {
	if f.quiet {
		return nil
	}
	switch f.format {
	case "json":
		enc := json.NewEncoder(a.stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(&r.Summary)
	case "csv":
		table, err := os.Open(filepath.Join(f.out, "table.csv"))
		if err != nil {
			return err
		}
		defer table.Close()
		_, err = io.Copy(a.stdout, table)
		return err
	}
	experiments.WriteText(a.stdout, &r.Summary)
	fmt.Fprintf(a.stdout, "\n%s holds table.csv, summary.json, summary.txt, config.resolved.toml",
		f.out)
	if len(plots) > 0 {
		fmt.Fprintf(a.stdout, "\nand the plots (svg and png) %s",
			strings.Join(pictures(plots), ", "))
	}
	fmt.Fprintln(a.stdout, ".")
	return nil
}

// pictures returns the names of the plots, each once: it has two files for each point of a sweep.
func pictures(files []string) []string {
	var names []string
	for _, f := range files {
		name, _, _ := strings.Cut(strings.TrimSuffix(f, filepath.Ext(f)), "@")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
