package sim

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestLogAgainstStd(t *testing.T) {
	var w worst
	add := func(x float64) { w.add(x, Log(x), math.Log(x)) }
	scales(-1022, 1023, 50, add) // of subnormal numbers math.Log is wrong on amd64
	span{0.5, 2}.each(100_000, add)
	span{1 - 1e-6, 1 + 1e-6}.each(10_000, add)
	w.check(t, "Log", 2)
}

func TestLogAgainstBig(t *testing.T) {
	var w worst
	add := func(x float64) { w.add(x, Log(x), narrow(bigLog(wide(x), Log(x)))) }
	scales(-1074, 1023, 1, add)
	span{0.7, 1.42}.each(1000, add)
	w.check(t, "Log", 1)
}

func TestLogSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	checkExact(t, "Log", Log, []pair{
		{1, 0}, {0, -inf}, {math.Copysign(0, -1), -inf}, {inf, inf}, {-inf, nan}, {nan, nan},
		{-1, nan}, {-5e-324, nan}, {2, math.Ln2}, {0.5, -math.Ln2}, {0x1p1023, 1023 * math.Ln2},
		{5e-324, -1074 * math.Ln2}, {math.MaxFloat64, 1024 * math.Ln2},
	})
}

func TestLog1pAgainstStd(t *testing.T) {
	var w worst
	add := func(x float64) {
		w.add(x, Log1p(x), math.Log1p(x))
		if x < 1 {
			w.add(-x, Log1p(-x), math.Log1p(-x))
		}
	}
	scales(-1080, 1023, 50, add)
	span{0, 1}.each(100_000, add)
	span{0.28, 0.42}.each(10_000, add) // where the exponent of 1+x changes
	w.check(t, "Log1p", 2)
}

func TestLog1pAgainstBig(t *testing.T) {
	var w worst
	add := func(x float64) {
		w.add(x, Log1p(x), narrow(bigLog(wide(1).Add(wide(1), wide(x)), Log1p(x))))
	}
	scales(-90, 200, 4, add)
	span{0.999, 1.001}.each(200, add) // where the roles of the addends change
	scales(-90, -1, 4, func(x float64) { add(-x) })
	span{-0.3, 0.42}.each(1000, add)
	w.check(t, "Log1p", 1)
}

func TestLog1pSpecial(t *testing.T) {
	inf, nan, minus0 := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	checkExact(t, "Log1p", Log1p, []pair{
		{0, 0}, {minus0, minus0}, {-1, -inf}, {inf, inf}, {-inf, nan}, {nan, nan}, {-1.5, nan},
		{1, math.Ln2}, {-0.5, -math.Ln2}, {5e-324, 5e-324}, {-1e-300, -1e-300},
		{1e-20, 1e-20}, {1 - 0x1p-53, math.Ln2},
	})
}

// log(xy) = log x + log y, but for the rounding of the product, of three logarithms and of a sum.
func TestLogOfProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 10_000 {
		x, y := math.Ldexp(1+r.Float64(), r.IntN(1000)-500), math.Ldexp(1+r.Float64(), r.IntN(400))
		got, want := Log(x*y), Log(x)+Log(y)
		size := math.Abs(Log(x)) + math.Abs(Log(y))
		if math.Abs(got-want) > 0x1p-53*(1+4*size) {
			t.Fatalf("Log(%v * %v) = %v, want the sum %v", x, y, got, want)
		}
	}
}
