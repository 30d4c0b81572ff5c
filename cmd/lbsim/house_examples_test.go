package main_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/packages"
)

// The examples are modules of their own, so "go vet ./..." does not see them. This test compiles
// them, and .ci/run runs their tests.
func TestExamplesCompile(t *testing.T) {
	modules, err := filepath.Glob(root + "/examples/*/go.mod")
	if err != nil || len(modules) == 0 {
		t.Fatalf("found %d examples (%v)", len(modules), err)
	}
	for _, file := range modules {
		all, err := packages.Load(&packages.Config{
			Dir: filepath.Dir(file), Tests: true,
			Mode: packages.NeedName | packages.NeedImports | packages.NeedTypes |
				packages.NeedSyntax | packages.NeedTypesInfo,
		}, "./...")
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		for _, p := range all {
			for _, e := range p.Errors {
				t.Errorf("%s: %v", p.PkgPath, e)
			}
		}
	}
}
