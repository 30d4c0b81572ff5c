package command

import (
	"context"
	"flag"
	"fmt"
	"runtime"

	"lbsim/experiments"
)

// version prints what was built.
func (a *app) version(_ context.Context, args []string) error {
	if err := a.parse(flag.NewFlagSet("lbsim version", flag.ContinueOnError), args); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "lbsim %s, %s\n", experiments.Version(), runtime.Version())
	return nil
}
