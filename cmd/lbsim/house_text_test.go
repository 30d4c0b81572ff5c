package main_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// A tab counts as this many columns.
const tabWidth = 4

const (
	maxFileLines     = 300
	maxFuncLines     = 70
	maxTestFuncLines = 100 // in test files, for the sake of their tables
	maxColumns       = 100
)

var (
	unfinished = regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b`)
	directive  = regexp.MustCompile(`^//(go:build|go:generate|go:linkname|\s*\+build)\b`)
	onlyForOne = regexp.MustCompile(`_(linux|darwin|windows|freebsd|js|wasip1|` +
		`amd64|arm64|arm|386|s390x|riscv64|ppc64le|wasm)(_test)?\.go$`)
)

// seam reports whether a directive is in one of the tests that take over what grpc-go draws at
// random or keeps to itself, which is not to be reached otherwise, and links to grpc-go. What a
// test wants of lbsim itself is an ability of what the test passes in.
func seam(path, directive string) bool {
	words := strings.Fields(directive)
	inTests := strings.Contains(path, "policies/grpcgo/") ||
		strings.Contains(path, "internal/conformance/")
	return inTests && strings.HasSuffix(path, "_test.go") &&
		len(words) == 3 && words[0] == "//go:linkname" &&
		strings.HasPrefix(words[2], "google.golang.org/grpc/")
}

// textBreaches looks at one file: its size, that it is finished, and the same on every machine.
func textBreaches(path string, src []byte) []string {
	var breaches []string
	refuse := func(line int, format string, args ...any) {
		breaches = append(breaches, fmt.Sprintf("%s:%d: ", path, line)+fmt.Sprintf(format, args...))
	}
	lines := bytes.Split(bytes.TrimSuffix(src, []byte("\n")), []byte("\n"))
	if len(lines) > maxFileLines {
		refuse(len(lines), "file of %d lines, at most %d", len(lines), maxFileLines)
	}
	for i, line := range lines {
		columns := utf8.RuneCount(line) + (tabWidth-1)*bytes.Count(line, []byte("\t"))
		if columns > maxColumns {
			refuse(i+1, "line of %d columns, at most %d", columns, maxColumns)
		}
	}
	if onlyForOne.MatchString(path) {
		refuse(1, "a file for one system only")
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return append(breaches, err.Error())
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			line := fset.Position(c.Pos()).Line
			if word := unfinished.FindString(c.Text); word != "" {
				refuse(line, "a %s: finish it or leave it out", word)
			}
			if directive.MatchString(c.Text) && !seam(path, c.Text) {
				refuse(line, "%s is not used in this house", strings.Fields(c.Text)[0])
			}
		}
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		begin, end := fset.Position(f.Pos()).Line, fset.Position(f.End()).Line
		most := maxFuncLines
		if strings.HasSuffix(path, "_test.go") {
			most = maxTestFuncLines
		}
		if n := end - begin + 1; n > most {
			refuse(begin, "function %s of %d lines, at most %d", f.Name.Name, n, most)
		}
		if f.Name.Name == "init" && f.Recv == nil && !strings.Contains(path, "grpcgo/example/") {
			refuse(begin, "func init: say at one visible place what happens first")
		}
	}
	return breaches
}

func TestTextRefuses(t *testing.T) {
	const head = "package p\n\n"
	body := func(lines int) string {
		return head + "func f() {\n" + strings.Repeat("\tf()\n", lines-2) + "}\n"
	}
	for _, c := range []struct{ name, path, src, want string }{
		{"a fine file", "a.go", head + "func f() {}\n", ""},
		{"a file of 300 lines", "a.go", head + strings.Repeat("//\n", 298), ""},
		{"a file of 301", "a.go", head + strings.Repeat("//\n", 299), "go:301: file of 301"},
		{"a test file of 301", "a_test.go", head + strings.Repeat("//\n", 299), "file of 301"},
		{"a function of 70 lines", "a.go", body(70), ""},
		{"a function of 71", "a.go", body(71), "a.go:3: function f of 71 lines"},
		{"a test function of 100", "a_test.go", body(100), ""},
		{"a test function of 101", "a_test.go", body(101), "function f of 101 lines"},
		{"a line of 100 letters", "a.go", head + "//" + strings.Repeat("µ", 98) + "\n", ""},
		{"a line of 101", "a.go", head + "//" + strings.Repeat("µ", 99) + "\n", "line of 101"},
		{"a tab is four columns", "a.go", head + "\t//" + strings.Repeat("x", 95) + "\n", "of 101"},
		{"a thing to do", "a.go", head + "// TO" + "DO: more\n", "a.go:3: a TO" + "DO"},
		{"a thing to mend", "a.go", head + "/* FIX" + "ME */\n", "a FIX" + "ME"},
		{"a build tag", "a.go", "//go:build linux\n\n" + head, "a.go:1: //go:build"},
		{"generated", "a.go", head + "//go:generate x\n", "//go:generate"},
		{"a link to grpc-go", "policies/grpcgo/a_test.go",
			"//go:linkname f google.golang.org/grpc/p.f\n" + head, ""},
		{"a link to it from the product", "policies/grpcgo/a.go",
			"//go:linkname f google.golang.org/grpc/p.f\n" + head, "//go:linkname"},
		{"a link to lbsim", "policies/grpcgo/a_test.go",
			"//go:linkname f lbsim/policies.f\n" + head, "a_test.go:1: //go:linkname"},
		{"for one CPU", "a_arm64.go", head, "for one system"},
		{"a test for one CPU", "a_s390x_test.go", head, "for one system"},
		{"init", "a.go", head + "func init() {}\n", "a.go:3: func init"},
		{"a method named init", "a.go", head + "type t int\n\nfunc (t) init() {}\n", ""},
		{"no Go", "a.go", "pakage p\n", "expected 'package'"},
	} {
		got := strings.Join(textBreaches(c.path, []byte(c.src)), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
