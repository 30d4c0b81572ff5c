package sim

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestExponentialQuantileAgainstStd(t *testing.T) {
	var w worst
	add := func(u float64) { w.add(u, ExponentialQuantile(u), -math.Log1p(-u)) }
	span{0, 1 - 0x1p-53}.each(100_000, add)
	scales(-1070, -1, 20, add)
	w.check(t, "ExponentialQuantile", 2)
}

// Of multiples of 2^-53, and of numbers that are none.
func TestExponentialQuantileAgainstBig(t *testing.T) {
	var w worst
	add := func(u float64) {
		got := ExponentialQuantile(u)
		want := bigLog(wide(1).Sub(wide(1), wide(u)), -got)
		w.add(u, got, narrow(want.Neg(want)))
	}
	r := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		add(Unit(r.Uint64()))
		add(Unit(r.Uint64N(1<<20) << 12))
		add(1 - Unit(r.Uint64N(1<<20)<<12))
	}
	scales(-60, -1, 20, add)
	w.check(t, "ExponentialQuantile", 1)
}

func TestExponentialQuantileSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	checkExact(t, "ExponentialQuantile", ExponentialQuantile, []pair{
		{0, 0}, {1, inf}, {1.5, nan}, {nan, nan}, {-inf, -inf}, {-1, -math.Ln2},
		{0.5, math.Ln2}, {1e-300, 1e-300},
		{1 - 0x1p-53, 53 * math.Ln2},
	})
}

// Moments by the midpoint rule over n strips. For the first, Stirling's formula gives the sum in
// closed form, 1 - ln(2)/(2n) - 1/(24n²)…, so that only rounding is left; the k-th is k! but for
// the last strip, about (ln 2n)^k / n.
func TestExponentialQuantileMoments(t *testing.T) {
	const n = 1 << 20
	var m [4]float64
	for i := range n {
		x := ExponentialQuantile((float64(i) + 0.5) / n)
		m[1] += x / n
		m[2] += x * x / n
		m[3] += x * x * x / n
	}
	if want := 1 - math.Ln2/(2*n); math.Abs(m[1]-want) > 1e-12 {
		t.Errorf("mean %.15g, want %.15g", m[1], want)
	}
	if math.Abs(m[2]-2) > 2e-4 || math.Abs(m[3]-6) > 3e-3 {
		t.Errorf("second and third moment %v and %v, want 2 and 6", m[2], m[3])
	}
}
