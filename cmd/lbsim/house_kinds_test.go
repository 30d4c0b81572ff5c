package main_test

import (
	"go/ast"
	"go/constant"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// stories says, for each family, the files that a kind of it brings along; NAME is the name of the
// kind, FILE the same with underscores, as files of Go are called. Distributions have no story,
// since one battery runs over their catalog.
var stories = map[string][]string{
	"policies":         {"policies/FILE.go", "policies/testdata/NAME.txt"},
	"models/dist":      {"models/dist/FILE.go"},
	"models/failures":  {"models/failures/FILE.go", "models/failures/testdata/NAME.txt"},
	"models/resolvers": {"models/resolvers/FILE.go", "models/resolvers/testdata/NAME.txt"},
	"plots":            {"plots/FILE.go", "plots/testdata/NAME.svg"},
}

func kindBreaches(p *packages.Package, exists func(path string) bool) []string {
	files, ok := stories[strings.TrimPrefix(p.PkgPath, module+"/")]
	if !ok {
		return nil
	}
	kinds := catalogOf(p)
	if len(kinds) == 0 {
		return []string{p.PkgPath + ": has no Catalog that lists its kinds"}
	}
	var breaches []string
	for _, kind := range kinds {
		for _, file := range files {
			file = strings.ReplaceAll(file, "NAME", kind)
			file = strings.ReplaceAll(file, "FILE", strings.ReplaceAll(kind, "-", "_"))
			if !exists(file) {
				breaches = append(breaches, p.PkgPath+": kind "+kind+" has no "+file)
			}
		}
	}
	return breaches
}

// catalogOf reads the names in the composite literal of var or func Catalog: the keys of a map, the
// first field or the field Name of structs.
func catalogOf(p *packages.Package) []string {
	var names []string
	list := func(e ast.Expr) {
		if list, ok := e.(*ast.CompositeLit); ok {
			for _, e := range list.Elts {
				names = append(names, nameIn(p, e))
			}
		}
	}
	for _, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if n.Names[0].Name == "Catalog" && len(n.Values) == 1 {
					list(n.Values[0])
				}
			case *ast.ReturnStmt:
				if len(n.Results) == 1 {
					list(n.Results[0])
				}
			case *ast.FuncDecl:
				return n.Name.Name == "Catalog" && n.Recv == nil
			}
			return true
		})
	}
	slices.Sort(names)
	return names
}

func nameIn(p *packages.Package, e ast.Expr) string {
	if kv, ok := e.(*ast.KeyValueExpr); ok {
		if name, ok := textOf(p, kv.Key); ok {
			return name
		}
		e = kv.Value
	}
	if list, ok := e.(*ast.CompositeLit); ok {
		for i, field := range list.Elts {
			kv, named := field.(*ast.KeyValueExpr)
			switch {
			case !named && i == 0:
				name, _ := textOf(p, field)
				return name
			case named && kv.Key.(*ast.Ident).Name == "Name":
				name, _ := textOf(p, kv.Value)
				return name
			}
		}
	}
	return ""
}

func textOf(p *packages.Package, e ast.Expr) (string, bool) {
	v := p.TypesInfo.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

func TestKindsWithoutFilesAreRefused(t *testing.T) {
	_, bad := house(t)
	if got, want := catalogOf(bad), []string{"first", "second"}; !slices.Equal(got, want) {
		t.Fatalf("kinds of the snippets: got %q, want %q", got, want)
	}
	asPolicies := *bad
	asPolicies.PkgPath = module + "/policies"
	got := kindBreaches(&asPolicies, func(path string) bool {
		return path != "policies/testdata/second.txt"
	})
	want := []string{"lbsim/policies: kind second has no policies/testdata/second.txt"}
	if !slices.Equal(got, want) {
		t.Errorf("second has no story: got %q, want %q", got, want)
	}
}
