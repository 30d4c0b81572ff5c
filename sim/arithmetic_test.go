package sim

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// ulps returns how many float64 numbers lie between a and b; NaN is equal to NaN.
func ulps(a, b float64) uint64 {
	if a != a || b != b {
		if a != a && b != b {
			return 0
		}
		return math.MaxUint64
	}
	rank := func(x float64) int64 { // rises by 1 from each float64 to the next
		r := int64(math.Float64bits(x))
		if r < 0 {
			r = math.MinInt64 - r
		}
		return r
	}
	x, y := rank(a), rank(b)
	return uint64(max(x, y)) - uint64(min(x, y))
}

// span is a stretch of arguments, dense and random, for comparison with the standard library.
type span struct {
	from, to float64
}

// each calls f with n evenly spaced and n random numbers of the span.
func (s span) each(n int, f func(x float64)) {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range n {
		f(s.from + float64(i)/float64(n-1)*(s.to-s.from))
		f(s.from + r.Float64()*(s.to-s.from))
	}
}

// scales calls f with n random positive numbers of every binary exponent from lo to hi.
func scales(lo, hi, n int, f func(x float64)) {
	r := rand.New(rand.NewPCG(2, uint64(n)))
	for e := lo; e <= hi; e++ {
		for range n {
			f(math.Ldexp(1+r.Float64(), e))
		}
	}
}

// bigExp returns e^x to more than 200 bits: Taylor's series of e^(x/2^20), squared 20 times.
func bigExp(x *big.Float) *big.Float {
	r := new(big.Float).SetPrec(300).SetMantExp(x, -20)
	term := new(big.Float).SetPrec(300).SetInt64(1)
	sum := new(big.Float).SetPrec(300).SetInt64(1)
	for n := int64(1); n <= 25; n++ {
		term.Mul(term, r)
		term.Quo(term, new(big.Float).SetInt64(n))
		sum.Add(sum, term)
	}
	for range 20 {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog returns log x to more than 200 bits: from a good guess Newton's steps y + x e^-y - 1
// double the number of right bits each time.
func bigLog(x *big.Float, guess float64) *big.Float {
	y := new(big.Float).SetPrec(300).SetFloat64(guess)
	for range 3 {
		step := bigExp(new(big.Float).Neg(y))
		step.Mul(step, x)
		y.Add(y, step.Sub(step, big.NewFloat(1)))
	}
	return y
}

// wide returns x, which is exact, with room for 300 bits.
func wide(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }

// narrow returns the float64 nearest to x.
func narrow(x *big.Float) float64 {
	f, _ := x.Float64()
	return f
}

// share returns by how many ulp, and parts of one, got is off.
func share(got float64, want *big.Float) float64 {
	_, e := math.Frexp(narrow(want))
	off, _ := new(big.Float).Sub(want, wide(got)).Float64()
	return math.Abs(math.Ldexp(off, 53-e))
}

// worst keeps the greatest distance seen.
type worst struct {
	ulps   uint64
	at, by float64
}

// add notes got beside want for the argument x.
func (w *worst) add(x, got, want float64) {
	if d := ulps(got, want); d > w.ulps {
		*w = worst{d, x, want}
	}
}

// check fails if the greatest distance is more than limit, and logs it in any case.
func (w *worst) check(t *testing.T, name string, limit uint64) {
	t.Helper()
	if w.ulps > limit {
		t.Errorf("%s(%v) is %d ulp from %v, limit %d", name, w.at, w.ulps, w.by, limit)
	}
	t.Logf("%s: at most %d ulp from the reference, at %v", name, w.ulps, w.at)
}

// A pair is an argument and the exact result.
type pair struct{ x, want float64 }

// checkExact asks for the very bits, so that it tells -0 from 0.
func checkExact(t *testing.T, name string, f func(float64) float64, rows []pair) {
	t.Helper()
	for _, r := range rows {
		got := f(r.x)
		same := math.Float64bits(got) == math.Float64bits(r.want) || got != got && r.want != r.want
		if !same {
			t.Errorf("%s(%v) = %v, want %v", name, r.x, got, r.want)
		}
	}
}

// The hashes were made on amd64; that they hold on arm64, riscv64, s390x, ppc64le, 386, wasm and
// GOAMD64=v3 as well is the promise of the package. Arguments are made without the functions
// under test and without rounding.
func TestArithmeticGolden(t *testing.T) {
	rows := []struct {
		name string
		want uint64
		f    func(u float64, i int) float64
	}{
		{"Log", 0xb40a4fb4bb9b9cfe, func(u float64, i int) float64 {
			return Log(math.Ldexp(u, i%2000-1060))
		}},
		{"Log near 1", 0x6508cf88e2f47554, func(u float64, _ int) float64 {
			return Log(0.5 + u)
		}},
		{"Log1p", 0x9f99a94c8f0c8fa2, func(u float64, i int) float64 {
			return Log1p(math.Ldexp(u, i%100-60))
		}},
		{"Log1p below 0", 0x989a61fdad930327, func(u float64, i int) float64 {
			return Log1p(-math.Ldexp(u, -i%60))
		}},
		{"Exp", 0x57ad66c9454a23c4, func(u float64, _ int) float64 {
			return Exp((u - 0.5) * 1500)
		}},
		{"Exp near 0", 0xaf636610e434414b, func(u float64, i int) float64 {
			return Exp(math.Ldexp(u-0.5, -i%60))
		}},
		{"Expm1", 0x6a97a4ca668ad767, func(u float64, i int) float64 {
			return Expm1(math.Ldexp(u-0.5, 6-i%66))
		}},
		{"Pow", 0xc9a88aad53c86626, func(u float64, i int) float64 {
			return Pow(u, float64(i%401-200)/8)
		}},
		{"Pow near 1", 0x7facbd0afc3d8c0f, func(u float64, i int) float64 {
			return Pow(0.5+u, float64(i%2001-1000))
		}},
		{"NormalQuantile", 0x100cfa87a8666dd3, func(u float64, _ int) float64 {
			return NormalQuantile(u)
		}},
		{"NormalQuantile tail", 0x87e1bac0457949a9, func(u float64, i int) float64 {
			return NormalQuantile(math.Ldexp(u, -i%1000))
		}},
		{"ExponentialQuantile", 0x2d3d1316d6a2f8f6, func(u float64, _ int) float64 {
			return ExponentialQuantile(u)
		}},
	}
	for _, row := range rows {
		r := rand.New(rand.NewPCG(3, 3))
		h := fnv.New64a()
		var b [8]byte
		for i := range 100_000 {
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(row.f(r.Float64(), i)))
			h.Write(b[:])
		}
		if got := h.Sum64(); got != row.want {
			t.Errorf("%s: hash of the results %#x, want %#x", row.name, got, row.want)
		}
	}
}

var benchmarkSum float64 // keeps the compiler from dropping what is measured

func BenchmarkArithmetic(b *testing.B) {
	rows := []struct {
		name     string
		f        func(float64) float64
		from, to float64
	}{
		{"Log", Log, 0, 1},
		{"Log1p", Log1p, -1, 1},
		{"Exp", Exp, -5, 5},
		{"Expm1", Expm1, -5, 5},
		{"Pow", func(x float64) float64 { return Pow(x, 3.7) }, 0, 1},
		{"NormalQuantile", NormalQuantile, 0, 1},
		{"NormalQuantile/middle", NormalQuantile, 0.075, 0.925},
		{"NormalQuantile/tail", NormalQuantile, 0, 0.075},
		{"ExponentialQuantile", ExponentialQuantile, 0, 1},
	}
	var us [1024]float64
	for _, row := range rows {
		r := rand.New(rand.NewPCG(4, 4))
		for i := range us {
			us[i] = row.from + r.Float64()*(row.to-row.from)
		}
		b.Run(row.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				benchmarkSum = row.f(us[i&1023])
			}
		})
	}
}
