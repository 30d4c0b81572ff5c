package sim

import "math"

// The constants split ln 2 in two: ln2Hi has 41 bits, so that a product with any binary exponent
// (11 bits) is exact, and ln2Lo is what is missing from ln 2.
const (
	ln2Hi = 0x1.62e42fefa3p-1
	ln2Lo = math.Ln2 - ln2Hi

	bitsSqrtHalf = 0x3fe6a09e667f3bcd // math.Float64bits of sqrt(1/2), rounded up
	minNormal    = 0x1p-1022          // the least float64 with a full mantissa
)

// Log returns the natural logarithm of x, to less than 1 ulp and with the same bits on every CPU.
// Log(0) is -Inf, Log(+Inf) is +Inf; of a negative number or NaN it is NaN.
//
// x = 2^k m with m in [sqrt(1/2), sqrt(2)), so that log x = k ln 2 + log m, see logParts.
func Log(x float64) float64 {
	if !(x >= minNormal && x <= math.MaxFloat64) {
		return logEdge(x)
	}
	bits := math.Float64bits(x)
	k := int64(bits-bitsSqrtHalf) >> 52
	m := math.Float64frombits(bits - uint64(k)<<52)
	return logParts(float64(k), m-1, 0)
}

// logEdge is Log for whatever is not a normal positive number.
func logEdge(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	case x < minNormal:
		bits := math.Float64bits(x * 0x1p54)
		k := int64(bits-bitsSqrtHalf) >> 52
		m := math.Float64frombits(bits - uint64(k)<<52)
		return logParts(float64(k-54), m-1, 0)
	}
	return x // +Inf or NaN
}

// Log1p returns log(1+x), exact to less than 1 ulp also where x is so small that 1+x would lose
// it, and with the same bits on every CPU. Log1p(-1) is -Inf; below -1 and of NaN it is NaN.
func Log1p(x float64) float64 {
	if x > -0x1p-54 && x < 0x1p-54 {
		return x // also keeps the sign of zero
	}
	if !(x > -1 && x <= math.MaxFloat64) {
		switch {
		case x == -1:
			return math.Inf(-1)
		case x < -1:
			return math.NaN()
		}
		return x // +Inf or NaN
	}
	// 1+x = y+lost exactly: the larger of the two addends comes first in the difference.
	y := 1 + x
	lost := x - (y - 1)
	if x > 1 {
		lost = 1 - (y - x)
	}
	bits := math.Float64bits(y)
	k := int64(bits-bitsSqrtHalf) >> 52
	m := math.Float64frombits(bits - uint64(k)<<52)
	return logParts(float64(k), m-1, lost/y)
}

// logParts returns k ln 2 + log(1+f) + c for 1+f in [sqrt(1/2), sqrt(2)) and a tiny c.
//
// With s = f/(2+f), log(1+f) = log((1+s)/(1-s)) = 2s + 2s³/3 + 2s⁵/5 + …, and |s| < 0.172, so
// ten terms after the first leave 6e-19 of it. As 2s = f - s f, and s f = f²/2 - s f²/2, the sum
// is f - (f²/2 - s (f²/2 + tail)): f is exact and everything else small beside it.
func logParts(k, f, c float64) float64 {
	s := f / (2 + f)
	w := s * s
	w2 := w * w
	w4 := w2 * w2
	// Estrin's scheme: pairs side by side instead of one long chain.
	p01 := 2./3 + float64(w*(2./5))
	p23 := 2./7 + float64(w*(2./9))
	p45 := 2./11 + float64(w*(2./13))
	p67 := 2./15 + float64(w*(2./17))
	p89 := 2./19 + float64(w*(2./21))
	p03 := p01 + float64(w2*p23)
	p47 := p45 + float64(w2*p67)
	tail := float64(w * (p03 + float64(w4*(p47+float64(w4*p89)))))
	half := float64(0.5 * f * f)
	small := float64(s*(half+tail)) + (float64(k*ln2Lo) + c)
	return float64(k*ln2Hi) - ((half - small) - f)
}
