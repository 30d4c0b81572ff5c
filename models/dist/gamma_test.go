package dist

import (
	"math"
	"math/rand/v2"
	"testing"
)

var testShapes = []float64{
	0.01, 0.03, 0.1, 0.3, 0.5, 0.9, 1, 1.5, 2, 5, 20, 99.5, 1000, 10_000,
}

// Between the knots the table may be off by 2e-10 of the probability of the nearer tail.
func TestGammaTableAgainstSolver(t *testing.T) {
	for _, k := range testShapes {
		table, solver := newGammaTable(k), newStandardGamma(k)
		r := rand.New(rand.NewPCG(1, 1))
		worstTail, worst := 0.0, 0.0
		for range 5000 {
			logit := (2*r.Float64() - 1) * gammaReach
			got, ok := table.logQuantile(logit)
			exact := solver.knot(logit, got)
			slope := exact.g1 * gammaDense // dg/dt; dt is the relative change of the nearer tail
			if !ok || math.Abs(got-exact.g) > 2e-10*slope {
				t.Fatalf("shape %v, logit %v: %v, want %v", k, logit, got, exact.g)
			}
			worst = max(worst, math.Abs(got-exact.g))
			worstTail = max(worstTail, math.Abs(got-exact.g)/slope)
		}
		t.Logf("shape %v: relative error of x %.1e, of the tail %.1e", k, worst, worstTail)
	}
}

// Some shapes have their distribution function in closed form, which knows nothing of series and
// continued fractions.
func TestGammaAgainstClosedForms(t *testing.T) {
	rows := []struct {
		name  string
		k     float64
		lower func(x float64) float64 // P(X < x)
		upper func(x float64) float64 // P(X > x)
	}{
		{"exponential", 1,
			func(x float64) float64 { return -math.Expm1(-x) },
			func(x float64) float64 { return math.Exp(-x) }},
		{"half the square of a normal variable", 0.5,
			func(x float64) float64 { return math.Erf(math.Sqrt(x)) },
			func(x float64) float64 { return math.Erfc(math.Sqrt(x)) }},
		{"three stages", 3,
			func(x float64) float64 { return poissonTail(x, 3) },
			func(x float64) float64 { return math.Exp(-x) * (1 + x + x*x/2) }},
	}
	for _, row := range rows {
		table := newGammaTable(row.k)
		for logit := -30.0; logit <= 30; logit += 0.37 {
			g, _ := table.logQuantile(logit)
			got, want := row.lower(math.Exp(g)), 1/(1+math.Exp(-logit))
			if logit > 0 {
				got, want = row.upper(math.Exp(g)), 1/(1+math.Exp(logit))
			}
			if math.Abs(got/want-1) > 1e-10 {
				t.Errorf("%s: at logit %v the tail is %v, want %v", row.name, logit, got, want)
			}
		}
	}
}

// poissonTail is the chance that a Poisson variable of mean x is at least k.
func poissonTail(x float64, k int) float64 {
	term, sum := math.Exp(-x), 0.0
	for n := range 200 {
		if n >= k {
			sum += term
		}
		term *= x / float64(n+1)
	}
	return sum
}

// Below the table the solver takes over, without a step.
func TestGammaBelowItsTable(t *testing.T) {
	for _, k := range testShapes {
		table, solver := newGammaTable(k), newStandardGamma(k)
		u := 1 / (1 + math.Exp(37.4375)) // half a cell from the end
		g, ok := table.logQuantile(math.Log(u / (1 - u)))
		if far := solver.farLogQuantile(u); !ok || math.Abs(far-g) > 1e-9/k {
			t.Errorf("shape %v: table %v, solver %v", k, g, far)
		}
	}
	got := mustParse(t, "gamma(shape=1, scale=2000000h)").Quantile(1e-18)
	if want := mustParse(t, "exp(mean=2000000h)").Quantile(1e-18); got != want {
		t.Errorf("far below its table gamma of shape 1 gives %v, exponential %v", got, want)
	}
}

func TestLogGammaAgainstStd(t *testing.T) {
	for x := 0.001; x < 1e6; x *= 1.003 {
		want, _ := math.Lgamma(x)
		if got := logGamma(x); math.Abs(got-want) > 1e-14*(1+math.Abs(want)) {
			t.Fatalf("logGamma(%v) = %v, want %v", x, got, want)
		}
		stirling := (x-0.5)*math.Log(x) - x + log2Pi/2
		if got := stirlingCorrection(x); math.Abs(got+stirling-want) > 1e-14*(1+math.Abs(want)) {
			t.Fatalf("stirlingCorrection(%v) = %v, want %v", x, got, want-stirling)
		}
	}
}
