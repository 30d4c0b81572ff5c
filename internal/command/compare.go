package command

import (
	"context"
	"flag"

	"lbsim/experiments"
)

// compare says how the results in one folder differ from those in another.
func (a *app) compare(_ context.Context, args []string) error {
	fs := flag.NewFlagSet("lbsim compare", flag.ContinueOnError)
	if err := a.parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() != 2 {
		return usagef("compare: name two results folders of one experiment")
	}
	if err := experiments.Compare(a.stdout, fs.Arg(0), fs.Arg(1)); err != nil {
		return usageError{err}
	}
	return nil
}
