package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lbsim/experiments"
	"lbsim/experiments/report"
	"lbsim/experiments/runner"
	"lbsim/internal/nearest"
)

// runFlags are the flags of lbsim run.
type runFlags struct {
	config, out, format string
	set, policies       texts // -set key=value; -policies a,b
	seed                seed
	jobs                int  // runs at a time, at least 1
	quiet, force        bool // -force also lifts the limits of time, memory and disk
}

// texts is a flag that may be repeated. It holds the values in the order of the command line.
type texts []string

// String implements flag.Value.
func (t *texts) String() string { return strings.Join(*t, ",") }

// Set implements flag.Value. It adds a value.
func (t *texts) Set(s string) error { *t = append(*t, s); return nil }

// seed is a flag that may be absent: value is nil then, and the seed of the file counts.
type seed struct{ value *uint64 }

// String implements flag.Value. The usage shows no default.
func (s *seed) String() string { return "" }

// Set implements flag.Value. A seed has at most 63 bits, so that an experiment file can hold it:
// integers of TOML are signed.
func (s *seed) Set(text string) error {
	v, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return errors.New("must be a whole number from 0 on")
	}
	s.value = &v
	return nil
}

// formats are the values of -format.
var formats = []string{"text", "csv", "json"}

// runFlags parses the arguments of lbsim run and checks what does not need the experiment.
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
	fs.BoolVar(&f.force, "force", false, "run what takes more than the limits of time, "+
		"memory and disk; replace\nresults of another experiment, and files in their place "+
		"that no lbsim has written")
	names, err := a.parse(fs, args)
	if err != nil {
		return nil, err
	}
	if f.config != "" {
		names = append([]string{f.config}, names...)
	}
	switch {
	case len(names) == 0:
		return nil, usagef("which experiment? name a file or a shipped one%s",
			nearest.Hint("", experiments.ShippedNames()))
	case len(names) > 1:
		return nil, usagef("name one experiment%s", having(names))
	case f.jobs < 1:
		return nil, usagef("-jobs must be at least 1 (is %d)", f.jobs)
	case !slices.Contains(formats, f.format):
		return nil, usagef("-format: unknown %q%s", f.format, nearest.Hint(f.format, formats))
	}
	f.config = names[0]
	return f, nil
}

// run runs an experiment and leaves its results in a folder. If it is stopped, it keeps the runs
// that have ended.
func (a *app) run(ctx context.Context, args []string) error {
	f, err := a.runFlags(args)
	if err != nil {
		return err
	}
	e, err := a.load(ctx, f.config, f.options())
	if err != nil {
		return err
	}
	if f.out == "" {
		f.out = filepath.Join("results", e.Name)
	}
	plan := runner.NewPlan(e)
	r, err := report.NewWriter(f.out, plan, f.force, a.isPlot)
	if err != nil {
		return usageError{err}
	}
	defer r.Close()
	stopped := a.runAll(ctx, plan, r, f)
	r.Conclude()
	s := &r.Summary
	ended := len(s.Runs) + len(s.Failed)
	if stopped != nil && ended == 0 {
		return fmt.Errorf("stopped before any of %d runs was finished; nothing is written",
			plan.Runs())
	}
	// The text first: writing the files may fail.
	a.show(f, s)
	k, err := a.keep(ctx, f, r)
	if err != nil {
		return err
	}
	if stopped != nil {
		return fmt.Errorf("stopped after %d of %d runs; %s", ended, plan.Runs(), k)
	}
	if err := broken(s, k); err != nil {
		return err
	}
	return k.undrawn
}

// broken returns an error if runs failed or showed a bug.
func broken(s *experiments.Summary, k *kept) error {
	for i := range s.Failed {
		if stack := s.Failed[i].Stack; len(stack) > 0 {
			return bugError{fmt.Errorf("%v\n  %s\n%s", s.Failed[i], strings.Join(stack, "\n  "), k)}
		}
	}
	if n := s.Buggy(); n > 0 {
		return bugError{fmt.Errorf("a bug of lbsim: %d of %d runs violated an invariant; "+
			"see %s/summary.txt", n, len(s.Runs), k.dir)}
	}
	if n := len(s.Failed); n > 0 {
		return fmt.Errorf("%d of %d runs failed; %s. The first: %v", n, n+len(s.Runs), k,
			s.Failed[0])
	}
	return nil
}

// options returns what the flags change in the experiment.
func (f *runFlags) options() experiments.Options {
	return experiments.Options{
		Set: f.set, Seed: f.seed.value, Policies: f.policies.names(), Force: f.force,
	}
}

// show prints the summary, in the format of the flags.
func (a *app) show(f *runFlags, s *experiments.Summary) {
	switch {
	case f.quiet:
	case f.format == "json":
		_ = report.WriteJSON(a.stdout, s) // a.main reports an error of stdout
	case f.format == "text":
		report.WriteText(a.stdout, s)
	}
}
