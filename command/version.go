package command

import (
	"context"
	"flag"
	"fmt"
	"runtime"

	"lbsim/internal/version"
)

// version prints what was built.
func (a *app) version(_ context.Context, args []string) error {
	names, err := a.parse(flag.NewFlagSet("lbsim version", flag.ContinueOnError), args)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		return usagef("unexpected %q", names[0])
	}
	fmt.Fprintf(a.stdout, "lbsim %s, %s\n", version.String(), runtime.Version())
	return nil
}
