package command

import (
	"context"
	"flag"

	"lbsim/experiments/report"
)

// compare prints how the results in one folder differ from those in another.
func (a *app) compare(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("lbsim compare", flag.ContinueOnError)
	names, err := a.parse(fs, args)
	if err != nil {
		return err
	}
	if len(names) != 2 {
		return usagef("compare: name two results folders of one experiment%s", having(names))
	}
	_, err = await(ctx, func() (any, error) {
		return nil, report.Compare(a.stdout, names[0], names[1])
	})
	return wrongUse(ctx, err)
}
