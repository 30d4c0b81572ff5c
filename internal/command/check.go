package command

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"

	"lbsim/experiments"
)

// check says whether an experiment is right, and what it would run.
func (a *app) check(ctx context.Context, args []string) error {
	var opt experiments.Options
	fs := flag.NewFlagSet("lbsim check", flag.ContinueOnError)
	fs.Var((*texts)(&opt.Set), "set", "change a `key=value` of the file; may be repeated")
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
	fmt.Fprintf(a.stdout, "%s is right: %d runs: policies %s", e.Name, e.Runs(),
		strings.Join(e.Policies, ", "))
	for _, key := range e.SweepKeys {
		fmt.Fprintf(a.stdout, "; %s swept", key)
	}
	fmt.Fprintf(a.stdout, "; %d seeds from %d on", e.Seeds, e.FirstSeed)
	if precision, most := e.Precision(); precision != "" {
		fmt.Fprintf(a.stdout, ", and more, up to %d, until %s", most, precision)
	}
	fmt.Fprintln(a.stdout)
	for _, text := range e.NoEffects() {
		fmt.Fprintln(a.stdout, "warning: "+text)
	}
	for _, c := range e.ServiceConfigs() {
		fmt.Fprintf(a.stdout, "\n%s, as grpc-go reads it", c.Where)
		if c.Err != nil {
			fmt.Fprint(a.stdout, "; its clients cannot use it")
		}
		fmt.Fprintln(a.stdout, ":")
		tw := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		for _, f := range c.Fields {
			fmt.Fprintf(tw, "  %s\t%v\t%s\n", f.Path, f.Verdict, f.Reason)
		}
		tw.Flush()
	}
	return nil
}
