package plots

import (
	"strings"
	"testing"
)

// What is said beside the bar of a difference, of which there is none where latencies grow without
// bound. Errors are compared in percentage points, also with a baseline that has none.
func TestDifferencesAreDrawn(t *testing.T) {
	const p99 = "all:latency_p99_ms against a"
	for _, row := range []struct{ name, rows, want string }{
		{"better", "b,all,difference_mean_ms," + p99 + ",,-5\n" +
			"b,all,difference_half_ms," + p99 + ",,0.123\n" +
			"b,all,difference_verdict_sign," + p99 + ",,1\n", "-25.0 ±0.61%  better"},
		{"by far more", "b,all,difference_mean_ms," + p99 + ",,500\n" +
			"b,all,difference_half_ms," + p99 + ",,20\n" +
			"b,all,difference_verdict_sign," + p99 + ",,-1\n", "+2500 ±100%  worse"},
		{"unstable", "b,all,difference_verdict_sign," + p99 + ",,-1\n", "worse"},
		{"from 0", "b,all,difference_mean_ratio,all:error_ratio against a,,0.5\n" +
			"b,all,difference_half_ratio,all:error_ratio against a,,0.9\n" +
			"b,all,difference_verdict_sign,all:error_ratio against a,,0\n",
			"+50.0 ±90.0 points  cannot tell"},
		{"one seed", "b,all,difference_mean_ms," + p99 + ",,-5\n" +
			"b,all,difference_verdict_sign," + p99 + ",,0\n", ""},
		{"nothing", "b,all,difference_mean_ms," + p99 + ",,0\n" +
			"b,all,difference_half_ms," + p99 + ",,0\n" +
			"b,all,difference_verdict_sign," + p99 + ",,0\n", ""},
		{"identical, beside one that is not", "b,all,difference_verdict_sign," + p99 + ",,0\n" +
			"b,all,difference_identical_flag," + p99 + ",,1\n" +
			"c,1,rpcs_count,open,,0\nc,all,difference_verdict_sign," + p99 + ",,-1\n",
			"identical; worse"},
		{"all identical", "b,all,difference_verdict_sign," + p99 + ",,0\n" +
			"b,all,difference_identical_flag," + p99 + ",,1\n", ""},
	} {
		p := read(t, head+"a,1,rpcs_count,open,,0\nb,1,rpcs_count,open,,0\n"+
			"a,all,interval_mean_ms,all:latency_p99_ms,,20\n"+
			"a,all,interval_mean_ratio,all:error_ratio,,0\n"+row.rows).points()[0]
		groups, _ := p.differences()
		var got []string
		for _, g := range groups {
			for _, d := range g.of {
				got = append(got, d.text())
			}
		}
		if text := strings.Join(got, "; "); text != row.want {
			t.Errorf("%s: got %q, want %q", row.name, text, row.want)
		}
		if f := drawDifferences(p); (f == nil) != (row.want == "") {
			t.Errorf("%s: a picture of %q", row.name, got)
		}
	}
}

// Means and intervals come from the rows of all seeds, where there are some.
func TestCentralValues(t *testing.T) {
	p := read(t, head+"a,1,latency_ms,ok,0,3\na,2,latency_ms,ok,0,9\n"+
		"b,1,latency_ms,ok,0,3\nb,2,latency_ms,ok,0,9\n"+
		"b,all,interval_mean_ms,ok:latency_ms,0,7\nb,all,interval_mean_ms,ok:latency_ms,0.5,8\n"+
		"b,all,interval_half_ms,ok:latency_ms,0.5,2\n").points()[0]
	for policy, want := range [][]Sample{
		{{X: 0, Value: 6}}, {{X: 0, Value: 7}, {X: 0.5, Value: 8, Half: 2}},
	} {
		got := p.central(policy, "latency_ms", "ok")
		for i := range got {
			got[i].line = 0
			if len(got) != len(want) || got[i] != want[i] {
				t.Errorf("policy %d: got %v, want %v", policy, got, want)
			}
		}
	}
}
