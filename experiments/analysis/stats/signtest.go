package stats

import "math"

// SignTest is the chance that of n fair coins so many, or more, fall on one side, whichever, for
// more than half of them. What is no difference counts as one against it, so it is that or less.
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
