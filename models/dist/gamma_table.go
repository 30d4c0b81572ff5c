package dist

import "lbsim/sim"

// gammaTable holds the logarithm g of a gamma quantile as a function of the logit
// t = log(u/(1-u)). That function is smooth at the scale of 1 for every shape, however small or
// large, where g as a function of u or of the normal quantile is not: for small shapes it bends
// from t/shape to about log t.
//
// Each cell has the polynomial of degree 5 that agrees with g, g' and g” at both ends, all of
// them exact. From dg/dt = u(1-u)/f and f = x^k e^-x / Γ(k) follows g” = g' (1-2u - (k-x) g').
type gammaTable [gammaCells][6]float64

// The table reaches to u = 5e-17 and 1 - 5e-17: no 53-bit number lies beyond.
const (
	gammaReach = 37.5
	gammaDense = 8 // cells per unit of t
	gammaCells = int(2 * gammaReach * gammaDense)
)

// logQuantile returns g at the logit t, if t lies in the table.
func (a *gammaTable) logQuantile(t float64) (g float64, ok bool) {
	x := float64((t + gammaReach) * gammaDense)
	if !(x >= 0 && x < float64(gammaCells)) {
		return 0, false
	}
	i := int(x)
	c := &a[i]
	d := x - float64(i)
	d2 := d * d
	low := c[0] + float64(d*c[1])
	mid := c[2] + float64(d*c[3])
	high := c[4] + float64(d*c[5])
	return low + float64(d2*(mid+float64(d2*high))), true
}

// gammaKnot is g with its derivatives by the cell's own variable, 0 at its begin and 1 at its end.
type gammaKnot struct{ g, g1, g2 float64 }

// newGammaTable computes the knots outwards from the median; each begins the search for the next.
func newGammaTable(k float64) *gammaTable {
	l := newStandardGamma(k)
	middle := l.knot(0, l.below(0.5))
	a := new(gammaTable)
	left, right := middle, middle
	for i := range gammaCells / 2 {
		t := float64(i+1) / gammaDense
		next := l.knot(t, right.g+right.g1+right.g2/2)
		a[gammaCells/2+i] = cell(right, next)
		right = next

		next = l.knot(-t, left.g-left.g1+left.g2/2)
		a[gammaCells/2-1-i] = cell(next, left)
		left = next
	}
	return a
}

// knot solves for g at the logit t.
func (l standardGamma) knot(t, start float64) gammaKnot {
	// The nearer tail has u or 1-u = p = 1/(1+e^|t|), the farther one q.
	upper := t > 0
	e := sim.Exp(-max(t, -t))
	q := 1 / (1 + e)
	p := float64(e * q)
	target := -max(t, -t) - sim.Log1p(e)
	g := l.solve(target, upper, start)

	_, ratio := l.tail(g, upper)
	g1 := q * ratio // u (1-u) / f
	slope := q - p  // 1-2u
	if upper {
		slope = -slope
	}
	g2 := g1 * (slope - float64((l.k-sim.Exp(g))*g1))
	return gammaKnot{g, g1 / gammaDense, g2 / (gammaDense * gammaDense)}
}

// cell returns the coefficients of the polynomial that agrees with both knots.
func cell(from, to gammaKnot) [6]float64 {
	// What the parabola at the begin misses at the end, in value, slope and bend.
	v := to.g - (from.g + from.g1 + from.g2/2)
	s := to.g1 - (from.g1 + from.g2)
	b := to.g2 - from.g2
	return [6]float64{
		from.g, from.g1, from.g2 / 2,
		float64(10*v) - float64(4*s) + b/2,
		float64(-15*v) + float64(7*s) - b,
		float64(6*v) - float64(3*s) + b/2,
	}
}
