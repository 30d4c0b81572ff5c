package dist

import (
	"time"

	"lbsim/sim"
)

// Weibull is the distribution P(X > x) = exp(-(x/scale)^shape). A shape below 1 has a heavy tail, 1
// is exponential, above 3 it looks like a bell.
type Weibull struct {
	shape float64
	scale float64 // ns, > 0
	text  string
}

// The least shape has a mean of 2e18 scales, the greatest a deviation of a thousandth.
const minWeibullShape, maxWeibullShape = 0.05, 1000

func parseWeibull(c call) (Distribution, error) {
	a, err := c.args()
	if err != nil {
		return nil, err
	}
	var w Weibull
	switch a.form {
	case "scale,shape":
		w.shape = a.number("shape", minWeibullShape, maxWeibullShape)
		w.scale = a.positiveDuration("scale")
	case "mean,shape":
		w.shape = a.number("shape", minWeibullShape, maxWeibullShape)
		w.scale = a.positiveDuration("mean") / sim.Exp(logGamma(1+1/w.shape))
	case "p,p": // log X = log scale + log(e)/shape at both, e the exponential quantile
		lo, hi := a.percentiles()
		eLo := sim.Log(sim.ExponentialQuantile(lo.share))
		eHi := sim.Log(sim.ExponentialQuantile(hi.share))
		shape := (eHi - eLo) / sim.Log(hi.ns/lo.ns)
		w.shape = a.within("shape", shape, minWeibullShape, maxWeibullShape)
		w.scale = lo.ns / sim.Exp(eLo/w.shape)
	}
	w.text = a.text()
	return w, a.err
}

// Quantile is scale (-log(1-u))^(1/shape).
func (w Weibull) Quantile(u float64) time.Duration {
	return duration(w.scale * sim.Exp(sim.Log(sim.ExponentialQuantile(u))/w.shape))
}

// Mean is scale Γ(1 + 1/shape), in seconds.
func (w Weibull) Mean() float64 { return w.scale * sim.Exp(logGamma(1+1/w.shape)) / second }

// Variance is scale² (Γ(1 + 2/shape) - Γ(1 + 1/shape)²), in seconds².
func (w Weibull) Variance() float64 {
	return square(w.Mean()) * sim.Expm1(logGamma(1+2/w.shape)-float64(2*logGamma(1+1/w.shape)))
}

func (w Weibull) String() string { return w.text }
