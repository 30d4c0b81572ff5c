// Lbsim simulates how balancing policies spread RPCs, and compares them.
//
//	lbsim -config experiments/slow-node.toml
//
// See README.md.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"golang.org/x/term"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	a := &app{
		stdout: os.Stdout, stderr: os.Stderr, jobs: runtime.NumCPU(),
		terminal: term.IsTerminal(int(os.Stderr.Fd())),
	}
	code := a.main(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}
