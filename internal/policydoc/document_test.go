package main

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/policies.md")

func TestThePageIsUpToDate(t *testing.T) {
	const file = "../../docs/policies.md"
	got, err := document("../..")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/policies.md is not what the catalog makes: " +
			"go run ./internal/policydoc > docs/policies.md")
	}
}
