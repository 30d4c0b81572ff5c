package main

import (
	"bytes"
	"testing"

	"lbsim/internal/golden"
)

func TestThePageIsUpToDate(t *testing.T) {
	const file = "../../docs/policies.md"
	got, err := document("../..")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, golden.Kept(t, file, got)) {
		t.Error("docs/policies.md is not what the catalog makes: " +
			"go run ./internal/policydoc > docs/policies.md")
	}
}
