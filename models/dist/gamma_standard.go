package dist

import (
	"math"

	"lbsim/sim"
)

// standardGamma computes exact quantiles of the gamma distribution with scale 1: slowly, for the
// table.
//
// Everything is a function of g = log x, in which the quantiles of the smallest shapes, near
// 1e-1600, are ordinary numbers. In g the density is f(g) = x^k e^-x / Γ(k).
type standardGamma struct {
	k      float64 // the shape
	logK   float64
	factor float64 // log f at x = k, which is log sqrt(k/2π) less Stirling's correction
}

func newStandardGamma(k float64) standardGamma {
	l := standardGamma{k: k, logK: sim.Log(k)}
	l.factor = (l.logK-log2Pi)/2 - stirlingCorrection(k)
	return l
}

// logDensity returns log f(g). Written about x = k it loses no digits to k log x - x - log Γ(k),
// the difference of large numbers.
func (l standardGamma) logDensity(g float64) float64 {
	d := g - l.logK
	return l.factor - float64(l.k*(sim.Expm1(d)-d))
}

// tail returns, for one tail, the logarithm of its probability P and the ratio P/f, whose inverse
// is the size of that logarithm's derivative. The tail is the upper one if upper is set.
func (l standardGamma) tail(g float64, upper bool) (logP, ratio float64) {
	x := sim.Exp(g)
	logF := l.logDensity(g)
	if inUpper := x >= l.k+1; inUpper {
		ratio = upperRatio(l.k, x)
		if upper {
			return logF + sim.Log(ratio), ratio
		}
	} else {
		ratio = lowerRatio(l.k, x)
		if !upper {
			return logF + sim.Log(ratio), ratio
		}
	}
	// The other tail is the greater one, or not much smaller: take it from 1.
	f := sim.Exp(logF)
	p := 1 - float64(f*ratio)
	return sim.Log(p), p / f
}

// lowerRatio returns P(X < x)/f, which is the sum of x^n / (k (k+1) … (k+n)) over n >= 0.
func lowerRatio(k, x float64) float64 {
	term := 1 / k
	sum := term
	for n := 1.0; term > sum*0x1p-60; n++ {
		term = float64(term * (x / (k + n)))
		sum += term
	}
	return sum
}

// upperRatio returns P(X > x)/f for x > k, which is the continued fraction
//
//	1/(x+1-k - 1(1-k)/(x+3-k - 2(2-k)/(x+5-k - …)))
//
// summed up as a series: each convergent adds to the one before it delta, and with b the n-th
// denominator and a the n-th numerator, r = 1/(b + a r) and delta = (b r - 1) delta.
func upperRatio(k, x float64) float64 {
	b := x + 1 - k
	r := 1 / b
	delta := r
	sum := r
	for n := 1.0; math.Abs(delta) > sum*0x1p-60; n++ {
		a := n * (k - n)
		b += 2
		r = 1 / (b + float64(a*r))
		delta = float64(delta * (float64(b*r) - 1))
		sum += delta
	}
	return sum
}

// farLogQuantile returns the logarithm of the quantile at a small u.
func (l standardGamma) farLogQuantile(u float64) float64 {
	return l.solve(sim.Log(u), false, l.below(u))
}

// below returns a number below the logarithm of the quantile at u: P(X < x) is less than
// x^k / Γ(k+1).
func (l standardGamma) below(u float64) float64 { return (sim.Log(u) + logGamma(l.k+1)) / l.k }

// solve returns the g at which a tail's probability has the logarithm target, by Newton's method
// from start. As the logarithms of both tails are concave in g (f is log-concave), the method
// converges from everywhere: after the first step it comes nearer from one side.
func (l standardGamma) solve(target float64, upper bool, start float64) float64 {
	g := start
	for range 100 {
		logP, ratio := l.tail(g, upper)
		step := float64((target - logP) * ratio)
		if upper {
			step = -step
		}
		g += step
		if math.Abs(step) <= 1e-15*(1+math.Abs(g)) {
			break
		}
	}
	return g
}
