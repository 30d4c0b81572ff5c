package stats

import (
	"math"
	"testing"
)

func TestHalvesThatExcludeEachOther(t *testing.T) {
	series := func(n int, at func(i int) float64) (levels []float64) {
		for i := range n {
			levels = append(levels, at(i))
		}
		return levels
	}
	for _, row := range []struct {
		name   string
		levels []float64
		want   bool
	}{
		{"a step", series(40, func(i int) float64 { return 1 + float64(i/20) }), true},
		{"a step down", series(40, func(i int) float64 { return 2 - float64(i/20) }), true},
		{"a line", series(20, func(i int) float64 { return float64(i) }), true},
		{"a root", series(1000, func(i int) float64 { return math.Sqrt(float64(i)) }), true},
		{"too short", series(19, func(i int) float64 { return float64(i) }), false},
		{"a step of less than a tenth",
			series(40, func(i int) float64 { return 1 + 0.09*float64(i/20) }), false},
		{"a step with one batch as before", series(40, func(i int) float64 {
			if i == 38 || i == 39 {
				return 1
			}
			return 1 + float64(i/20)
		}), false},
		{"a wave", series(40, func(i int) float64 { return float64(i % 20) }), false},
		{"the same", series(40, func(int) float64 { return 3 }), false},
		{"nothing", series(40, func(int) float64 { return 0 }), false},
	} {
		if _, _, got := HalvesDiffer(row.levels); got != row.want {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}
