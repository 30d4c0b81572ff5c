package sim

import "math"

const (
	maxExp = 709.782712893384   // Exp of anything greater overflows
	minExp = -745.1332191019412 // Exp of anything less is nearer to zero than to 2^-1074

	// Adding and subtracting toInteger rounds a number below 2^51 to the nearest integer, whose
	// value then stands in the low bits of the sum.
	toInteger = 0x1.8p52
)

// Exp returns e^x, to 0.52 ulp (2 where the result is subnormal) and with the same bits on
// every CPU. It overflows to +Inf above 709.78 and underflows to 0 below -745.13.
func Exp(x float64) float64 {
	if !(x >= -700 && x <= 700) {
		switch {
		case x > maxExp:
			return math.Inf(1)
		case x < minExp:
			return 0
		case x != x:
			return x
		}
	}
	return expSum(x, 0)
}

// expSum returns e^(x+lo) for x in [minExp, maxExp] and a lo that is tiny beside 1.
//
// With k the integer nearest to x 128/ln 2, e^x = 2^(k/128) e^r, r = x - k ln 2/128 and
// |r| < 0.0028. The first part of k ln 2/128 is exact and so is its difference from x. The power of
// two is made of k's upper bits and, from the table, those below. Taylor's series of e^r to r^5
// leaves 2^-60.
func expSum(x, lo float64) float64 {
	shifted := float64(x*(128*math.Log2E)) + toInteger
	k := shifted - toInteger
	n := int32(math.Float64bits(shifted))
	power := &expTable[n&127]
	r := x - float64(k*stepHi) + (lo - float64(k*stepLo))
	r2 := r * r
	p23 := 1./2 + float64(r*(1./6))
	p45 := 1./24 + float64(r*(1./120))
	tail := r + float64(r2*(p23+float64(r2*p45))) // e^r - 1
	y := power.hi + (power.lo + float64(power.hi*tail))
	n >>= 7
	if n < -1020 || n > 1020 {
		return scaleByPower(y, int64(n))
	}
	return math.Float64frombits(math.Float64bits(y) + uint64(int64(n))<<52)
}

// The constants split ln 2/128 in two: stepHi has 35 bits, so that its product with any k of expSum
// (18 bits) is exact, and stepLo is what is missing.
const (
	stepHi = 0x1.62e42fefcp-8
	stepLo = math.Ln2/128 - stepHi
)

// expTable has 2^(i/128), as hi+lo, for i from 0 to 127.
var expTable = makeExpTable()

func makeExpTable() (table [128]struct{ hi, lo float64 }) {
	for i := range table {
		// What a first value is off by is seen in its logarithm.
		part := float64(i) / 128
		r := float64(part * math.Ln2)
		first := 1 + (r + float64(r*r*expTail(r)))
		logHi, logLo := logLong(first)
		off := (float64(part*ln2Hi) - logHi) + (float64(part*ln2Lo) - logLo)
		table[i].hi, table[i].lo = pairSum(first, float64(first*off))
	}
	return table
}

// expTail returns (e^r - 1 - r) / r² = 1/2! + r/3! + … + r^11/13!.
func expTail(r float64) float64 {
	r2 := r * r
	r4 := r2 * r2
	p01 := 1./2 + float64(r*(1./6))
	p23 := 1./24 + float64(r*(1./120))
	p45 := 1./720 + float64(r*(1./5040))
	p67 := 1./40320 + float64(r*(1./362880))
	p89 := 1./3628800 + float64(r*(1./39916800))
	pab := 1./479001600 + float64(r*(1./6227020800))
	p03 := p01 + float64(r2*p23)
	p47 := p45 + float64(r2*p67)
	p8b := p89 + float64(r2*pab)
	return p03 + float64(r4*(p47+float64(r4*p8b)))
}

// scaleByPower returns y 2^n for y near 1 and an n at which 2^n itself, or the product, may lie
// outside the normal numbers: it goes in two steps, of which only the last can round.
func scaleByPower(y float64, n int64) float64 {
	if n > 0 {
		return float64(y * math.Float64frombits(uint64(n-1+1023)<<52) * 2)
	}
	return float64(y * math.Float64frombits(uint64(n+100+1023)<<52) * 0x1p-100)
}

// Expm1 returns e^x - 1, exact to 1.1 ulp also where e^x is nearly 1, and with the same
// bits on every CPU.
func Expm1(x float64) float64 {
	if !(x > -38 && x < 38) {
		switch {
		case x <= -38: // e^x is less than half an ulp of 1
			return -1
		case x > maxExp:
			return math.Inf(1)
		case x != x:
			return x
		}
		return Exp(x) // 1 is less than half an ulp of it
	}
	shifted := float64(x*math.Log2E) + toInteger
	k := shifted - toInteger
	hi := x - float64(k*ln2Hi)
	lo := float64(k * -ln2Lo)
	r := hi + lo
	tail := float64(r*r*expTail(r)) + (lo - (r - hi))
	if k == 0 {
		if x == 0 {
			return x // keeps the sign of zero
		}
		return r + tail
	}
	// e^x - 1 = 2^k ((1 - 2^-k) + r + tail). The bracket is at least 1/2 in size, more than r,
	// so the rounding error of their sum is known exactly.
	n := int64(int32(math.Float64bits(shifted)))
	base := 1 - math.Float64frombits(uint64(1023-n)<<52)
	sum := base + r
	lost := r - (sum - base)
	return (sum + (lost + tail)) * math.Float64frombits(uint64(1023+n)<<52)
}
