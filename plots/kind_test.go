package plots_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg/draw"

	"lbsim/plots"
)

const queues = `policy,seed,metric,scope,x,value
a,1,queue_count,time,0,3
a,1,queue_count,time,1,4
b,1,queue_count,time,0,1
b,1,queue_count,time,1,2
`

// A program draws kinds of its own beside the shipped ones, of metrics that those do not know.
func TestKindFromOutside(t *testing.T) {
	var seen [][]plots.Sample
	kinds := maps.Clone(plots.Catalog)
	kinds["queue"] = plots.Kind{
		Doc:     "queue over time",
		Metrics: map[string]plots.X{"queue_count": plots.Seconds},
		Draw: func(p *plots.Point) *plots.Figure {
			for i := range p.Policies() {
				seen = append(seen, p.Series(i, "queue_count", "time"))
			}
			return p.OverTime("Queue", "requests", "queue_count", "time")
		},
	}
	kinds["blank"] = plots.Kind{
		Draw: func(p *plots.Point) *plots.Figure {
			if p.OverTime("None", "", "p99_ms", "time") != nil {
				t.Error("a figure of a metric without rows")
			}
			return &plots.Figure{Title: "Nothing", Height: 10, Draw: func(draw.Canvas) {}}
		},
	}
	table, err := plots.Read(strings.NewReader(queues), kinds)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := plots.Write(t.TempDir(), table, plots.Caption{}, nil)
	want := []string{"blank.svg", "blank.png", "queue.svg", "queue.png"}
	if err != nil || !slices.Equal(drawn, want) {
		t.Errorf("drawn %q, %v, want %q", drawn, err, want)
	}
	if len(seen) != 2 || len(seen[1]) != 2 || seen[1][1].X != 1 || seen[1][1].Value != 2 {
		t.Errorf("series %v", seen)
	}
}

func TestFurtherKindsAreChecked(t *testing.T) {
	draw := func(*plots.Point) *plots.Figure { return nil }
	for _, test := range []struct {
		name string
		kind plots.Kind
		want string
	}{
		{"mine", plots.Kind{Draw: draw}, ""},
		{"share", plots.Kind{Draw: draw}, `there is a kind "share" already`},
		{"mine", plots.Kind{}, `kind "mine" has no Draw`},
		{"", plots.Kind{Draw: draw},
			`kind "": files have its name: use a to z, 0 to 9, _ and -`},
		{"a/b", plots.Kind{Draw: draw},
			`kind "a/b": files have its name: use a to z, 0 to 9, _ and -`},
		{"a@b", plots.Kind{Draw: draw},
			`kind "a@b": files have its name: use a to z, 0 to 9, _ and -`},
		{"mine", plots.Kind{Draw: draw, Metrics: map[string]plots.X{"p99_ms": plots.NoX}},
			"plot p99-over-time: x of p99_ms is not what it is in mine"},
	} {
		got := ""
		_, err := plots.With(plots.Catalog, map[string]plots.Kind{test.name: test.kind})
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%q: error %q, want %q", test.name, got, test.want)
		}
	}
}
