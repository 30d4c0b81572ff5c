package plots

import (
	"fmt"
	"math"
	"slices"
)

// middle is the median, 0 of nothing.
func middle(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// positive gives the span of the values above zero, not more than maxDecades, for a logarithmic
// axis; ok is false where there are none.
func positive(values []float64) (lo, hi float64, ok bool) {
	lo = math.Inf(1)
	for _, v := range values {
		if v > 0 {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return max(lo, hi*decimal(1, -maxDecades)), hi, hi > 0
}

// binWidth is the least distance between two of the times: that of the bins, where one or more
// follow each other somewhere. 0 if there are fewer than two.
func binWidth(times []float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	sorted = slices.Compact(sorted)
	width := math.Inf(1)
	for i := 1; i < len(sorted); i++ {
		width = min(width, sorted[i]-sorted[i-1])
	}
	if math.IsInf(width, 1) {
		return 0
	}
	return width
}

// threeDigits writes a number with as many decimals as three digits in all leave it, 2 at most.
func threeDigits(format string, v float64) string {
	decimals := 2
	for limit := 10.0; decimals > 0 && math.Abs(v) >= limit; limit *= 10 {
		decimals--
	}
	return fmt.Sprintf(format, decimals, v)
}
