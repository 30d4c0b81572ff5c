package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"lbsim/experiments/config"
	"lbsim/internal/compared"
	"lbsim/policies"
)

// parts are what the doc comment of every policy has, each as a paragraph that begins so: where it
// comes from, what changes its choices, and what surprises its users.
var parts = []string{"Source:", "Reacts to:", "Traps:"}

// document returns the page. root is the folder of go.mod.
func document(root string) ([]byte, error) {
	types, err := typesIn(filepath.Join(root, "policies"))
	if err != nil {
		return nil, err
	}
	alone, err := compared.In(filepath.Join(root, "policies", "grpcgo"))
	if err != nil {
		return nil, err
	}
	whole, err := compared.In(filepath.Join(root, "internal", "conformance"))
	if err != nil {
		return nil, err
	}
	page := bytes.NewBufferString(head)
	names := slices.Sorted(maps.Keys(policies.Catalog))
	for _, name := range names {
		fmt.Fprintf(page, "- [%s](#%s): %s\n", name, name, policies.Catalog[name].Doc())
	}
	for _, name := range names {
		t := reflect.TypeOf(policies.Catalog[name])
		doc := types[t.Name()].Doc.Text()
		for _, part := range parts {
			if !strings.Contains(doc, "\n\n"+part) {
				return nil, fmt.Errorf(
					"policies.%s: its doc comment has no paragraph that begins with %q",
					t.Name(), part)
			}
		}
		text := markdown(strings.Replace(doc, t.Name(), name, 1))
		for _, part := range parts {
			text = strings.Replace(text, "\n\n"+part, "\n\n**"+part+"**", 1)
		}
		fmt.Fprintf(page, "\n## %s\n\n%s\n**Compared with the original:** %s.\n", name, text,
			extent(name, alone, whole))
		options(page, name, types)
	}
	return page.Bytes(), nil
}

const head = `# The policies

Made from the catalog by
` + "`go run ./internal/policydoc > docs/policies.md`" + `;
a test checks that it is up to date.

Ports are compared with grpc-go v1.85.0 itself: alone, pick for pick and in random scripts of what
the resolver, connections and RPCs do (` + "`go test ./policies/grpcgo -run Lockstep`" + `), and in
plays of the whole stack, client and server on a simulated clock
(` + "`go test ./internal/conformance`" + `). Each test keeps what it has compared in its testdata.
Where a policy stands inside another the outer one is counted.

Options are written as in an experiment; their names in a
service config are the same in camel case.

`

// extent is how much of a policy was compared, alone and in the whole stack.
func extent(policy string, alone, whole []compared.Kept) string {
	var parts []string
	for _, p := range []struct {
		of         []compared.Kept
		what, text string
	}{
		{alone, "picks", "%d picks"}, {alone, "scripts", "%d random scripts"},
		{whole, "plays", "%d plays of the whole stack"},
	} {
		n := 0
		for _, k := range p.of {
			if k.Policy == policy && k.What == p.what {
				n += k.N
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf(p.text, n))
		}
	}
	if parts == nil {
		return "no"
	}
	return strings.Join(parts, ", ") + "; no mismatch"
}

// options writes what may be set, as in a file, and what it means.
func options(page *bytes.Buffer, name string, types map[string]*ast.GenDecl) {
	prototype := policies.Catalog[name]
	lines := config.OptionsOf(prototype, policies.Catalog)
	fmt.Fprintf(page, "\n```toml\n[policies.%s]\n%s```\n", name, strings.Join(lines, ""))
	explain(page, "", reflect.TypeOf(prototype), types)
}

// explain writes the doc comments of a struct's fields, and of the structs in them.
func explain(page *bytes.Buffer, path string, t reflect.Type, types map[string]*ast.GenDecl) {
	if t.NumField() == 0 {
		return
	}
	if path == "" {
		page.WriteString("\n")
	}
	fields := types[t.Name()].Specs[0].(*ast.TypeSpec).Type.(*ast.StructType).Fields.List
	at := 0
	for _, f := range fields {
		for range f.Names {
			field := t.Field(at)
			at++
			name := path + field.Tag.Get("toml")
			text := strings.Join(strings.Fields(f.Doc.Text()), " ")
			text = strings.TrimPrefix(text, field.Name+" ")
			fmt.Fprintf(page, "- `%s` %s\n", name, text)
			inner := field.Type
			if inner.Kind() == reflect.Map {
				name += ".NAME"
			}
			for slices.Contains(containers, inner.Kind()) {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct && inner.PkgPath() == t.PkgPath() {
				explain(page, name+".", inner, types)
			}
		}
	}
}

// containers are what an option may be of, beside a struct.
var containers = []reflect.Kind{reflect.Map, reflect.Pointer, reflect.Slice}

// markdown turns a doc comment into text for a page.
func markdown(doc string) string {
	var p comment.Parser
	pr := &comment.Printer{
		HeadingLevel:   3,
		DocLinkURL:     func(*comment.DocLink) string { return "" },
		TextCodePrefix: "",
	}
	text := string(pr.Markdown(p.Parse(doc)))
	return strings.ReplaceAll(text, `\_`, "_") // inside of words it needs no escape
}

// typesIn returns the declarations of the types of a package by name.
func typesIn(folder string) (map[string]*ast.GenDecl, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	types := make(map[string]*ast.GenDecl)
	set := token.NewFileSet()
	for _, name := range files {
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE && len(g.Specs) == 1 {
				types[g.Specs[0].(*ast.TypeSpec).Name.Name] = g
			}
		}
	}
	return types, nil
}
