package command

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"lbsim/experiments"
)

// diff prints the first event at which two runs differ.
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
	names, err := a.parse(fs, args)
	if err != nil {
		return err
	}
	if len(names) != 2 {
		return usagef("diff: name two results folders or experiments%s", having(names))
	}
	_, err = await(ctx, func() (any, error) {
		return nil, experiments.Diff(ctx, a.stdout, names[0], names[1], experiments.DiffOptions{
			Policies: opt.policies.names(), Seed: opt.seed.value, Kinds: a.further.forExperiments(),
		})
	})
	return wrongUse(ctx, err)
}

// having is the end of an error about the number of names: which were given.
func having(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(" (has %s)", strings.Join(names, ", "))
}

// names returns the names in lists with commas.
func (t texts) names() (names []string) {
	for _, list := range t {
		for name := range strings.SplitSeq(list, ",") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}
