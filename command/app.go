package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"lbsim/experiments"
	"lbsim/internal/nearest"
)

// app is the command without its process: tests run it with buffers in place of the standard
// streams.
type app struct {
	stdout, stderr io.Writer
	jobs           int      // runs at a time, if -jobs is not given
	terminal       bool     // stderr is a terminal, and may show a progress bar
	command        *command // the subcommand; its usage is printed for -h and for wrong flags
	further        Kinds    // kinds of the caller of Main, beside the shipped ones
	kinds          Kinds    // the shipped kinds and further
}

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2 // wrong flags or a wrong file
	exitBug    = 3 // a bug of lbsim
)

// usageError is a mistake in the command line or in a file that it names.
type usageError struct{ error }

// usagef returns an error for which the command exits with exitUsage.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// bugError is a bug of lbsim that a run has shown.
type bugError struct{ error }

// command is a subcommand.
type command struct {
	name, args, doc string
	run             func(a *app, ctx context.Context, args []string) error
}

var commands = []command{
	{"run", "FILE|NAME [flags]", "run an experiment; \"run\" may be left out", (*app).run},
	{"check", "FILE|NAME", "check an experiment, and show what it would run", (*app).check},
	{"list", "[FAMILY]", "list the kinds of " + strings.Join(families(), ", "), (*app).list},
	{"plot", "DIR", "draw the plots of a results folder again", (*app).plot},
	{"compare", "DIR DIR", "show how the results in the second folder differ",
		(*app).compare},
	{"diff", "[flags] DIR|FILE DIR|FILE", "find the first event at which two runs differ",
		(*app).diff},
	{"validate", "[-quick]", "compare lbsim with theory", (*app).validate},
	{"bench", "[WORKLOAD]", "measure how fast lbsim is: " + strings.Join(workloadNames(), ", "),
		(*app).bench},
	{"version", "", "print the version", (*app).version},
}

// main runs the command and returns its exit code.
func (a *app) main(ctx context.Context, args []string) int {
	out := &output{to: a.stdout}
	a.stdout = out
	code := a.conclude(a.caught(ctx, args))
	if err := out.lost(); err != nil && code == exitDone {
		code = exitFailed
		if err != errReaderGone {
			fmt.Fprintf(a.stderr, "lbsim: %v\n", err)
		}
	}
	return code
}

// conclude prints the error with which the command ended, if any, and returns the exit code. An
// error may wrap others; a bug counts before a usage error.
func (a *app) conclude(err error) int {
	var usage usageError
	var bug bugError
	var crash *crash
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return exitDone
	case err == context.Canceled:
		err = errors.New("stopped")
	}
	fmt.Fprintf(a.stderr, "lbsim: %v\n", err)
	switch {
	case errors.As(err, &crash), errors.As(err, &bug):
		return exitBug
	case errors.As(err, &usage):
		return exitUsage
	}
	return exitFailed
}

// caught runs the command and turns a panic into an error.
func (a *app) caught(ctx context.Context, args []string) (err error) {
	defer catch(&err)
	if a.kinds, err = a.further.withShipped(); err != nil {
		return err
	}
	return a.dispatch(ctx, args)
}

// dispatch runs the subcommand that the first argument names. The name may be left out before a
// flag, a file or the name of a shipped experiment: these are run.
func (a *app) dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 {
		a.usage(a.stderr)
		return usagef("nothing to do: name an experiment, a file or a shipped one")
	}
	if args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
		a.usage(a.stdout)
		return nil
	}
	if strings.HasPrefix(args[0], "-") {
		a.command = &commands[0]
		return a.run(ctx, args)
	}
	var names []string
	for i := range commands {
		c := &commands[i]
		if c.name == args[0] {
			a.command = c
			return c.run(a, ctx, args[1:])
		}
		names = append(names, c.name)
	}
	shipped := experiments.ShippedNames()
	// With a dot or a slash the argument is a file: no command has them in its name.
	if slices.Contains(shipped, args[0]) || strings.ContainsAny(args[0], "./") {
		a.command = &commands[0]
		return a.run(ctx, args)
	}
	return usagef("unknown command or experiment %q%s", args[0],
		nearest.Hint(args[0], append(names, shipped...)))
}

// usage prints what lbsim does, its subcommands and its exit codes.
func (a *app) usage(w io.Writer) {
	fmt.Fprint(w, `lbsim simulates how balancing policies spread RPCs, and compares them.

usage:
`)
	for _, c := range commands {
		fmt.Fprintf(w, "  lbsim %-40s %s\n", strings.TrimSpace(c.name+" "+c.args), c.doc)
	}
	fmt.Fprint(w, `
examples:
  lbsim slow-node
  lbsim my.toml -set clients.web.rate=3000/s -policies round_robin,p2c -out /tmp/mine

lbsim COMMAND -h lists the flags of a command.
Exit codes: 0 done, 1 failed or stopped, 2 wrong usage or file, 3 a bug of lbsim.
`)
}

// parse reads the flags of a subcommand, which may stand before and after the names that it
// returns; after "--" there are names only. An error is a usage error.
func (a *app) parse(fs *flag.FlagSet, args []string) (names []string, err error) {
	fs.SetOutput(a.stderr)
	fs.Usage = func() {
		fmt.Fprintf(fs.Output(), "usage: lbsim %s %s\n\n%s\n",
			a.command.name, a.command.args, a.command.doc)
		fs.PrintDefaults()
	}
	for _, arg := range args {
		if arg == "-h" || arg == "-help" || arg == "--help" {
			fs.SetOutput(a.stdout)
		}
	}
	for len(args) > 0 {
		if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, err
		} else if err != nil {
			return nil, usageError{err}
		}
		rest := fs.Args()
		if read := len(args) - len(rest); len(rest) == 0 || read > 0 && args[read-1] == "--" {
			return append(names, rest...), nil
		}
		names, args = append(names, rest[0]), rest[1:]
	}
	return names, nil
}

// load reads an experiment from a file, or the shipped one of this name. A faulty experiment is a
// usage error.
func (a *app) load(
	ctx context.Context, name string, opt experiments.Options,
) (*experiments.Experiment, error) {
	opt.Kinds = a.further.forExperiments()
	e, err := await(ctx, func() (*experiments.Experiment, error) {
		return experiments.Load(name, opt)
	})
	return e, wrongUse(ctx, err)
}

// wrongUse marks an error as one in the command line or a file, unless the command was stopped.
func wrongUse(ctx context.Context, err error) error {
	var c *crash
	if err == nil || ctx.Err() != nil || errors.As(err, &c) {
		return err
	}
	return usageError{err}
}
