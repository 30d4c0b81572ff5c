// Package command is lbsim, for every main that wants to be it.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/term"

	"lbsim/internal/nearest"
	"lbsim/policies"
)

// Main runs lbsim with the arguments of the process, and ends it. Kinds are further kinds of
// policies, by name, beside those of [policies.Catalog].
func Main(kinds map[string]policies.Policy) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	a := &app{
		stdout: os.Stdout, stderr: os.Stderr, jobs: runtime.NumCPU(),
		terminal: term.IsTerminal(int(os.Stderr.Fd())), kinds: kinds,
	}
	code := a.main(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// app is the command without the process around it.
type app struct {
	stdout, stderr io.Writer
	jobs           int  // runs at a time, if -jobs does not say
	terminal       bool // stderr is one, and may show a progress bar
	command        *command
	kinds          map[string]policies.Policy
}

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2 // wrong flags or a wrong file
)

// usageError is a mistake in the command line or in a file that it names.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// command is a subcommand.
type command struct {
	name, args, doc string
	run             func(a *app, ctx context.Context, args []string) error
}

var commands = []command{
	{"run", "-config FILE|NAME [flags]", "run an experiment; \"run\" may be left out", (*app).run},
	{"check", "FILE|NAME", "say whether an experiment is right, and what it runs", (*app).check},
	{"list", "[FAMILY]", "list the kinds of " + strings.Join(families(), ", "), (*app).list},
	{"plot", "DIR", "draw the plots of a results folder again", (*app).plot},
	{"compare", "DIR DIR", "say how the results in the second folder differ", (*app).compare},
	{"diff", "[flags] DIR|FILE DIR|FILE", "say at which event two runs part", (*app).diff},
	{"validate", "[-quick]", "compare lbsim with theory", (*app).validate},
	{"bench", "[WORKLOAD]", "measure how fast lbsim is: " + strings.Join(workloadNames(), ", "),
		(*app).bench},
	{"version", "", "print the version", (*app).version},
}

// main runs the command and returns its exit code.
func (a *app) main(ctx context.Context, args []string) int {
	err := a.dispatch(ctx, args)
	var usage usageError
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return exitDone
	case errors.As(err, &usage):
		fmt.Fprintf(a.stderr, "lbsim: %v\n", err)
		return exitUsage
	}
	fmt.Fprintf(a.stderr, "lbsim: %v\n", err)
	return exitFailed
}

func (a *app) dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 {
		a.usage(a.stderr)
		return usagef("nothing to do: name an experiment with -config")
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
	return usagef("unknown command %q%s", args[0], nearest.Hint(args[0], names))
}

func (a *app) usage(w io.Writer) {
	fmt.Fprint(w, `lbsim simulates how balancing policies spread RPCs, and compares them.

usage:
`)
	for _, c := range commands {
		fmt.Fprintf(w, "  lbsim %-40s %s\n", strings.TrimSpace(c.name+" "+c.args), c.doc)
	}
	fmt.Fprint(w, `
examples:
  lbsim -config slow-node
  lbsim -config my.toml -set clients.web.rate=3000/s -policies round_robin,p2c -out /tmp/mine

lbsim COMMAND -h lists the flags of a command.
Exit codes: 0 done, 1 failed or stopped, 2 wrong usage or file.
`)
}

// parse reads the flags of a subcommand. What is wrong with them is a usage error.
func (a *app) parse(fs *flag.FlagSet, args []string) error {
	fs.SetOutput(a.stderr)
	fs.Usage = func() {
		fmt.Fprintf(fs.Output(), "usage: lbsim %s %s\n\n%s\n",
			a.command.name, a.command.args, a.command.doc)
		fs.PrintDefaults()
	}
	asked := false
	for _, arg := range args {
		asked = asked || arg == "-h" || arg == "-help" || arg == "--help"
	}
	if asked {
		fs.SetOutput(a.stdout)
	}
	err := fs.Parse(args)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return err
	}
	return usageError{err}
}
