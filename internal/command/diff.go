package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"lbsim/experiments"
)

// diff says at which event two runs part.
func (a *app) diff(ctx context.Context, args []string) error {
	var opt struct {
		policies texts
		seed     seed
	}
	fs := flag.NewFlagSet("lbsim diff", flag.ContinueOnError)
	fs.Var(&opt.policies, "policies", "compare the runs of policy `a`, or \"a,b\": of a in the "+
		"first and of b in the second\n(default each policy that both have)")
	fs.Var(&opt.seed, "seed",
		"compare the runs with this `seed`\n(default the first that both have)")
	if err := a.parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() != 2 {
		return usagef("diff: name two results folders or experiments (flags come before them)")
	}
	err := experiments.Diff(ctx, a.stdout, fs.Arg(0), fs.Arg(1), experiments.DiffOptions{
		Policies: opt.policies.names(), Seed: opt.seed.value, Kinds: a.kinds,
	})
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("stopped")
	case err != nil:
		return usageError{err}
	}
	return nil
}

// names are those in lists with commas.
func (t texts) names() (names []string) {
	for _, list := range t {
		for name := range strings.SplitSeq(list, ",") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}
