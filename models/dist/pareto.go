package dist

import (
	"math"
	"time"

	"lbsim/sim"
)

// Pareto is the distribution P(X > x) = (min/x)^alpha for x >= min: the longest tail of all here.
// It has a mean only if alpha > 1, and a finite variance only if alpha > 2.
type Pareto struct {
	alpha float64
	min   float64 // ns, > 0
	text  string
}

const minAlpha, maxAlpha = 0.01, 1e6

func parsePareto(c call) (Distribution, error) {
	a, err := c.args()
	if err != nil {
		return nil, err
	}
	var p Pareto
	switch a.form {
	case "alpha,min":
		p.alpha, p.min = a.number("alpha", minAlpha, maxAlpha), a.positiveDuration("min")
	case "alpha,mean":
		p.alpha = a.number("alpha", minAlpha, maxAlpha)
		if p.alpha <= 1 {
			a.fail("alpha must be greater than 1 for a mean to exist (is %v)", p.alpha)
		}
		p.min = a.positiveDuration("mean") * (p.alpha - 1) / p.alpha
	case "p,p": // log X = log min + e/alpha at both, e the exponential quantile
		lo, hi := a.percentiles()
		eLo, eHi := sim.ExponentialQuantile(lo.share), sim.ExponentialQuantile(hi.share)
		p.alpha = a.within("alpha", (eHi-eLo)/sim.Log(hi.ns/lo.ns), minAlpha, maxAlpha)
		p.min = lo.ns / sim.Exp(eLo/p.alpha)
	}
	p.text = a.text()
	return p, a.err
}

// Quantile is min (1-u)^(-1/alpha).
func (p Pareto) Quantile(u float64) time.Duration {
	return duration(p.min * sim.Exp(sim.ExponentialQuantile(u)/p.alpha))
}

// Mean is min alpha/(alpha-1), in seconds; +Inf for alpha <= 1.
func (p Pareto) Mean() float64 {
	if p.alpha <= 1 {
		return math.Inf(1)
	}
	return p.min * p.alpha / (p.alpha - 1) / second
}

// Variance is min² alpha / ((alpha-1)² (alpha-2)), in seconds²; +Inf for alpha <= 2.
func (p Pareto) Variance() float64 {
	if p.alpha <= 2 {
		return math.Inf(1)
	}
	return square(p.min/(p.alpha-1)) * p.alpha / (p.alpha - 2) / second2
}

func (p Pareto) String() string { return p.text }
