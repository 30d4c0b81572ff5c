// Lbsim simulates how balancing policies spread RPCs, and compares them.
//
//	lbsim -config experiments/slow-node.toml
//
// See README.md.
package main

import "lbsim/command"

func main() { command.Main(command.Kinds{}) }
