package policies

import "fmt"

// A channel's life with round_robin: the resolver brings three endpoints, their connections come up
// one after the other, and RPCs go to those that are READY.
func ExamplePolicy() {
	h := newFakeHost(Catalog["round_robin"], 1) // calls Build

	h.resolve(h.singles("a", "b", "c")...)
	fmt.Println(h.state, h.pick().Verdict == Queued)

	h.set("b", Ready)
	h.set("c", Ready)
	for range 4 {
		p := h.pick()
		fmt.Print(h.subConns[p.SubConn].name, " ")
		h.picker.Done(p, Outcome{})
	}
	// Output:
	// CONNECTING true
	// b c b c
}
