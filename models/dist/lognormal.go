package dist

import (
	"math"
	"time"

	"lbsim/sim"
)

// Lognormal is the distribution of a duration whose logarithm is normal with standard deviation
// sigma.
type Lognormal struct {
	median float64 // ns, > 0
	sigma  float64 // >= 0
	text   string
}

const maxSigma = 20 // mean/median is e^200 then

var lognormalKind = Kind{
	Doc: "a product of many small factors: the usual fit to measured latencies",
	Forms: []string{
		"lognormal(p50=5ms, p99=40ms)",
		"lognormal(median=5ms, sigma=0.5)",
		"lognormal(mean=10ms, sigma=1)",
		"lognormal(mean=10ms, cv=1.5)",
	},
	Parse: parseLognormal,
}

func parseLognormal(c Call) (Distribution, error) {
	a, err := c.Args()
	if err != nil {
		return nil, err
	}
	var l Lognormal
	switch a.Form() {
	case "median,sigma":
		l.median, l.sigma = a.PositiveDuration("median"), a.Number("sigma", 0, maxSigma)
	case "mean,sigma":
		l.sigma = a.Number("sigma", 0, maxSigma)
		l.median = a.PositiveDuration("mean") / sim.Exp(l.sigma*l.sigma/2)
	case "cv,mean": // cv² = e^sigma² - 1
		l2 := sim.Log1p(square(a.Number("cv", 0, 1e6)))
		l.sigma = math.Sqrt(l2)
		l.median = a.PositiveDuration("mean") / sim.Exp(l2/2)
	case "p,p": // log X = log median + sigma z at both
		lo, hi := a.Percentiles()
		zLo, zHi := sim.NormalQuantile(lo.Share), sim.NormalQuantile(hi.Share)
		l.sigma = a.Within("sigma", sim.Log(hi.Nanoseconds/lo.Nanoseconds)/(zHi-zLo), 0, maxSigma)
		l.median = lo.Nanoseconds / sim.Exp(l.sigma*zLo)
	}
	l.text = a.String()
	return l, a.Err()
}

// Quantile is median e^(sigma z), where z is the normal quantile at u.
func (l Lognormal) Quantile(u float64) time.Duration {
	return Round(l.median * sim.Exp(l.sigma*sim.NormalQuantile(u)))
}

// Mean is median e^(sigma²/2), in seconds.
func (l Lognormal) Mean() float64 { return l.median * sim.Exp(l.sigma*l.sigma/2) / second }

// Variance is mean² (e^sigma² - 1), in seconds².
func (l Lognormal) Variance() float64 {
	return square(l.Mean()) * sim.Expm1(l.sigma*l.sigma)
}

func (l Lognormal) String() string { return l.text }

func square(x float64) float64 { return x * x }
