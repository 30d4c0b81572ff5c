package main_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// The words of the house are in docs/glossary.md. Here are those that it does not use.

// bannedProse is refused in comments, texts of the program and documents; instead is what to write.
// Words in `code` of a document are names and pass.
var bannedProse = []struct{ pattern, instead string }{
	{`says? whether`, "reports whether"},
	{`t(ook|akes?|aking) note`, "records"},
	{`told`, "learns, is notified, is reported"},
	{`(is|are) right`, "is valid, is correct, is OK"},
	{`laws?`, "invariant; of a random variable: distribution"},
	{`colors?`, "colour"},
	{`figures?`, "metric, value, number"},
	{`mum`, "ignores re-resolution"},
	{`patient`, "wait-for-ready"},
	{`sickens?|ill|ills`, "NOT_SERVING"},
	{`(?-i:utilization)`, "utilisation"},
	{`befalls?|befell|befallen`, "happens to"},
	{`draws? up|drawn up`, "computes"},
	{`swallow(s|ed)?`, "drops"},
	{`be it`, "or"},
	{`takes? leave`, "signs off, stops"},
	{`half of (its|their|the) interval`, "half-width of the confidence interval"},
	{`interval of 95 %`, "95 % confidence interval"},
}

// allowedProse takes away what a pattern above would refuse for no good reason.
var allowedProse = regexp.MustCompile(
	"Little's law|power law|[Ff]igures? of (eight|speech)|the figure that a plot draws")

// bannedParts are refused as a part of a name: told, toldBy and wasTold.
var bannedParts = map[string]string{
	"told": "what learns or is reported", "mum": "ignoreReresolution", "patient": "waitForReady",
	"sicken": "SetNotServing", "cure": "SetServing", "ills": "notServing",
	"farewell": "goAwayReason", "swallowed": "dropped",
	"colour": "color, as in image/color", "law": "invariant or distribution",
	"laws": "invariants or distributions",
}

// bannedNames are refused as the whole name of a file, a type, function, variable or constant that
// more than a function sees; "x.go" as the name of a file alone.
var bannedNames = map[string]string{
	"around": "delegate", "passing": "pickNotes", "growth": "stability", "longest.go": "order",
	"equal_shares": "processor_sharing", "bad": "what is wrong with what", "some": "what it makes",
	"aim": "target", "beyond": "minTail",
}

// bannedIdents are refused as a whole name anywhere.
var bannedIdents = map[string]string{"stay": "generation", "stays": "generations"}

var prose = func() (all []*regexp.Regexp) {
	for _, b := range bannedProse {
		all = append(all, regexp.MustCompile(`(?i)\b(?:`+b.pattern+`)\b`))
	}
	return all
}()

// words collects the breaches of one file.
type words struct {
	path   string
	figure bool // the room draws figures
	found  []string
}

func (w *words) refuse(line int, word, instead string) {
	w.found = append(w.found, fmt.Sprintf("%s:%d: %q: write %s", w.path, line, word, instead))
}

// prose looks through a text that begins in a line.
func (w *words) prose(line int, text string) {
	text = allowedProse.ReplaceAllStringFunc(text, func(s string) string {
		return strings.Repeat("-", len(s))
	})
	for i, re := range prose {
		if w.figure && bannedProse[i].pattern == "figures?" {
			continue
		}
		for _, at := range re.FindAllStringIndex(text, -1) {
			line := line + strings.Count(text[:at[0]], "\n")
			w.refuse(line, text[at[0]:at[1]], bannedProse[i].instead)
		}
	}
}

// name looks at a name in a line.
func (w *words) name(line int, name string) {
	if instead, banned := bannedIdents[name]; banned {
		w.refuse(line, name, instead)
	}
	for _, part := range nameParts(strings.ReplaceAll(name, "LittlesLaw", "")) {
		if instead, banned := bannedParts[part]; banned {
			w.refuse(line, name, instead)
		}
	}
}

// whole looks at a name that more than a function sees.
func (w *words) whole(line int, name string) {
	if instead, banned := bannedNames[name]; banned {
		w.refuse(line, name, instead)
	}
}

// nameParts splits a camel-case name into its words, in small letters.
func nameParts(name string) (parts []string) {
	begin := 0
	letters := []rune(name)
	for i := range letters {
		upper := unicode.IsUpper(letters[i])
		afterLower := i > 0 && !unicode.IsUpper(letters[i-1])
		beforeLower := i > 0 && i+1 < len(letters) && unicode.IsLower(letters[i+1])
		if letters[i] == '_' || i > begin && upper && (afterLower || beforeLower) {
			parts = append(parts, strings.ToLower(strings.Trim(string(letters[begin:i]), "_")))
			begin = i
		}
	}
	return append(parts, strings.ToLower(strings.Trim(string(letters[begin:]), "_")))
}

// wordBreaches looks for words that the house does not use in a file.
func wordBreaches(path string, src []byte) []string {
	w := &words{path: path, figure: strings.HasPrefix(path, "plots/")}
	file := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".go"), "_test")
	w.whole(1, file)
	w.whole(1, file+".go")
	switch filepath.Ext(path) {
	case ".go":
		w.goFile(src)
	case ".md":
		code := regexp.MustCompile("`[^`\n]*`")
		w.prose(1, code.ReplaceAllString(string(src), "``"))
	case ".toml", ".txt":
		for i, line := range strings.Split(string(src), "\n") {
			if _, comment, found := strings.Cut(line, "#"); found {
				w.prose(i+1, comment)
			}
		}
	}
	return w.found
}

func (w *words) goFile(src []byte) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, w.path, src, parser.ParseComments)
	if err != nil {
		w.found = append(w.found, err.Error())
		return
	}
	line := func(at token.Pos) int { return fset.Position(at).Line }
	for _, group := range file.Comments {
		for _, c := range group.List {
			w.prose(line(c.Pos()), c.Text)
		}
	}
	for _, object := range file.Scope.Objects {
		w.whole(line(object.Pos()), object.Name)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			for _, name := range n.Names {
				w.name(line(name.Pos()), name.Name)
			}
			ast.Inspect(n.Type, func(n ast.Node) bool { return w.node(n, line) })
			return false // not the tag
		}
		return w.node(n, line)
	})
}

func (w *words) node(n ast.Node, line func(token.Pos) int) bool {
	switch n := n.(type) {
	case *ast.Ident:
		w.name(line(n.Pos()), n.Name)
	case *ast.BasicLit:
		if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
			w.prose(line(n.Pos()), text)
		}
	}
	return true
}

func TestTheHouseUsesTheWordsOfTheField(t *testing.T) {
	var breaches []string
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		rel := filepath.ToSlash(strings.TrimPrefix(path, root+"/"))
		self := rel == "cmd/lbsim/house_words_test.go" || rel == "docs/glossary.md"
		if d.IsDir() || self || !slices.Contains([]string{".go", ".md", ".toml", ".txt"},
			filepath.Ext(rel)) {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		breaches = append(breaches, wordBreaches(rel, src)...)
		return nil
	})
	if err != nil || files < 10 {
		t.Fatalf("read %d files below %s: %v", files, root, err)
	}
	report(t, breaches)
}

func TestWordsRefuse(t *testing.T) {
	const head = "package p\n\n"
	for _, c := range []struct{ name, path, src, want string }{
		{"plain", "a.go", head + "// f reports whether it is OK.\nfunc f() {}\n", ""},
		{"a comment", "a.go", head + "// f says whether it is so.\nfunc f() {}\n",
			`a.go:3: "says whether": write reports whether`},
		{"the second line of a comment", "a.go", head + "/* f\nTakes note. */\nfunc f() {}\n",
			`a.go:4: "Takes note": write records`},
		{"a message", "a.go", head + "var s = \"the color\"\n", `a.go:3: "color": write colour`},
		{"a field's tag", "a.go", head + "type t struct { a int `json:\"figures\"` }\n", ""},
		{"an import", "a.go", head + "import \"image/color\"\n", ""},
		{"a part of a name", "a.go", head + "func f() { isTold := 1; _ = isTold }\n",
			`a.go:3: "isTold": write what learns`},
		{"a field", "a.go", head + "type t struct { told int }\n", `a.go:3: "told"`},
		{"a name of the field", "a.go", head + "func ByLittlesLaw() {}\n", ""},
		{"a verb in a name", "a.go", head + "func TestKeysStay() {}\n", ""},
		{"a part of a part", "a.go", head + "var stayer, law2, untold = 1, 2, 3\n", ""},
		{"a local name", "a.go", head + "func f() { around := 1; _ = around }\n", ""},
		{"a type", "a.go", head + "type around int\n", `a.go:3: "around": write delegate`},
		{"a method", "a.go", head + "type t int\n\nfunc (t) passing() {}\n", ""},
		{"a function", "a.go", head + "func passing() {}\n", `a.go:3: "passing"`},
		{"a file alone", "longest.go", head + "const longest = 1\n", `go:1: "longest.go"`},
		{"a file", "growth.go", head, `growth.go:1: "growth": write stability`},
		{"a test file", "growth_test.go", head, `"growth"`},
		{"a name that is known", "a.go", head + "// By Little's law.\n", ""},
		{"a text", "a.md", "The p99\nis right.\n", `a.md:2: "is right": write is valid`},
		{"code in a document", "a.md", "its `figures` are\n", ""},
		{"a question", "a.toml", "# What does it say?\nlaw = 1 # the law\n", `a.toml:2: "law"`},
		{"a picture", "plots/a.go", head + "// figure is a picture.\n", ""},
		{"no Go", "a.go", "pakage p\n", "expected 'package'"},
	} {
		got := strings.Join(wordBreaches(c.path, []byte(c.src)), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
