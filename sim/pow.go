package sim

import "math"

const bitsSqrtHalf = 0x3fe6a09e667f3bcd // math.Float64bits of sqrt(1/2), rounded up

// Pow returns x^y for x >= 0, to less than 1 ulp (2 where the result is subnormal) and with the
// same bits on every CPU. Special cases, the first that fits:
//
//	Pow(x, 0) = 1 and Pow(1, y) = 1 for any x and y, even NaN
//	Pow(x, y) = NaN if x or y is NaN, or x < 0 (an integer y makes no difference)
//	Pow(x, y) for x 0 or +Inf, or y ±Inf: the limit, 0 or +Inf
//
// It is exp(y log x) where the logarithm carries about 65 bits: the result's relative error is the
// exponent's absolute one, and the exponent may be as large as 745.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case !(x >= 0) || y != y:
		return math.NaN()
	case x == 0 || x > math.MaxFloat64 || y > math.MaxFloat64 || y < -math.MaxFloat64:
		if (x > 1) == (y > 0) {
			return math.Inf(1)
		}
		return 0
	}
	hi, lo := logLong(x)
	e := float64(y * hi)
	switch {
	case e > maxExp+1:
		return math.Inf(1)
	case e < minExp-1:
		return 0
	}
	return expSum(e, math.FMA(y, hi, -e)+float64(y*lo))
}

// logLong returns log x, for a positive finite x, as the unevaluated sum hi+lo with a relative
// error near 2^-65. x = 2^k m with m in [sqrt(1/2), sqrt(2)), and with s = (m-1)/(m+1) log m is the
// sum of the series 2s + 2s³/3 + 2s⁵/5 + …: the first two terms in pairs of numbers and the rest,
// at most 2^-12 of the whole, in single ones.
func logLong(x float64) (hi, lo float64) {
	shift := 0.0
	if x < minNormal {
		x *= 0x1p54
		shift = -54
	}
	bits := math.Float64bits(x)
	n := int64(bits-bitsSqrtHalf) >> 52
	m := math.Float64frombits(bits - uint64(n)<<52)
	k := float64(n) + shift

	// s = f/g: the quotient, and what its remainder adds to it. g = m+1 is itself a pair.
	f := m - 1
	g := m + 1
	gLo := m - (g - 1)
	if m > 1 {
		gLo = 1 - (g - m)
	}
	s := f / g
	sLo := (math.FMA(-s, g, f) - float64(s*gLo)) / g

	// w = s², cube = s³/3·2 as pairs.
	w := s * s
	wLo := math.FMA(s, s, -w) + float64(2*s*sLo)
	sw := s * w
	swLo := math.FMA(s, w, -sw) + (float64(s*wLo) + float64(sLo*w))
	const third, thirdLo = 0x1.5555555555555p-1, 2./3 - 0x1.5555555555555p-1
	cube := float64(sw * third)
	cubeLo := math.FMA(sw, third, -cube) + (float64(sw*thirdLo) + float64(swLo*third))
	rest := float64(sw * w * logRest(w))

	// The sum, greatest first; each step keeps what the addition lost.
	hi, e0 := pairSum(float64(k*ln2Hi), 2*s)
	hi, e1 := pairSum(hi, cube)
	lo = float64(k*ln2Lo) + (2*sLo + (cubeLo + rest))
	lo += e0 + e1
	return pairSum(hi, lo)
}

// logRest returns 2/5 + 2w/7 + … + 2w¹⁰/25; what is left out is below 2^-70 of the logarithm.
func logRest(w float64) float64 {
	w2 := w * w
	w4 := w2 * w2
	p01 := 2./5 + float64(w*(2./7))
	p23 := 2./9 + float64(w*(2./11))
	p45 := 2./13 + float64(w*(2./15))
	p67 := 2./17 + float64(w*(2./19))
	p89 := 2./21 + float64(w*(2./23))
	p03 := p01 + float64(w2*p23)
	p47 := p45 + float64(w2*p67)
	p8a := p89 + float64(w2*(2./25))
	return p03 + float64(w4*(p47+float64(w4*p8a)))
}

// pairSum returns a+b rounded, and the exact error of the rounding (Knuth's two-sum).
func pairSum(a, b float64) (sum, lost float64) {
	sum = a + b
	t := sum - a
	return sum, (a - (sum - t)) + (b - t)
}
