// Policydoc writes docs/policies.md, from the catalog and the doc comments of the policies:
//
//	go run ./internal/policydoc > docs/policies.md
//
// It is run in the folder of go.mod.
package main

import (
	"fmt"
	"os"
)

func main() {
	page, err := document(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "policydoc:", err)
		os.Exit(1)
	}
	os.Stdout.Write(page)
}
