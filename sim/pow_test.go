package sim

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The yardstick is not math.Pow, which for large exponents is some ulp off itself.
//
// bigPow returns x^(n/8) to 200 bits: three square roots, then multiplications.
func bigPow(x float64, n int) float64 {
	root := new(big.Float).SetPrec(200).SetFloat64(x)
	for range 3 {
		root.Sqrt(root)
	}
	p := new(big.Float).SetPrec(200).SetInt64(1)
	for bit := 1 << 20; bit > 0; bit >>= 1 {
		p.Mul(p, p)
		if max(n, -n)&bit != 0 {
			p.Mul(p, root)
		}
	}
	if n < 0 {
		p.Quo(new(big.Float).SetInt64(1), p)
	}
	f, _ := p.Float64()
	return f
}

func TestPowAgainstBig(t *testing.T) {
	var normal, subnormal worst
	r := rand.New(rand.NewPCG(7, 7))
	add := func(x float64) {
		limit := min(1e5, 750/math.Abs(math.Log(x))) // beyond 750/log x Pow is 0 or +Inf
		n := int(8 * limit * (2*r.Float64() - 1))
		want := bigPow(x, n)
		if want < minNormal {
			subnormal.add(x, Pow(x, float64(n)/8), want)
		} else {
			normal.add(x, Pow(x, float64(n)/8), want)
		}
	}
	scales(-1070, 1022, 2, add)
	span{0.7, 1.42}.each(4000, add)
	span{0.99, 1.01}.each(1000, add)
	normal.check(t, "Pow", 1)
	subnormal.check(t, "Pow, subnormal result", 2)
}

func TestPowSpecial(t *testing.T) {
	inf, nan, minus0 := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	rows := []struct{ x, y, want float64 }{
		{nan, 0, 1}, {inf, 0, 1}, {0, 0, 1}, {-2, 0, 1}, {2, minus0, 1},
		{1, nan, 1}, {1, inf, 1}, {1, -inf, 1}, {1, 1e300, 1},
		{nan, 1, nan}, {nan, 2, nan}, {2, nan, nan}, {0, nan, nan}, {inf, nan, nan},
		{-2, 2, nan}, {-2, 1, nan}, {-inf, 3, nan}, {-5e-324, 0.5, nan},
		{0, 2, 0}, {0, 1, 0}, {0, -2, inf}, {minus0, 3, 0}, {minus0, 1, 0}, {minus0, -1, inf},
		{0, inf, 0}, {0, -inf, inf},
		{inf, 2, inf}, {inf, 1, inf}, {inf, -2, 0}, {inf, inf, inf}, {inf, -inf, 0},
		{2, inf, inf}, {2, -inf, 0}, {0.5, inf, 0}, {0.5, -inf, inf},
		{2, 1e300, inf}, {2, -1e300, 0}, {0.5, 1e300, 0}, {0.5, -1e300, inf},
		{2, 1e-300, 1}, {3, 1, 3}, {2, 10, 1024}, {2, -1074, 5e-324}, {2, 1024, inf},
		{2, 1023, 0x1p1023}, {10, 22, 1e22}, {4, 0.5, 2}, {1e308, 2, inf}, {1e-308, 2, 0},
		{5e-324, 0.5, 0x1p-537}, {math.MaxFloat64, 1, math.MaxFloat64},
	}
	for _, r := range rows {
		got := Pow(r.x, r.y)
		same := math.Float64bits(got) == math.Float64bits(r.want) || got != got && r.want != r.want
		if !same {
			t.Errorf("Pow(%v, %v) = %v, want %v", r.x, r.y, got, r.want)
		}
	}
}

// A result that is a float64 comes out exactly, as the error before rounding is below 0.3 ulp.
func TestPowOneIsExact(t *testing.T) {
	span{0, 4}.each(10_000, func(x float64) {
		if got := Pow(x, 1); got != x {
			t.Fatalf("Pow(%v, 1) = %v", x, got)
		}
	})
}
