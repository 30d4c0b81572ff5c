package plots

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

const head = "policy,seed,metric,scope,x,value\n"

func TestReadPointsAtTheLine(t *testing.T) {
	long := "policy,seed,a,b,metric,scope,x,value\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty file", "", "table.csv:1: the file is empty, want the header " + headerWords},
		{"no header", "p2c,1,p99_ms,time,0,5\n",
			`table.csv:1: header is "p2c,1,p99_ms,time,0,5", want ` + headerWords},
		{"header without seed", "policy,metric,scope,x,value\n",
			`table.csv:1: header is "policy,metric,scope,x,value", want ` + headerWords},
		{"swept key without a name", "policy,seed,,metric,scope,x,value\n",
			"table.csv:1: header: column 3 has no name"},
		{"swept key twice", "policy,seed,a,a,metric,scope,x,value\n",
			`table.csv:1: header: swept key "a" stands there twice`},
		{"field missing", head + "p2c,1,p99_ms,time,5\n",
			"table.csv:2: the row has 5 fields, the header has 6"},
		{"field too many", long + "p2c,1,x,y,p99_ms,time,0,5,\n",
			"table.csv:2: the row has 9 fields, the header has 8"},
		{"no policy", head + ",1,p99_ms,time,0,5\n", "table.csv:2: policy is empty"},
		{"no metric", head + "p2c,1,,time,0,5\n", "table.csv:2: metric is empty"},
		{"value is text", head + "p2c,1,p99_ms,time,0,5ms\n",
			`table.csv:2: value: "5ms" is not a number`},
		{"value is empty", head + "p2c,1,p99_ms,time,0,\n",
			`table.csv:2: value: "" is not a number`},
		{"value is NaN", head + "p2c,1,p99_ms,time,0,4\np2c,1,p99_ms,time,1,NaN\n",
			`table.csv:3: value: "NaN" is not a number, leave the row out instead`},
		{"value is infinite", head + "p2c,1,p99_ms,time,0,+Inf\n",
			`table.csv:2: value: "+Inf" is beyond ±1e+15`},
		{"value is huge", head + "p2c,1,p99_ms,time,0,1e999\n",
			`table.csv:2: value: "1e999" is beyond ±1e+15`},
		{"value is hexadecimal", head + "p2c,1,p99_ms,time,0,0x1p4\n",
			`table.csv:2: value: "0x1p4" is not a plain decimal number`},
		{"value of an unknown metric", head + "p2c,1,mood,all,,good\n",
			`table.csv:2: value: "good" is not a number`},
		{"x is text", head + "p2c,1,p99_ms,time,now,5\n",
			`table.csv:2: x: "now" is not a number`},
		{"time missing", head + "p2c,1,p99_ms,time,,5\n",
			"table.csv:2: p99_ms: x is empty, want a time in seconds"},
		{"quantile of one", head + "p2c,1,latency_ms,all,1,5\n",
			`table.csv:2: latency_ms: x is "1", want a quantile, 0 <= x < 1`},
		{"quantile missing", head + "p2c,1,latency_ms,all,,5\n",
			`table.csv:2: latency_ms: x is "", want a quantile, 0 <= x < 1`},
		{"x where none belongs", head + "p2c,1,share_ratio,backend:a/0,3,0.5\n",
			`table.csv:2: share_ratio: x is "3", want it empty`},
		{"same place twice", head + "p2c,1,p99_ms,time,1,5\np2c,1,p99_ms,time,0,5\n" +
			"p2c,1,p99_ms,time,1.0,6\n",
			"table.csv:4: same run, metric, scope and x as in line 2"},
		{"value below zero", head + "p2c,1,p99_ms,time,1,-5\n",
			"table.csv:2: p99_ms: value is -5, want none below 0"},
		{"quote left open", head + "\"p2c,1,p99_ms,time,1,5\n",
			`table.csv:2: a quoted field has an extra or missing "`},
		{"quote within", head + "p\"2c,1,p99_ms,time,1,5\n",
			`table.csv:2: a " stands in a field that is not quoted`},
	} {
		_, err := Read(strings.NewReader(c.text), Catalog)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got error %v, want %s", c.name, err, c.want)
		}
	}
}

func TestReadKeepsTheOrderOfTheFile(t *testing.T) {
	table := read(t, "policy,seed,rate,metric,scope,x,value\n"+
		"b,2,9/s,share_ratio,backend:z/0,,0.5\n"+
		"b,2,9/s,share_ratio,backend:a/0,,0.5\n"+
		"a,2,9/s,share_ratio,backend:m/0,,1\n"+
		"a,1,3/s,share_ratio,backend:q/0,,1\n"+
		"b,1,9/s,share_ratio,backend:z/0,,0.7\n")
	points := table.points()
	if len(points) != 2 {
		t.Fatalf("got %d sweep points, want 2", len(points))
	}
	got := strings.Join(points[0].policies, " ") + " | " +
		strings.Join(points[0].backends("share_ratio"), " ")
	if want := "b a | backend:z/0 backend:a/0 backend:m/0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMedianIsTakenOverTheSeedsThatHaveARow(t *testing.T) {
	table := read(t, head+
		"p2c,1,p99_ms,time,0,10\np2c,2,p99_ms,time,0,40\np2c,3,p99_ms,time,0,20\n"+
		"p2c,1,p99_ms,time,1,10\np2c,3,p99_ms,time,1,20\n"+
		"p2c,2,p99_ms,time,2,7\n")
	got := table.points()[0].median(0, "p99_ms", "time")
	want := []float64{20, 15, 7}
	if len(got) != len(want) {
		t.Fatalf("got %d values, want %d", len(got), len(want))
	}
	for i, s := range got {
		if s.X != float64(i) || s.Value != want[i] {
			t.Errorf("got %v at %v s, want %v at %d s", s.Value, s.X, want[i], i)
		}
	}
}

// Whatever is fed in, Read answers with a table or an error, and a table can be drawn.
func FuzzRead(f *testing.F) {
	f.Add(head + "p2c,1,p99_ms,time,0,5\np2c,1,p99_ms,time,1,0\np2c,1,p99_ms,time,5,1e15\n" +
		"p2c,1,failure_s,failure:crash,0,3\n")
	f.Add("policy,seed,k,metric,scope,x,value\n" +
		"p,1,v,latency_ms,all,0,0\np,1,v,latency_ms,all,0.9,3\n")
	f.Add(head + "p,1,share_ratio,backend:a/0,,0.1\np,1,capacity_share_ratio,backend:a/0,,-4\n" +
		"p,1,inflight_count,backend:a/0,0,1\np,1,inflight_count,backend:b,1e9,1e9\n")
	f.Add(head + "\"p\n2\",1,latency_ms,ok,0.9999999999999999,1e-300\n")
	f.Add(head + "p,1,p99_ms,time,0,inf\np,1,p99_ms,time,1,inf\np,1,p99_ms,time,2,5\n" +
		"p,1,latency_ms,all,0.5,inf\np,1,warmup_s,run,,1\np,1,rate_rps,time,0,7\n")
	f.Add("policy,seed,metric,scope,x,value")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := Read(strings.NewReader(text), Catalog)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "table.csv:") {
				t.Errorf("error %q does not begin with table.csv:", err)
			}
			return
		}
		for _, p := range table.points() {
			for _, name := range slices.Sorted(maps.Keys(Catalog)) {
				k := Catalog[name]
				if fig := k.Draw(p); fig != nil {
					if _, _, err := encode(fig); err != nil {
						t.Error(err)
					}
				}
			}
		}
	})
}
