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

var paretoKind = Kind{
	Doc: "a power law: no finite variance for alpha <= 2, no mean for alpha <= 1",
	Forms: []string{
		"pareto(alpha=1.5, min=1ms)",
		"pareto(alpha=2.5, mean=10ms)",
		"pareto(p50=5ms, p99=40ms)",
	},
	Parse: parsePareto,
}

func parsePareto(c Call) (Distribution, error) {
	a, err := c.Args()
	if err != nil {
		return nil, err
	}
	var p Pareto
	switch a.Form() {
	case "alpha,min":
		p.alpha, p.min = a.Number("alpha", minAlpha, maxAlpha), a.PositiveDuration("min")
	case "alpha,mean":
		p.alpha = a.Number("alpha", minAlpha, maxAlpha)
		if p.alpha <= 1 {
			a.Failf("alpha must be greater than 1 for a mean to exist (is %v)", p.alpha)
		}
		p.min = a.PositiveDuration("mean") * (p.alpha - 1) / p.alpha
	case "p,p": // log X = log min + e/alpha at both, e the exponential quantile
		lo, hi := a.Percentiles()
		eLo, eHi := sim.ExponentialQuantile(lo.Share), sim.ExponentialQuantile(hi.Share)
		p.alpha = a.Within("alpha", (eHi-eLo)/sim.Log(hi.Nanoseconds/lo.Nanoseconds),
			minAlpha, maxAlpha)
		p.min = lo.Nanoseconds / sim.Exp(eLo/p.alpha)
	}
	p.text = a.String()
	return p, a.Err()
}

// Quantile is min (1-u)^(-1/alpha).
func (p Pareto) Quantile(u float64) time.Duration {
	return Round(p.min * sim.Exp(sim.ExponentialQuantile(u)/p.alpha))
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
