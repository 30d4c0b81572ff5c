package command_test

import (
	"lbsim/command"
	"lbsim/policies"
)

// Unhurried is a policy of another module.
type Unhurried struct{ policies.Random }

// Doc says what the policy does.
func (Unhurried) Doc() string { return "one drawn at random, without haste" }

// A main of one's own is lbsim with further kinds. Experiments name this one as
//
//	[policies.ours]
//	kind = "unhurried"
func ExampleMain() {
	command.Main(command.Kinds{
		Policies: map[string]policies.Policy{"unhurried": Unhurried{}},
	})
}
