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

// The error of a table-driven logarithm is greatest at the ends of its intervals, and beside the
// result where x is near 1.
func TestLogIntervals(t *testing.T) {
	greatest, at := 0.0, 0.0
	add := func(x float64) {
		if off := share(Log(x), bigLog(wide(x), Log(x))); off > greatest {
			greatest, at = off, x
		}
	}
	r := rand.New(rand.NewPCG(6, 6))
	for bits := uint64(logFirst); bits < logFirst+1<<52; bits += 1 << 45 {
		add(math.Float64frombits(bits - 1))
		add(math.Float64frombits(bits))
		for range 20 {
			add(math.Float64frombits(bits + r.Uint64N(1<<45)))
		}
	}
	scales(-53, -10, 5, func(d float64) {
		if 1+d != 1 {
			add(1 + d)
		}
		add(1 - d)
	})
	if greatest > 0.51 {
		t.Errorf("Log(%v) is off by %.3f ulp, want at most 0.51", at, greatest)
	}
	t.Logf("greatest error %.4f ulp, at %v", greatest, at)
}

// Each entry holds an inverse of 9 bits, which is what makes products exact, and its logarithm.
func TestLogTable(t *testing.T) {
	for i, e := range logTable {
		if e.inverse != math.Trunc(e.inverse*256)/256 || e.inverse < 0.5 || e.inverse >= 2 {
			t.Errorf("entry %d: the inverse %v has more than 9 bits", i, e.inverse)
		}
		if e.logHi != math.Trunc(e.logHi*0x1p42)/0x1p42 || math.Abs(e.logLo) > 0x1p-43 {
			t.Errorf("entry %d: log %v and %v are not split at 2^-42", i, e.logHi, e.logLo)
		}
		sum := bigLog(wide(e.inverse), -e.logHi)
		off, _ := sum.Add(sum, wide(e.logHi)).Add(sum, wide(e.logLo)).Float64()
		if math.Abs(off) > 0x1p-65 {
			t.Errorf("entry %d: log %v + %v is off by %v", i, e.logHi, e.logLo, off)
		}
		for _, m := range []uint64{0, 1<<45 - 1} {
			x := math.Float64frombits(logFirst + uint64(i)<<45 + m)
			r := x*e.inverse - 1
			left := math.Abs(math.Pow(r, 8) / 8 / math.Log(x)) // out of the series
			if math.Abs(r) > 0.0057 || left > 0x1p-58 {
				t.Errorf("Log(%v): r is %v and the series leaves %v", x, r, left)
			}
		}
	}
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
