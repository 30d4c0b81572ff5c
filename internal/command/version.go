package command

import (
	"context"
	"flag"
	"fmt"
	"runtime/debug"
)

// version prints what was built.
func (a *app) version(_ context.Context, args []string) error {
	if err := a.parse(flag.NewFlagSet("lbsim version", flag.ContinueOnError), args); err != nil {
		return err
	}
	version, revision := "(devel)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = " " + s.Value
			}
		}
		fmt.Fprintf(a.stdout, "lbsim %s%s, %s\n", version, revision, info.GoVersion)
		return nil
	}
	fmt.Fprintf(a.stdout, "lbsim %s\n", version)
	return nil
}
