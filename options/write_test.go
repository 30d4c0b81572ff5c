package options_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"pgregory.net/rapid"

	"lbsim/options"
)

const written = `
[at.here]
kind = "full"
text = "a \"b\"\n\u202E"
whole = -3
small = 0
count = 4
ratio = 2.0
yes = true
wait = "1m"
rate = "1.5/s"
fruit = "pear"
font = "a.ttf"
shape = { kind = "frame", inner = { kind = "circle", radius = 0.5, filled = false }, ` +
	`names = { "a b" = { kind = "own/a" } } }
perhaps = false
part = { weight = 1, every = "2s" }
list = ["x", "y"]
parts = [{ weight = 2, every = "0s" }]

[at.here.below]
weight = 3
every = "4ms"

[at.here.words]
"a b" = ["b"]
c = []

[at.here.times]
a = "7/s"
`

func TestWrite(t *testing.T) {
	v := all{
		Text: "a \"b\"\n\u202e", Whole: -3, Count: 4, Ratio: 2, Yes: true, Wait: time.Minute,
		Rate: 1.5, Fruit: 1, Font: namedFont("a.ttf"),
		Shape:   frame{circle{Radius: 0.5}, map[string]shape{"a b": foreign{"own/a"}}},
		Perhaps: new(false), Part: &part{1, 2 * time.Second}, List: []string{"x", "y"},
		Parts: []part{{Weight: 2}}, Below: part{3, 4 * time.Millisecond},
		Words: map[string][]string{"c": {}, "a b": {"b"}},
		Times: map[string]options.Rate{"a": 7},
		Own:   5, hidden: 6,
	}
	w := codec().Writer()
	w.Table("full", v, "at", "here")
	if got := w.String(); got != written {
		t.Errorf("got:\n%s\nwant:\n%s", got, written)
	}
	const zero = "text = \"\"\nwhole = 0\nsmall = 0\ncount = 0\nratio = 0.0\nyes = false\n" +
		"wait = \"0s\"\nfruit = \"apple\"\nlist = []\nparts = []\n"
	w = codec().Writer()
	if w.Fields(all{}); w.String() != zero {
		t.Errorf("got:\n%s\nwant:\n%s", w.String(), zero)
	}
}

func TestDescribe(t *testing.T) {
	got := strings.Join(codec().Describe(all{}), "")
	for _, want := range []string{
		"shape = { kind = ... }  # a shape\n", "perhaps = false  # if given\n",
		"part = { weight = 7, every = \"1m\" }  # if given\n", "words = {}\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %s:\n%s", want, got)
		}
	}
}

func TestUnder(t *testing.T) {
	at := []string{"policies", "my kind"}
	for _, row := range []struct {
		err  error
		want string
	}{
		{errors.New("child.interval: must be more"),
			`policies."my kind".child.interval: must be more`},
		{errors.New("is wrong"), `policies."my kind": is wrong`},
		{errors.New(`unknown "a" (have: b)`), `policies."my kind": unknown "a" (have: b)`},
		{options.Errorf([]string{"a", ""}, "is %d", 1), `policies."my kind".a."": is 1`},
	} {
		if got := options.Under(at, row.err).Error(); got != row.want {
			t.Errorf("got %s, want %s", got, row.want)
		}
	}
	if err := options.Under(at, nil); err != nil {
		t.Errorf("nothing wrong is %v", err)
	}
}

// generators of all that a struct may hold.
var (
	texts  = rapid.StringN(0, 12, -1)
	delays = rapid.Custom(func(t *rapid.T) time.Duration {
		return time.Duration(rapid.Int64Min(0).Draw(t, "delay"))
	})
	parts = rapid.Custom(func(t *rapid.T) part {
		return part{rapid.Uint8().Draw(t, "weight"), delays.Draw(t, "every")}
	})
	circles = rapid.Custom(func(t *rapid.T) shape {
		return circle{rapid.Float64Range(0, math.MaxFloat64).Draw(t, "radius"),
			rapid.Bool().Draw(t, "filled")}
	})
	rates = rapid.Custom(func(t *rapid.T) options.Rate {
		return options.Rate(rapid.Float64Range(math.SmallestNonzeroFloat64, math.MaxFloat64).
			Draw(t, "rate"))
	})
)

func anyShape(t *rapid.T, depth int) shape {
	switch n := rapid.IntRange(0, 2).Draw(t, "kind"); {
	case n == 0 || depth == 0:
		return circles.Draw(t, "circle")
	case n == 1:
		return foreign{"own/a"}
	}
	f := frame{Inner: anyShape(t, depth-1)}
	if rapid.Bool().Draw(t, "names") {
		f.Names = map[string]shape{texts.Draw(t, "name"): anyShape(t, depth-1)}
	} else {
		f.Names = map[string]shape{}
	}
	return f
}

func anything(t *rapid.T) all {
	v := all{
		Text: texts.Draw(t, "text"), Whole: rapid.Int().Draw(t, "whole"),
		Small: rapid.Int8().Draw(t, "small"), Count: rapid.Uint32().Draw(t, "count"),
		Ratio: rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "ratio"),
		Yes:   rapid.Bool().Draw(t, "yes"), Wait: delays.Draw(t, "wait"),
		Fruit: fruit(rapid.IntRange(0, 2).Draw(t, "fruit")),
		Font:  namedFont(texts.Draw(t, "font") + ".ttf"),
		List:  rapid.SliceOfN(texts, 0, 3).Draw(t, "list"),
		Parts: rapid.SliceOfN(parts, 0, 3).Draw(t, "parts"),
		Below: parts.Draw(t, "below"),
		Words: rapid.MapOfN(texts, rapid.SliceOfN(texts, 0, 2), 1, 3).Draw(t, "words"),
		Named: rapid.MapOfN(texts, parts, 1, 3).Draw(t, "named"),
		Times: rapid.MapOfN(texts, rates, 1, 3).Draw(t, "times"),
	}
	if rapid.Bool().Draw(t, "optional") {
		v.Rate = rates.Draw(t, "rate")
		v.Shape = anyShape(t, 3)
		v.Perhaps = new(rapid.Bool().Draw(t, "perhaps"))
		v.Part = new(parts.Draw(t, "part"))
	}
	return v
}

// What is written reads back as the same, and is written as the same again.
func TestRoundTrip(t *testing.T) { rapid.Check(t, roundTrip) }

func FuzzRoundTrip(f *testing.F) { f.Fuzz(rapid.MakeFuzz(roundTrip)) }

func roundTrip(t *rapid.T) {
	v := anything(t)
	write := func(v all) string {
		w := codec().Writer()
		w.Table("", v, "at", "a b")
		return w.String()
	}
	text := write(v)
	var tree map[string]map[string]any
	if _, err := toml.Decode(text, &tree); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	var got all
	if err := codec().Read([]string{"at"}, tree["at"]["a b"], &got); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	if !reflect.DeepEqual(got, v) {
		t.Fatalf("got  %s\nwant %s\nof:\n%s", fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", v), text)
	}
	if again := write(got); again != text {
		t.Fatalf("written again:\n%s\nbefore:\n%s", again, text)
	}
}
