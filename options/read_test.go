package options_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"lbsim/options"
)

// read reads a text over a value.
func read(text string, to any) error {
	var tree map[string]any
	if _, err := toml.Decode(text, &tree); err != nil {
		return err
	}
	return codec().Read([]string{"at"}, tree, to)
}

func TestRead(t *testing.T) {
	for _, row := range []struct {
		text string
		want all
	}{
		{"", all{}},
		{"text = \"a b\"\nwhole = -3\nsmall = 127\ncount = 4294967295\nyes = true",
			all{Text: "a b", Whole: -3, Small: 127, Count: 1<<32 - 1, Yes: true}},
		{"ratio = 3", all{Ratio: 3}},
		{"ratio = 0.25\nwait = \"1m1s\"\nrate = \"90/m\"",
			all{Ratio: 0.25, Wait: 61 * time.Second, Rate: 1.5}},
		{"wait = 0", all{}},
		{"fruit = \"plum\"\nfont = \"a.ttf\"", all{Fruit: 2, Font: namedFont("a.ttf")}},
		{"perhaps = false", all{Perhaps: new(false)}},
		{"part = {}", all{Part: &part{7, time.Minute}}},
		{"part = { weight = 0 }", all{Part: &part{0, time.Minute}}},
		{"parts = [{}, { every = \"1s\" }]",
			all{Parts: []part{{7, time.Minute}, {7, time.Second}}}},
		{"below.weight = 1", all{Below: part{Weight: 1}}},
		{"[named.a]\n[named.b]\nweight = 1",
			all{Named: map[string]part{"a": {7, time.Minute}, "b": {1, time.Minute}}}},
		{"list = []\n[words]\na = [\"b\"]",
			all{List: []string{}, Words: map[string][]string{"a": {"b"}}}},
		{"shape = \"circle\"", all{Shape: circle{Radius: 1}}},
		{"shape = { kind = \"circle\", filled = true }", all{Shape: circle{1, true}}},
		{"shape = { kind = \"frame\", inner = \"own/a\", names = { x = \"circle\" } }",
			all{Shape: frame{foreign{"own/a"}, map[string]shape{"x": circle{Radius: 1}}}}},
	} {
		var got all
		if err := read(row.text, &got); err != nil || !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s:\ngot  %+v, error %v\nwant %+v", row.text, got, err, row.want)
		}
	}
	kept := all{Text: "before", Whole: 5}
	if err := read("whole = 6", &kept); err != nil || kept.Text != "before" || kept.Whole != 6 {
		t.Errorf("read over a value: got %+v, error %v", kept, err)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"txt = 1", `at.txt: unknown key; did you mean text? (have text, whole, small, count, ` +
			`ratio, yes, wait, rate, fruit, font, shape, perhaps, part, list, parts, below, ` +
			`words, named, times)`},
		{"Own = 1", `at.Own: unknown key (have `},
		{"hidden = 1", `at.hidden: unknown key (have `},
		{"text = 1", `at.text: must be a text in quotes (is 1)`},
		{"whole = 1.5", `at.whole: must be a whole number (is 1.5)`},
		{"whole = \"1\"", `at.whole: must be a whole number (is the text "1")`},
		{"small = 128", `at.small: 128 is too large`},
		{"count = -1", `at.count: must be a whole number from 0 on (is -1)`},
		{"count = 4294967296", `at.count: must be a whole number from 0 on (is 4294967296)`},
		{"ratio = nan", `at.ratio: must be a number, such as 1.5 (is NaN)`},
		{"ratio = -inf", `at.ratio: must be a number, such as 1.5 (is -Inf)`},
		{"yes = 1", `at.yes: must be true or false (is 1)`},
		{"perhaps = 1", `at.perhaps: must be true or false (is 1)`},
		{"wait = 5", `at.wait: missing unit in "5" (write for instance 5ms)`},
		{"wait = []", `at.wait: must be a length of time in quotes, such as "10ms" (is a list)`},
		{"fruit = []", `at.fruit: must be a text in quotes (is a list)`},
		{"wait = \"-5s\"", `at.wait: must not be negative (is -5s)`},
		{"rate = 5", `at.rate: missing unit in "5" (write for instance 5/s)`},
		{"fruit = \"paer\"",
			`at.fruit: unknown fruit "paer"; did you mean pear? (have apple, pear, plum)`},
		{"font = 1", `at.font: must be a font, such as "a.ttf" (is 1)`},
		{"font = \"a\"", `at.font: must end in .ttf`},
		{"part = 1", `at.part: must be a table (is 1)`},
		{"part = { wait = 1 }", `at.part.wait: unknown key (have weight, every)`},
		{"list = \"a\"", `at.list: must be a list in brackets (is the text "a")`},
		{"list = [1]", `at.list: must be a text in quotes (is 1)`},
		{"[[parts]]",
			`at.parts: must be a list in brackets ` +
				`(is a list of tables; name them [at.parts.NAME])`},
		{"words = 1", `at.words: must be a table (is 1)`},
		{"words = { \"a b\" = 1 }", `at.words."a b": must be a list in brackets (is 1)`},
		{"shape = 1", `at.shape: must be a shape, such as "circle" or { kind = "circle" } (is 1)`},
		{"shape = {}", `at.shape.kind: must say which, such as "circle"`},
		{"shape = { kind = 1 }", `at.shape.kind: must be a text in quotes (is 1)`},
		{"shape = \"circl\"", `at.shape.kind: unknown kind "circl"; did you mean circle? ` +
			`(have circle, frame, own/a)`},
		{"shape = { kind = \"circle\", radius = -1 }",
			`at.shape.radius: must be at least 0 (is -1)`},
		{"shape = { kind = \"frame\", inner = { kind = \"circle\", radius = -1 } }",
			`at.shape.inner.radius: must be at least 0 (is -1)`},
		{"shape = { kind = \"own/a\", x = 1 }", `at.shape.x: unknown key (there are none)`},
	} {
		var got all
		err := fmt.Sprint(read(row.text, &got))
		if err != row.want && (row.want[len(row.want)-1] != ' ' || len(err) < len(row.want) ||
			err[:len(row.want)] != row.want) {
			t.Errorf("%s: got %s, want %s", row.text, err, row.want)
		}
	}
}

// A program can have kinds whose fields no file can set. That is an error, not a crash.
func TestFieldsThatNoFileCanSet(t *testing.T) {
	var unfit struct {
		Single  float32        `toml:"single"`
		Pair    [2]int         `toml:"pair"`
		Numbers map[int]string `toml:"numbers"`
		Writer  fmt.Stringer   `toml:"writer"`
	}
	for text, typ := range map[string]string{
		"single = 1.5": "float32", "pair = [1, 2]": "[2]int",
		"numbers = { 1 = \"a\" }": "map[int]string", "writer = \"a\"": "fmt.Stringer",
	} {
		key, _, _ := strings.Cut(text, " ")
		want := fmt.Sprintf("at.%s: cannot be set: its field has the type %s, "+
			"which no value of a file fits", key, typ)
		if err := read(text, &unfit); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

func TestKinds(t *testing.T) {
	c := codec()
	for _, row := range []struct {
		name string
		from any
		want shape
		kind string
		err  string
	}{
		{"circle", map[string]any{}, circle{Radius: 1}, "circle", ""},
		{"my", map[string]any{"kind": "circle", "radius": 2.}, circle{Radius: 2}, "circle", ""},
		{"my", map[string]any{}, nil, "",
			`shapes.my: unknown kind "my" (have circle, frame, own/a)`},
		{"my", 1, nil, "", `shapes.my: must be a table (is 1)`},
	} {
		got, kind, err := options.Kind(c, []string{"shapes", row.name}, row.from, shapes)
		if text := fmt.Sprint(err); got != row.want || kind != row.kind ||
			text != row.err && (err != nil || row.err != "") {
			t.Errorf("%s %v: got %v of kind %q, error %v", row.name, row.from, got, kind, err)
		}
	}
	if (shapes["circle"] != circle{Radius: 1}) {
		t.Errorf("a prototype was changed: %+v", shapes["circle"])
	}
	for want, s := range map[string]shape{
		"circle": circle{Radius: 9}, "own/b": foreign{"own/b"}, "": namedShape{},
	} {
		if got := shapes.KindOf(s); got != want {
			t.Errorf("%T: got kind %q, want %q", s, got, want)
		}
	}
	if _, err := shapes.With(options.Catalog[shape]{"circle": circle{}}); err == nil {
		t.Error("a second kind circle was taken")
	}
	more, err := shapes.With(options.Catalog[shape]{"square": namedShape{}})
	if err != nil || fmt.Sprint(more.Names()) != "[circle frame own/a square]" || len(shapes) != 3 {
		t.Errorf("got %v, error %v, the catalog has %d kinds", more.Names(), err, len(shapes))
	}
}

// namedShape is in no catalog.
type namedShape struct{}

func (namedShape) Area() float64 { return 0 }
