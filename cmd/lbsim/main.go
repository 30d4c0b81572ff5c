// Lbsim simulates how balancing policies spread RPCs, and compares them.
//
//	lbsim -config experiments/slow-node.toml
//
// See README.md.
package main

import (
	"os"
	"runtime/debug"

	"lbsim/internal/command"
)

func main() {
	// A run allocates while it is set up and next to nothing after that, so garbage is collected
	// early: a little time for much memory.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(25)
	}
	command.Main(nil)
}
