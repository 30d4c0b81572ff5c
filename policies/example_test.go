package policies_test

import (
	"fmt"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// A channel's life with round_robin: the resolver brings three endpoints, their connections come up
// one after the other, and RPCs go to those that are READY.
func ExamplePolicy() {
	h := policytest.NewHost(policies.Catalog["round_robin"], 1) // calls Build

	h.Resolve(h.Endpoints("a", "b", "c")...)
	fmt.Println(h.State, h.Pick().Verdict == policies.Queued)

	h.Set("b", policies.Ready)
	h.Set("c", policies.Ready)
	for range 4 {
		p := h.Pick()
		fmt.Print(h.Name(p.SubConn), " ")
		p.Done(policies.Outcome{})
	}
	// Output:
	// CONNECTING true
	// b c b c
}
