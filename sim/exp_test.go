package sim

import (
	"math"
	"math/big"
	"testing"
)

func TestExpAgainstStd(t *testing.T) {
	var w worst
	add := func(x float64) { w.add(x, Exp(x), math.Exp(x)) }
	span{-746, 709}.each(200_000, add) // above 709.1 math.Exp overflows too early on amd64
	span{-745.2, -700}.each(20_000, add)
	span{-1, 1}.each(100_000, add)
	scales(-1070, -1, 20, add)
	w.check(t, "Exp", 2)
}

func TestExpAgainstBig(t *testing.T) {
	var normal, subnormal worst
	add := func(x float64) {
		want := narrow(bigExp(wide(x)))
		if want < minNormal {
			subnormal.add(x, Exp(x), want)
		} else {
			normal.add(x, Exp(x), want)
		}
	}
	span{-745.2, -708}.each(500, add)
	span{709, maxExp}.each(500, add)
	span{-710, 710}.each(500, add)
	span{-1, 1}.each(1000, add)
	normal.check(t, "Exp", 1)
	subnormal.check(t, "Exp, subnormal result", 1)
}

// The error of a table-driven exponential is greatest between the entries of its table.
func TestExpIntervals(t *testing.T) {
	greatest, at := 0.0, 0.0
	add := func(x float64) {
		if off := share(Exp(x), bigExp(wide(x))); off > greatest {
			greatest, at = off, x
		}
	}
	const step = math.Ln2 / 128
	for i := range 128 {
		between := (float64(i) + 0.5) * step
		add(between)
		span{between - step, between}.each(20, add)
		span{between - 1e-12, between + 1e-12}.each(5, add)
		span{between*3 - 200, between*3 - 200 + step}.each(5, add)
	}
	if greatest > 0.52 {
		t.Errorf("Exp(%v) is off by %.3f ulp, want at most 0.52", at, greatest)
	}
	t.Logf("greatest error %.4f ulp, at %v", greatest, at)
}

func TestExpTable(t *testing.T) {
	for i, e := range expTable {
		want := bigExp(new(big.Float).Mul(wide(float64(i)/128), bigLog(wide(2), math.Ln2)))
		off, _ := want.Sub(want, wide(e.hi)).Sub(want, wide(e.lo)).Float64()
		if math.Abs(off) > 0x1p-63 || e.hi+e.lo != e.hi {
			t.Errorf("entry %d: %v + %v is off by %v", i, e.hi, e.lo, off)
		}
	}
}

func TestExpSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	checkExact(t, "Exp", Exp, []pair{
		{0, 1}, {math.Copysign(0, -1), 1}, {1, math.E}, {inf, inf}, {-inf, 0}, {nan, nan},
		{709.782712893385, inf}, {1e300, inf}, {-745.1332191019413, 0}, {-1e300, 0},
		{-745.1332191019411, 5e-324}, {5e-324, 1}, {-1e-20, 1},
	})
	if got := Exp(maxExp); !(got > 1.797e308 && got <= math.MaxFloat64) {
		t.Errorf("Exp(%v) = %v, want just below the greatest float64", maxExp, got)
	}
}

func TestExpm1AgainstStd(t *testing.T) {
	var w worst
	add := func(x float64) {
		w.add(x, Expm1(x), math.Expm1(x))
		w.add(-x, Expm1(-x), math.Expm1(-x))
	}
	span{0, 1}.each(100_000, add)
	span{0.34, 0.36}.each(20_000, add) // where the reduction begins
	span{0, 60}.each(100_000, add)
	span{0, 710}.each(20_000, add)
	scales(-1070, 9, 50, add)
	w.check(t, "Expm1", 3) // on s390x math.Expm1 is itself 2 ulp off
}

func TestExpm1AgainstBig(t *testing.T) {
	var w worst
	add := func(x float64) {
		e := bigExp(wide(x))
		w.add(x, Expm1(x), narrow(e.Sub(e, wide(1))))
	}
	scales(-60, 8, 10, add)
	scales(-60, 5, 10, func(x float64) { add(-x) })
	span{-2, 2}.each(2000, add)
	w.check(t, "Expm1", 1)
}

func TestExpm1Special(t *testing.T) {
	inf, nan, minus0 := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	checkExact(t, "Expm1", Expm1, []pair{
		{0, 0}, {minus0, minus0}, {1e-300, 1e-300}, {-5e-324, -5e-324}, {inf, inf}, {-inf, -1},
		{nan, nan}, {-38, -1}, {-1e300, -1}, {709.782712893385, inf}, {1e-20, 1e-20},
	})
}

// log(e^x) = x but for half an ulp of e^x, which is 1.1e-16 of x itself, and of the logarithm.
func TestLogOfExp(t *testing.T) {
	span{-700, 700}.each(20_000, func(x float64) {
		if got := Log(Exp(x)); math.Abs(got-x) > 0x1p-52*(1+math.Abs(x)) {
			t.Fatalf("Log(Exp(%v)) = %v", x, got)
		}
	})
	span{-0.5, 2}.each(20_000, func(x float64) {
		if got := Log1p(Expm1(x)); math.Abs(got-x) > 8*0x1p-53*math.Abs(x) {
			t.Fatalf("Log1p(Expm1(%v)) = %v", x, got)
		}
	})
}
