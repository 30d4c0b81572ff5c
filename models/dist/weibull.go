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

var weibullKind = Kind{
	Doc: "heavy tail for shape < 1, exponential at 1, bell above",
	Forms: []string{
		"weibull(shape=0.5, scale=10ms)",
		"weibull(shape=2, mean=10ms)",
		"weibull(p50=5ms, p99=40ms)",
	},
	Parse: parseWeibull,
}

func parseWeibull(c Call) (Distribution, error) {
	a, err := c.Args()
	if err != nil {
		return nil, err
	}
	var w Weibull
	switch a.Form() {
	case "scale,shape":
		w.shape = a.Number("shape", minWeibullShape, maxWeibullShape)
		w.scale = a.PositiveDuration("scale")
	case "mean,shape":
		w.shape = a.Number("shape", minWeibullShape, maxWeibullShape)
		w.scale = a.PositiveDuration("mean") / sim.Exp(logGamma(1+1/w.shape))
	case "p,p": // log X = log scale + log(e)/shape at both, e the exponential quantile
		lo, hi := a.Percentiles()
		eLo := sim.Log(sim.ExponentialQuantile(lo.Share))
		eHi := sim.Log(sim.ExponentialQuantile(hi.Share))
		shape := (eHi - eLo) / sim.Log(hi.Nanoseconds/lo.Nanoseconds)
		w.shape = a.Within("shape", shape, minWeibullShape, maxWeibullShape)
		w.scale = lo.Nanoseconds / sim.Exp(eLo/w.shape)
	}
	w.text = a.String()
	return w, a.Err()
}

// Quantile is scale (-log(1-u))^(1/shape).
func (w Weibull) Quantile(u float64) time.Duration {
	return Round(w.scale * sim.Exp(sim.Log(sim.ExponentialQuantile(u))/w.shape))
}

// Mean is scale Γ(1 + 1/shape), in seconds.
func (w Weibull) Mean() float64 { return w.scale * sim.Exp(logGamma(1+1/w.shape)) / second }

// Variance is scale² (Γ(1 + 2/shape) - Γ(1 + 1/shape)²), in seconds².
func (w Weibull) Variance() float64 {
	return square(w.Mean()) * sim.Expm1(logGamma(1+2/w.shape)-float64(2*logGamma(1+1/w.shape)))
}

func (w Weibull) String() string { return w.text }
