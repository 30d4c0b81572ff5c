package stats

import "math"

// SignTest returns the probability that of n fair coins at least of fall on the same side, for of >
// n/2: the p-value of the sign test. Pairs without a difference count in n, so the true p-value is
// this or less.
func SignTest(of, n int) float64 {
	const mostExact = 1000
	if n > mostExact { // the normal distribution, to 1 %
		z := (2*float64(of) - 1 - float64(n)) / math.Sqrt(float64(n))
		return math.Erfc(z / math.Sqrt2)
	}
	term, sum := math.Ldexp(1, -n), 0.0
	for i := 0; i <= n-of; i++ {
		sum += term
		term = term * float64(n-i) / float64(i+1)
	}
	return min(1, 2*sum)
}
