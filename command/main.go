// Package command is lbsim as a program. A main of another module calls [Main] and adds kinds,
// which experiments then name like those that ship with lbsim. That program does everything that
// lbsim does. The folder examples has such a main.
//
// Runs are faster with the profile that comes with lbsim: copy cmd/lbsim/default.pgo beside the
// main package.
package command

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"golang.org/x/term"
)

// Main runs lbsim with the arguments of the process, and ends the process.
func Main(kinds Kinds) {
	// A run allocates while it is set up and next to nothing after that, so garbage is collected
	// early: a little time for much memory.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(25)
	}
	ending := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		ending = append(ending, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ending...)
	context.AfterFunc(ctx, stop) // so that a second signal ends the process at once
	signal.Ignore(syscall.SIGPIPE)
	a := &app{
		stdout: os.Stdout, stderr: os.Stderr, jobs: runtime.NumCPU(),
		terminal: term.IsTerminal(int(os.Stderr.Fd())), further: kinds,
	}
	code := a.main(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}
