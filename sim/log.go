package sim

import "math"

// The constants split ln 2 in two: ln2Hi has 41 bits, so that a product with any binary exponent
// (11 bits) is exact, and ln2Lo is what is missing from ln 2.
const (
	ln2Hi = 0x1.62e42fefa3p-1
	ln2Lo = math.Ln2 - ln2Hi

	minNormal = 0x1p-1022 // the least float64 with a full mantissa
)

// Log returns the natural logarithm of x, to 0.51 ulp and with the same bits on every CPU.
// Log(0) is -Inf, Log(+Inf) is +Inf; of a negative number or NaN it is NaN.
func Log(x float64) float64 {
	if !(x >= minNormal && x <= math.MaxFloat64) {
		return logEdge(x)
	}
	return logParts(x, 0, 0)
}

// logEdge is Log for whatever is not a normal positive number.
func logEdge(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	case x < minNormal:
		return logParts(x*0x1p54, -54, 0)
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
	return logParts(y, 0, lost/y)
}

// logParts returns log x + k ln 2 + c for a normal positive x, a small integer k and a tiny c.
//
// x = 2^n m with m about 1, and m inverse = 1+r with the inverse of a number near m, of which the
// table also has the logarithm; so log x = n ln 2 + log(1/inverse) + log(1+r). The series of
// log(1+r) to r^7 leaves less than 2^-58 of the result, since |r| < 0.0057, and < 1/256 where m is
// nearest to 1 and log(1+r) is all there is. The idea is of P. T. P. Tang, Table-driven
// implementation of the logarithm function, ACM TOMS 16 (1990) 378–400.
func logParts(x, k, c float64) float64 {
	bits := math.Float64bits(x)
	steps := bits - logFirst
	n := int64(steps) >> 52
	near := &logTable[steps>>45&127]
	bits -= uint64(n) << 52
	// As the inverse has 9 bits, its products with both halves of m are exact, and so is r where
	// it is near zero beside the result.
	upper := math.Float64frombits(bits &^ (1<<32 - 1))
	lower := math.Float64frombits(bits) - upper
	r := float64(upper*near.inverse) - 1 + float64(lower*near.inverse)
	r2 := r * r
	p23 := -1./2 + float64(r*(1./3))
	p45 := -1./4 + float64(r*(1./5))
	p67 := -1./6 + float64(r*(1./7))
	tail := float64(r2 * (p23 + float64(r2*(p45+float64(r2*p67)))))
	k += float64(n)
	whole := float64(k*ln2Hi) + near.logHi
	sum := whole + r
	lost := whole - sum + r
	return sum + (tail + (float64(k*ln2Lo) + near.logLo + c + lost))
}

// logFirst is where the first interval of logTable begins, in the bits of a float64: half an
// interval below 0.6875.
const logFirst = 0x3fe6<<48 - 1<<44

// logNear is a number near the middle of an interval: its inverse, to 9 bits, and its logarithm
// in two parts, of which the first is a multiple of 2^-42, so that it adds up with multiples of
// ln2Hi without rounding.
type logNear struct{ inverse, logHi, logLo float64 }

// logTable has an entry for each interval of 2^-8 around 0.6875 to 1 and of 2^-7 from there to
// 1.375. That around 1 has no logarithm at all.
var logTable = makeLogTable()

func makeLogTable() (table [128]logNear) {
	for i := range table {
		middle := math.Float64frombits(0x3fe6<<48 + uint64(i)<<45)
		inverse := math.Round(256/middle) / 256
		hi, lo := logLong(inverse)
		const toMultiple = 0x1.8p10 // added and subtracted it rounds to a multiple of 2^-42
		rounded := hi + toMultiple - toMultiple
		table[i] = logNear{inverse, -rounded, rounded - hi - lo}
	}
	return table
}
