package sim

import (
	"math"
	"testing"
)

// The wanted values were computed to 60 digits from these very float64 arguments.
func TestNormalQuantileValues(t *testing.T) {
	rows := []pair{
		{0x1p-1022, -37.519379347144499821}, {1e-300, -37.047096299361199237},
		{1e-100, -21.273453560965324294}, {0x1p-54, -8.2923610758135955382},
		{1e-12, -7.0344838253011319326}, {1e-6, -4.7534243088228989573},
		{0.001, -3.0902323061678135354}, {0.01, -2.3263478740408410931},
		{0.074, -1.4466320671589785099}, {0.076, -1.4325027208258116188},
		{0.1, -1.2815515655446004353}, {0.25, -0.6744897501960817432},
		{0.4, -0.25334710313579974132}, {0.6, 0.25334710313579974132},
		{0.9, 1.2815515655446005935}, {0.99, 2.3263478740408407676},
		{0.999, 3.0902323061678132778}, {1 - 0x1p-20, 4.763001034267813957},
		{1 - 0x1p-53, 8.2095361516013868556},
	}
	for _, r := range rows {
		got := NormalQuantile(r.x)
		if math.Abs(got-r.want) > 1e-15*math.Abs(r.want) {
			t.Errorf("NormalQuantile(%v) = %.17g, want %.17g", r.x, got, r.want)
		}
	}
}

func TestNormalQuantileSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	checkExact(t, "NormalQuantile", NormalQuantile, []pair{
		{0, -inf}, {0.5, 0}, {1, inf}, {-0.1, nan}, {1.1, nan}, {nan, nan}, {inf, nan},
	})
}

// The complementary error function turns a quantile back into its probability. A relative error
// of the quantile comes back times z², at most 70 here.
func TestNormalQuantileAgainstErfc(t *testing.T) {
	back := func(u float64) {
		z := NormalQuantile(u)
		got := math.Erfc(-z/math.Sqrt2) / 2
		if math.Abs(got-u) > 2e-15*(1+z*z)*u {
			t.Fatalf("NormalQuantile(%v) = %v, whose probability is %v", u, z, got)
		}
	}
	span{1e-6, 0.6}.each(100_000, back)
	scales(-54, -2, 1000, back)
}

// Both halves mirror each other, and the quantile never falls: neither inside a quotient nor
// where one gives way to the next, at 0.075 and e^-25.
func TestNormalQuantileShape(t *testing.T) {
	for i := range 1 << 16 {
		u := float64(i+1) / (1<<17 + 2)
		if a, b := NormalQuantile(u), NormalQuantile(1-u); math.Abs(a+b) > 1e-11 {
			t.Fatalf("NormalQuantile(%v) = %v, of 1-u %v", u, a, b)
		}
	}
	for _, centre := range []float64{0.075, 0.925, math.Exp(-25), 0.3} {
		last := math.Inf(-1)
		for i := -500; i <= 500; i++ {
			z := NormalQuantile(centre * (1 + float64(i)*0x1p-45))
			if z < last {
				t.Fatalf("NormalQuantile falls from %v to %v near %v", last, z, centre)
			}
			last = z
		}
	}
}

// Moments by the midpoint rule over n strips. The first and third vanish but for rounding; in
// the second and fourth the outermost strips, where z is about 4.9, miss less than 20 z^k/n.
func TestNormalQuantileMoments(t *testing.T) {
	const n = 1 << 20
	var m [5]float64
	for i := range n {
		z := NormalQuantile((float64(i) + 0.5) / n)
		p := 1.0
		for k := range m {
			m[k] += p / n
			p *= z
		}
	}
	for k, want := range []float64{1, 0, 1, 0, 3} {
		if bound := []float64{0, 1e-11, 5e-6, 1e-10, 1e-3}[k]; math.Abs(m[k]-want) > bound {
			t.Errorf("moment %d is %v, want %v within %v", k, m[k], want, bound)
		}
	}
}
