package dist

import "lbsim/sim"

const log2Pi = 1.8378770664093454835606594728112352797

// logGamma returns log Γ(x) for x > 0, with an error of about 1e-15 (1 + |log Γ(x)|).
//
// Stirling: log Γ(x) = (x - 1/2) log x - x + log(2π)/2 + correction; a small x is first raised by
// Γ(x+1) = x Γ(x).
func logGamma(x float64) float64 {
	product := 1.0
	for x < 10 {
		product *= x
		x++
	}
	return float64((x-0.5)*sim.Log(x)) - x + log2Pi/2 + stirlingSeries(x) - sim.Log(product)
}

// stirlingCorrection returns by how much log Γ(x) exceeds Stirling's formula.
func stirlingCorrection(x float64) float64 {
	if x >= 10 {
		return stirlingSeries(x)
	}
	return logGamma(x) - (float64((x-0.5)*sim.Log(x)) - x + log2Pi/2)
}

// stirlingSeries is the sum of B(2n) / (2n (2n-1) x^(2n-1)), with Bernoulli's numbers B. For
// x >= 10 the first term left out is below 3e-17.
func stirlingSeries(x float64) float64 {
	w := 1 / (x * x)
	s := float64(w*(1./156)) - 691./360360
	s = float64(w*s) + 1./1188
	s = float64(w*s) - 1./1680
	s = float64(w*s) + 1./1260
	s = float64(w*s) - 1./360
	s = float64(w*s) + 1./12
	return s / x
}
