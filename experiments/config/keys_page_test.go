package config

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"lbsim/internal/golden"
	"lbsim/models"
	"lbsim/models/failures"
	"lbsim/models/resolvers"
)

// docs/keys.md is made of the structs that files are read into: of their defaults and of the doc
// comments of their fields, of which none may be missing.
func TestThePageOfKeysIsUpToDate(t *testing.T) {
	p := &keysPage{T: t, fields: make(map[string][]*ast.Field), docs: make(map[string]string)}
	for _, folder := range []string{".", "models", "models/failures", "models/resolvers"} {
		if folder != "." {
			folder = filepath.Join("../..", folder)
		}
		p.parse(folder)
	}
	p.write()
	const file = "../../docs/keys.md"
	if !bytes.Equal(p.Bytes(), golden.Kept(t, file, p.Bytes())) {
		t.Errorf("docs/keys.md is not what the structs make: go test ./experiments/config " +
			"-run Page -update")
	}
}

type keysPage struct {
	*testing.T
	bytes.Buffer
	fields map[string][]*ast.Field // by package and type
	docs   map[string]string
}

func (p *keysPage) parse(folder string) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		p.Fatal(folder, err)
	}
	set := token.NewFileSet()
	for _, name := range files {
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			p.Fatal(err)
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE || len(g.Specs) != 1 {
				continue
			}
			spec := g.Specs[0].(*ast.TypeSpec)
			if s, is := spec.Type.(*ast.StructType); is {
				name := file.Name.Name + "." + spec.Name.Name
				p.fields[name], p.docs[name] = s.Fields.List, g.Doc.Text()
			}
		}
	}
}

func (p *keysPage) write() {
	p.WriteString(`# The keys of an experiment

Made from the structs that files are read into by
` + "`go test ./experiments/config -run Page -update`" + `;
a test checks that it is up to date. Each block shows the defaults. The policies are in
[policies.md](policies.md), the metrics in [metrics.md](metrics.md).

A length of time is written as ` + "`\"200us\"`, `\"1.5s\"` or `\"1h30m\"`" + `, a rate as ` +
		"`\"4000/s\"`, `\"2.5/ms\"` or\n`\"90/m\"`, a distribution as `\"exp(mean=10ms)\"`; " +
		"`lbsim list distributions`" + ` shows the kinds of these. No
length of time is negative.
`)
	var c models.ClientGroup
	var b models.BackendGroup
	var n models.Network
	var f models.Backoff
	for _, d := range []interface{ SetDefaults() }{&c, &b, &n, &f} {
		d.SetDefaults()
	}
	p.table("At the top", "", NewDocument())
	p.table("[clients.NAME]", "clients.web", c)
	p.table("[backends.NAME]", "backends.pod", b)
	p.table("[l4.NAME]", "l4.vip", models.L4Balancer{})
	p.table("[network]", "network", n)
	p.table("[backoff]", "backoff", f)
	p.table("[resolver]", "resolver", resolverTable{})
	p.WriteString("\nThe `kind` is one of those below, \"static\" by default. In its place a " +
		"`target`, such as\n`\"dns:///orders:50051\"`, may choose the kind and some of its " +
		"options.\n")
	for _, name := range sortedKeys(resolvers.Catalog) {
		p.kind(name, "resolver", resolvers.Catalog[name])
	}
	p.WriteString("\n## [failures.NAME]\n\nThe kinds:\n")
	for _, name := range sortedKeys(failures.Catalog) {
		p.kind(name, "failures.mishap", failures.Catalog[name])
	}
}

// table writes a table that is always there.
func (p *keysPage) table(title, path string, v any) {
	fmt.Fprintf(p, "\n## %s\n\n%s", title, p.about(v))
	p.block(path, "", v)
	p.keys(v)
}

func (p *keysPage) kind(name, path string, v any) {
	fmt.Fprintf(p, "\n### %s\n\n%s", name, p.about(v))
	p.block(path, name, v)
	p.keys(v)
}

// about returns the doc comment of a struct that others see, but for what it says of the struct.
func (p *keysPage) about(v any) string {
	if !ast.IsExported(reflect.TypeOf(v).Name()) || typeName(v) == "config.Document" {
		return ""
	}
	text := ""
	for part := range strings.SplitSeq(strings.TrimSpace(p.docs[typeName(v)]), "\n\n") {
		if !strings.HasPrefix(part, "Fields with a tag") {
			text += oneLine(docLinks.ReplaceAllString(part, "$2")) + "\n\n"
		}
	}
	return text
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func (p *keysPage) block(path, kind string, v any) {
	p.WriteString("```toml\n")
	if path != "" {
		fmt.Fprintf(p, "[%s]\n", path)
	}
	if kind != "" {
		fmt.Fprintf(p, "kind = %q\n", kind)
	}
	w := newCodec(&Kinds{}, nil, nil).Writer()
	w.Fields(v)
	p.WriteString(w.String() + "```\n\n")
}

// keys writes what the keys mean. Fields that follow one with a comment, and have none, are meant
// by that too.
func (p *keysPage) keys(v any) {
	at, t := 0, reflect.TypeOf(v)
	var names []string
	var text string
	flush := func() {
		if len(names) == 1 {
			_, text, _ = strings.Cut(text, " ")
			fmt.Fprintf(p, "- `%s` %s\n", names[0], text)
		} else if len(names) > 1 {
			fmt.Fprintf(p, "- `%s`: %s\n", strings.Join(names, "`, `"), text)
		}
		names, text = nil, ""
	}
	for _, f := range p.fields[typeName(v)] {
		for range max(1, len(f.Names)) {
			field := t.Field(at)
			at++
			key, _, _ := strings.Cut(field.Tag.Get("toml"), ",")
			elsewhere := key == "" || f.Doc == nil && p.isTable(field.Type)
			if f.Doc != nil || elsewhere {
				flush()
			}
			if elsewhere {
				continue
			}
			if f.Doc != nil {
				text = withKeys(t, oneLine(f.Doc.Text()))
			}
			if text == "" {
				p.Errorf("%s.%s has no doc comment", typeName(v), field.Name)
			}
			names = append(names, key)
		}
	}
	flush()
}

// isTable reports whether a field of the document is described in a part of its own.
func (p *keysPage) isTable(t reflect.Type) bool {
	return t.Kind() == reflect.Map || t.Kind() == reflect.Struct
}

var (
	docLinks = regexp.MustCompile(`\[(\w+\.)*(\w+)\]`)
	words    = regexp.MustCompile(`[\w/"]+`)
	// A file has no nil: it leaves the key out.
	inFiles = strings.NewReplacer(" (nil)", "", " (nil or a constant 0)", "",
		"nil (default)", "left out (default)")
)

// withKeys returns a doc comment with keys in the place of the names of fields, and without nil.
func withKeys(t reflect.Type, doc string) string {
	keys := make(map[string]string)
	for i := range t.NumField() {
		if key, _, _ := strings.Cut(t.Field(i).Tag.Get("toml"), ","); key != "" {
			keys[t.Field(i).Name] = "`" + key + "`"
		}
	}
	doc = inFiles.Replace(docLinks.ReplaceAllString(doc, "$2"))
	return words.ReplaceAllStringFunc(doc, func(w string) string {
		return cmp.Or(keys[w], w)
	})
}

func typeName(v any) string { return reflect.TypeOf(v).String() }
