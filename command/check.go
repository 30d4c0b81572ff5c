package command

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"lbsim/experiments"
	"lbsim/experiments/analysis"
	"lbsim/experiments/config/findings"
	"lbsim/experiments/runner"
)

// check checks an experiment and prints what it would run.
func (a *app) check(ctx context.Context, args []string) error {
	var opt experiments.Options
	fs := flag.NewFlagSet("lbsim check", flag.ContinueOnError)
	fs.Var((*texts)(&opt.Set), "set", "change a `key=value` of the file; may be repeated")
	fs.BoolVar(&opt.Force, "force", false, "check also what takes more than the limits of time, "+
		"memory and disk")
	names, err := a.parse(fs, args)
	if err != nil {
		return err
	}
	if len(names) != 1 {
		return usagef("check: name one experiment, a file or a shipped one%s", having(names))
	}
	e, err := a.load(ctx, names[0], opt)
	if err != nil {
		return err
	}
	everywhere, atPoints := findings.Of(e, nil)
	fmt.Fprintf(a.stdout, "%s %s: %s: policies %s", e.Name, headline(everywhere),
		runsText(runner.NewPlan(e).Runs()), strings.Join(e.Policies, ", "))
	for _, key := range e.SweepKeys {
		fmt.Fprintf(a.stdout, "; %s swept", key)
	}
	fmt.Fprintf(a.stdout, "; %d seeds from %d on", e.Seeds, e.FirstSeed)
	if e.Precision != nil {
		fmt.Fprintf(a.stdout, ", and more, up to %d, until %s", e.MaxSeeds, e.Precision.Text)
	}
	fmt.Fprintln(a.stdout)
	for _, found := range slices.Concat(everywhere, atPoints) {
		fmt.Fprintf(a.stdout, "- %s\n", found.Text)
	}
	for _, text := range findings.Offered(e) {
		fmt.Fprintln(a.stdout, text)
	}
	for _, c := range findings.ServiceConfigs(e) {
		a.writeServiceConfig(&c)
	}
	fmt.Fprintf(a.stdout, "\nestimated: %v\n", &e.Estimate)
	return nil
}

// runsText is a number of runs in words.
func runsText(n int) string {
	if n == 1 {
		return "1 run"
	}
	return fmt.Sprintf("%d runs", n)
}

// headline sums up the findings about an experiment.
func headline(findings []experiments.Warning) string {
	switch {
	case len(findings) == 0:
		return "is valid"
	case findings[0].Kind == analysis.Fails:
		return "can be run, but RPCs WILL FAIL"
	case len(findings) == 1:
		return "can be run, but one thing in it has no effect"
	}
	return fmt.Sprintf("can be run, but %d things in it have no effect", len(findings))
}

// writeServiceConfig prints what each field does, fields without effect first.
func (a *app) writeServiceConfig(c *findings.ServiceConfig) {
	fmt.Fprintf(a.stdout, "\n%s", c.Where)
	if c.Never != "" {
		fmt.Fprintf(a.stdout, ", never taken: %s\n", c.Never)
		return
	}
	fmt.Fprint(a.stdout, ", as grpc-go reads it")
	if c.Err != nil {
		fmt.Fprint(a.stdout, "; its clients cannot use it")
	}
	fmt.Fprintln(a.stdout, ":")
	fields := slices.Clone(c.Fields)
	slices.SortStableFunc(fields, func(x, y findings.Field) int {
		return int(y.Verdict) - int(x.Verdict)
	})
	tw := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, f := range fields {
		fmt.Fprintf(tw, "  %s\t%v\t%s\n", f.Path, f.Verdict, f.Reason)
	}
	tw.Flush()
}
