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

func TestKindsAgreeAboutX(t *testing.T) {
	kinds := maps.Clone(plots.Catalog)
	kinds["mine"] = plots.Kind{Metrics: map[string]plots.X{"p99_ms": plots.NoX}}
	_, err := plots.Read(strings.NewReader(queues), kinds)
	want := "plot p99-over-time: x of p99_ms is not what it is in mine"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
