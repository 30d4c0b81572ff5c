package analysis_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/analysis"
	"lbsim/internal/numtext"
)

// Estimates say what a hurried reader may take from them: a mean with its interval where
// that is one, else the least and the most of the runs.
func TestCellsOfFigures(t *testing.T) {
	inf := math.Inf(1)
	for _, row := range []struct {
		values []float64
		want   string
	}{
		{[]float64{10, 11, 12}, "11.00 ±2.48"}, // 4.303/√3
		{[]float64{10}, "10.00"},
		{[]float64{inf, inf, inf}, "never"},
		{[]float64{12.3, inf, 14}, "12.30–never"},
		{[]float64{6, 990, 6.1}, "6.00–990.00"},
		{[]float64{1, 2}, "1.00–2.00"}, // ±6.35
		// At the edge of a jump no run has what is the mean, however many runs there are.
		{[]float64{5, 5, 5, 5, 5, 5, 5, 5, 5, 20}, "5.00–20.00"},
		{[]float64{0.0042, 0.0042}, "0.0042 ±0.0000"},
		{[]float64{12345678, 12345678}, "12345678.00 ±0.00"},
	} {
		f := analysis.LatencyMetric("latency_p90_ms", "all")
		var runs []*experiments.Measures
		for i := range row.values {
			runs = append(runs,
				&experiments.Measures{LatencyAll: analysis.Percentiles{P90: &row.values[i]}})
		}
		out := f.Over(runs)
		if got := f.Format.Cell(&out); got != row.want {
			t.Errorf("%v: %q, want %q", row.values, got, row.want)
		}
		text, err := json.Marshal(out)
		if (out.Reason == "") != (out.Mean != nil) || err != nil {
			t.Errorf("%v: %s, %v", row.values, text, err)
		}
	}
}

// Differences show what is below the usual digits, and no verdict on what no digit shows.
func TestCellsOfDifferences(t *testing.T) {
	x := 1.0 // a variable: constants are exact
	for _, row := range []struct {
		policy, baseline []float64
		want             string
	}{
		{[]float64{10, 20, 30}, []float64{10, 20, 30}, "identical"},
		{[]float64{0.1*x + 0.2*x, 1}, []float64{0.3 * x, 1}, "identical"}, // but for rounding
		{[]float64{10.001, 10.002, 10.003}, []float64{10, 10, 10}, "+0.0020 ±0.0025 ?+1"},
		{[]float64{9.9979, 9.998, 9.9981}, []float64{10, 10, 10}, "-0.00200 ±0.00025 better"},
		{[]float64{10.002, 10.002, 10.002}, []float64{10, 10, 10}, "+0.0020 worse"},
		{[]float64{13, 14, 12}, []float64{10, 11, 12}, "+2.00 ±4.30 ?+3"},
		// The baseline is on the edge of a jump: -241.5 ±850 is no value of it.
		{[]float64{12, 12, 12}, []float64{6, 7, 990}, "-978.00 to +6.00 ?"},
		{[]float64{2, 2, 2}, []float64{0.01, 0.01, 0.011}, "+1.9897 ±0.0014 worse"},
	} {
		f := analysis.LatencyMetric("latency_p90_ms", "all")
		runs := func(values []float64) (list []*experiments.Measures) {
			for i := range values {
				p := analysis.Percentiles{P90: &values[i]}
				list = append(list, &experiments.Measures{Seed: uint64(i), LatencyAll: p})
			}
			return list
		}
		d := f.Against(runs(row.policy), runs(row.baseline))
		if got := f.Format.DifferenceCell(&d); got != row.want {
			t.Errorf("%v against %v: %q, want %q", row.policy, row.baseline, got, row.want)
		}
	}
}

// No exponent gets to a reader, and rates below 10 keep digits.
func TestNumbersForPeople(t *testing.T) {
	for _, row := range []struct {
		x                float64
		decimals, digits int
		want             string
	}{
		{0.6, 0, 2, "0.60"}, {5, 0, 2, "5.0"}, {10, 0, 2, "10"}, {3996.2, 0, 2, "3996"},
		{2283.4, 0, 3, "2283"}, {221.4, 0, 3, "221"}, {22.14, 0, 3, "22.1"}, {1e21, 0, 2, "1" +
			strings.Repeat("0", 21)}, {-0.001, 2, 0, "0.00"}, {0, 2, 2, "0.00"},
		{0.00001, 3, 2, "0.000010"}, {-0.0421, 2, 2, "-0.042"}, {0.11, 2, 2, "0.11"},
	} {
		got := numtext.Fixed(row.x, row.decimals)
		if row.digits > 0 {
			got = numtext.Number(row.x, row.decimals, row.digits)
		}
		if got != row.want {
			t.Errorf("%v with %d decimals, %d digits: %q, want %q", row.x, row.decimals, row.digits,
				got, row.want)
		}
	}
}
